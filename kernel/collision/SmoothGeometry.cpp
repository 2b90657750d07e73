// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SmoothGeometry.hpp>

#include <delassus/kernel/collision/SmoothMeeting.hpp>

namespace delassus {
namespace {

bool isSmoothFor(const Shape& shape, const Shape& other) {
  const ConvexShape* const convex = shape.convex();
  if (convex == nullptr || !isSmooth(*convex)) return false;
  return other.plane() != nullptr || (other.convex() != nullptr && hasBoundedCurvature(*convex));
}

}  // namespace

bool SmoothGeometry::isFor(const Shape& first, const Shape& second) {
  return isSmoothFor(first, second) || isSmoothFor(second, first);
}

void SmoothGeometry::begin(const Collider& first, const Collider& second) {
  ShapePair::begin(first, second);
  smooth_ = isSmoothFor(first.shape(), second.shape()) ? 0 : 1;
  open_ = 0;
}

bool SmoothGeometry::follow(const Collider&, const Collider&, const Manifold& manifold) {
  const Vector3 about = smooth_ == 0 ? manifold.normal : -manifold.normal;
  if (open_ == manifold.openSides && about == about_) return false;
  open_ = manifold.openSides;
  about_ = about;
  return true;
}

void SmoothGeometry::serializePresent(StateArchive& archive) {
  archive.value("openSides", open_);
  archive.values("about", about_.data(), about_.size());
}

void SmoothGeometry::findPresent(double t, const Vector& q, ContactPoint* contacts) {
  const Members members = membersAt(t, q);
  const std::size_t other = 1 - smooth_;
  const Placement ofSmooth = placeOf(members.frames[smooth_], smooth_);
  const Placement ofOther = placeOf(members.frames[other], other);
  const PlacedConvex smooth{*shape(smooth_).convex(), ofSmooth};
  const Plane* const plane = shape(other).plane();
  const SmoothMeeting meeting = plane != nullptr ? meetSmooth(smooth, plane->placed(ofOther))
                                                 : meetSmooth(smooth, {*shape(other).convex(), ofOther}, about_,
                                                              static_cast<ConvexShape::OpenSides>(open_));
  contacts->gap = meeting.gap;
  contacts->normal = smooth_ == 0 ? meeting.normal : -meeting.normal;
  contacts->point = 0.5 * (meeting.onSmooth + meeting.onOther);
  if (isTimeDependent()) members.obstacle.drive(*contacts);
}

}  // namespace delassus
