// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/MovingPlane.hpp>

#include <utility>

namespace delassus {

MovingPlane::MovingPlane(const Plane& plane) : plane_(plane.normalised()), placed_(plane_) {
}

MovingPlane::MovingPlane(const Plane& plane, ObstacleMotion motion) : MovingPlane(plane) {
  motion_ = std::move(motion);
}

MovingPlane::MovingPlane(const Plane& plane, ObstacleMotion::Function motion)
    : MovingPlane(plane, ObstacleMotion(std::move(motion))) {
}

void MovingPlane::moveTo(double t) {
  if (!isMoving()) return;
  state_ = motion_.at(t);
  placed_ = plane_.placed(state_.place);
}

void MovingPlane::touch(const Vector3& bodyPoint, double gap, ContactPoint& contact) const {
  contact.gap = gap;
  contact.normal = placed_.normal;
  contact.tangent = placed_.tangent;
  contact.point = bodyPoint - 0.5 * gap * placed_.normal;
  if (isMoving()) {
    state_.drive(contact);
  } else {
    contact.obstacleVelocity = contact.obstacleRotation = Vector3{};
  }
}

Settings MovingPlane::settings() const {
  Settings settings;
  settings.add("normal", std::span<const double>(plane_.normal));
  settings.add("offset", plane_.offset);
  settings.add("tangent", std::span<const double>(plane_.tangent));
  settings.add("motion", motion_.settings());
  return settings;
}

}  // namespace delassus
