// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BallGeometry.hpp>

namespace delassus {

void BallGeometry::begin(const Collider& first, const Collider& second) {
  ShapePair::begin(first, second);
  ball_ = first.isBall() ? 0 : 1;
  radius_ = (ball_ == 0 ? first : second).ballRadius();
  open_ = 0;
}

bool BallGeometry::follow(const Collider&, const Collider&, const Manifold& manifold) {
  if (open_ == manifold.openSides) return false;
  open_ = manifold.openSides;
  return true;
}

void BallGeometry::serializePresent(StateArchive& archive) {
  archive.value("openSides", open_);
}

void BallGeometry::findPresent(double t, const Vector& q, ContactPoint* contacts) {
  const Members members = membersAt(t, q);
  const std::size_t other = 1 - ball_;
  const Vector3 centre = placeOf(members.frames[ball_], ball_).position;
  const Placement place = placeOf(members.frames[other], other);
  const auto open = static_cast<ConvexShape::OpenSides>(open_);
  const SurfaceFoot foot = shape(other).convex()->footBeyond(place.local(centre), open);
  const double gap = foot.distance - radius_;
  const Vector3 outwards = multiply(place.rotation, foot.normal);
  contacts->gap = gap;
  contacts->normal = ball_ == 0 ? outwards : -outwards;
  contacts->point = place.place(foot.point) + 0.5 * gap * outwards;
  if (isTimeDependent()) members.obstacle.drive(*contacts);
}

}  // namespace delassus
