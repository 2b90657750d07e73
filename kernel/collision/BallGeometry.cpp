// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BallGeometry.hpp>

#include <delassus/kernel/collision/Seams.hpp>
#include <delassus/kernel/contacts/BodyPoints.hpp>

namespace delassus {

void BallGeometry::begin(const Collider& first, const Collider& second) {
  ball_ = std::holds_alternative<SphereShape>(first.shape()) ? 0 : 1;
  const Collider& ball = ball_ == 0 ? first : second;
  const Collider& other = ball_ == 0 ? second : first;
  radius_ = std::get<SphereShape>(ball.shape()).radius();
  const auto* const box = std::get_if<BoxShape>(&other.shape());
  raised_ = box == nullptr ? std::get<SphereShape>(other.shape()).radius() : 0.;
  half_ = box == nullptr ? Vector3{} : box->halfEdges();
  open_ = 0;
  box_ = seams::opened(half_, static_cast<seams::Sides>(open_));
  obstacle_ = second.placement();
}

bool BallGeometry::follow(const Collider&, const Collider&, const Manifold& manifold) {
  if (open_ == manifold.openSides) return false;
  open_ = manifold.openSides;
  box_ = seams::opened(half_, static_cast<seams::Sides>(open_));
  return true;
}

void BallGeometry::serializeState(StateArchive& archive) {
  archive.value("openSides", open_);
  box_ = seams::opened(half_, static_cast<seams::Sides>(open_));
}

Placement BallGeometry::placementOf(std::size_t member, const Vector& q) const {
  if (member >= bodies_) return obstacle_;
  return {shapes::centreOf(q, member), shapes::rotationOf(q, member)};
}

void BallGeometry::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const std::size_t other = 1 - ball_;
  const Vector3 centre = ball_ < bodies_ ? shapes::centreOf(q, ball_) : obstacle_.position;
  const Placement place = placementOf(other, q);
  const SurfaceFoot foot = footOn(box_, multiplyTransposed(place.rotation, centre - place.position));
  const double gap = foot.distance - radius_ - raised_;
  const Vector3 outwards = multiply(place.rotation, foot.normal);
  contacts->gap = gap;
  contacts->normal = ball_ == 0 ? outwards : -outwards;
  contacts->point = place.position + multiply(place.rotation, foot.point) + (raised_ + 0.5 * gap) * outwards;
}

}  // namespace delassus
