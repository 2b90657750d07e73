// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ShapePair.hpp>

#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <delassus/kernel/contacts/BodyPoints.hpp>

namespace delassus {
namespace {

Placement frameOf(const Vector& q, std::size_t body) {
  return {shapes::centreOf(q, body), shapes::rotationOf(q, body)};
}

}  // namespace

void ShapePair::begin(const Collider& first, const Collider& second) {
  shapes_ = {first.sharedShape(), second.sharedShape()};
  at_ = {first.at(), second.at()};
}

ShapePair::Members ShapePair::membersAt(double t, const Vector& q) const {
  Members members{motion().at(t), {}};
  members.frames = {frameOf(q, 0), bodies_ == 2 ? frameOf(q, 1) : members.obstacle.place};
  return members;
}

double ShapePair::overlap(double t, const Vector& q, const Vector3& n) const {
  const Members members = membersAt(t, q);
  const Placement first = placeOf(members.frames[0], 0), second = placeOf(members.frames[1], 1);
  const double below = PlacedConvex{*shapes_[0]->convex(), first}.reach(-n);
  if (shapes_[1]->plane() != nullptr) return shapes_[1]->plane()->placed(second).offset + below;
  return PlacedConvex{*shapes_[1]->convex(), second}.reach(n) + below;
}

}  // namespace delassus
