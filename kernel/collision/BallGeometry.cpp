// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BallGeometry.hpp>

#include <delassus/kernel/collision/Seams.hpp>
#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/kernel/shapes/BoxShape.hpp>

namespace delassus {

void BallGeometry::begin(const Collider& first, const Collider& second) {
  ball_ = first.isBall() ? 0 : 1;
  radius_ = (ball_ == 0 ? first : second).ballRadius();
  other_ = (ball_ == 0 ? second : first).sharedShape();
  open_ = 0;
  at_ = {first.at(), second.at()};
}

bool BallGeometry::follow(const Collider&, const Collider&, const Manifold& manifold) {
  if (open_ == manifold.openSides) return false;
  open_ = manifold.openSides;
  return true;
}

void BallGeometry::serializeState(StateArchive& archive) {
  archive.value("openSides", open_);
}

Placement BallGeometry::placementOf(std::size_t member, const Vector& q) const {
  if (member >= bodies_) return at_[member];
  return Placement{shapes::centreOf(q, member), shapes::rotationOf(q, member)}.place(at_[member]);
}

SurfaceFoot BallGeometry::footOf(const Vector3& point) const {
  const ConvexShape& other = *other_->convex();
  if (open_ == 0) return other.foot(point);
  return footOn(seams::opened(*other.boxEdges(), static_cast<seams::Sides>(open_)), point);
}

void BallGeometry::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Vector3 centre = ball_ < bodies_ ? shapes::place(q, at_[ball_].position, ball_) : at_[ball_].position;
  const Placement place = placementOf(1 - ball_, q);
  const SurfaceFoot foot = footOf(place.local(centre));
  const double gap = foot.distance - radius_;
  const Vector3 outwards = multiply(place.rotation, foot.normal);
  contacts->gap = gap;
  contacts->normal = ball_ == 0 ? outwards : -outwards;
  contacts->point = place.place(foot.point) + 0.5 * gap * outwards;
}

}  // namespace delassus
