// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BallGeometry.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>

namespace delassus {

void BallGeometry::begin(const Collider& first, const Collider& second) {
  ball_ = first.isBall() ? 0 : 1;
  radius_ = (ball_ == 0 ? first : second).ballRadius();
  other_ = (ball_ == 0 ? second : first).sharedShape();
  open_ = 0;
  at_ = {first.at(), second.at()};
  motion_ = second.motion();
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
  const ObstacleMotion::State obstacle = motion_.at(t);
  const auto frameOf = [&](std::size_t member) {
    return member < bodies_ ? Placement{shapes::centreOf(q, member), shapes::rotationOf(q, member)} : obstacle.place;
  };
  const Vector3 centre = frameOf(ball_).place(at_[ball_].position);
  const Placement place = frameOf(1 - ball_).place(at_[1 - ball_]);
  const auto open = static_cast<ConvexShape::OpenSides>(open_);
  const SurfaceFoot foot = other_->convex()->footBeyond(place.local(centre), open);
  const double gap = foot.distance - radius_;
  const Vector3 outwards = multiply(place.rotation, foot.normal);
  contacts->gap = gap;
  contacts->normal = ball_ == 0 ? outwards : -outwards;
  contacts->point = place.place(foot.point) + 0.5 * gap * outwards;
  if (isTimeDependent()) obstacle.drive(*contacts);
}

}  // namespace delassus
