// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SmoothGeometry.hpp>

#include <delassus/kernel/collision/SmoothMeeting.hpp>
#include <delassus/kernel/contacts/BodyPoints.hpp>

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
  smooth_ = isSmoothFor(first.shape(), second.shape()) ? 0 : 1;
  shapes_ = {first.sharedShape(), second.sharedShape()};
  open_ = 0;
  at_ = {first.at(), second.at()};
  motion_ = second.motion();
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
  const ObstacleMotion::State obstacle = motion_.at(t);
  const auto placeOf = [&](std::size_t member) {
    const Placement frame =
        member < bodies_ ? Placement{shapes::centreOf(q, member), shapes::rotationOf(q, member)} : obstacle.place;
    return frame.place(at_[member]);
  };
  const std::size_t other = 1 - smooth_;
  const Placement ofSmooth = placeOf(smooth_), ofOther = placeOf(other);
  const PlacedConvex smooth{*shapes_[smooth_]->convex(), ofSmooth};
  const Plane* const plane = shapes_[other]->plane();
  const SmoothMeeting meeting = plane != nullptr ? meetSmooth(smooth, plane->placed(ofOther))
                                                 : meetSmooth(smooth, {*shapes_[other]->convex(), ofOther}, about_,
                                                              static_cast<ConvexShape::OpenSides>(open_));
  contacts->gap = meeting.gap;
  contacts->normal = smooth_ == 0 ? meeting.normal : -meeting.normal;
  contacts->point = 0.5 * (meeting.onSmooth + meeting.onOther);
  if (isTimeDependent()) obstacle.drive(*contacts);
}

}  // namespace delassus
