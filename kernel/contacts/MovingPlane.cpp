// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/MovingPlane.hpp>

#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

MovingPlane::MovingPlane(const Plane& plane) : plane_(plane.normalised()), placed_(plane_) {
}

MovingPlane::MovingPlane(const Plane& plane, Motion motion) : MovingPlane(plane) {
  if (!motion) throw Error("MovingPlane", "the function of its motion is empty.");
  motion_ = std::move(motion);
}

void MovingPlane::moveTo(double t) {
  if (!motion_) return;
  assignZero(q_, 7);
  assignZero(rate_, 7);
  motion_.value(t, q_);
  motion_.jacobian<0>(t, rate_);
  if (q_.size() != 7 || rate_.size() != 7 || !allFinite(q_) || !allFinite(rate_)) {
    const std::string what = "MovingPlane: motion (x, p) or its derivative at t = " + toText(t);
    for (const Vector* v : {&q_, &rate_}) {
      requireSize(*v, 7, what);
      requireFinite(*v, what);
    }
  }
  origin_ = vector3(data(q_));
  velocity_ = vector3(data(rate_));
  Quaternion p{q_(3), q_(4), q_(5), q_(6)};
  if (p == Quaternion{}) p[0] = 1.;
  // (0, ω) = 2 ṗ ∘ p⁻¹; what changes |p| alone is in its scalar part.
  const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const Quaternion omega = rotations::product({rate_(3), rate_(4), rate_(5), rate_(6)}, rotations::conjugate(p));
  rotation_ = 2. / square * Vector3{omega[1], omega[2], omega[3]};
  p = rotations::normalised(p, "MovingPlane: orientation p of its motion");
  placed_.normal = rotations::rotate(p, plane_.normal);
  placed_.tangent = rotations::rotate(p, plane_.tangent);
  placed_.offset = plane_.offset + dot(placed_.normal, origin_);
}

void MovingPlane::touch(const Vector3& bodyPoint, double gap, ContactPoint& contact) const {
  contact.gap = gap;
  contact.normal = placed_.normal;
  contact.tangent = placed_.tangent;
  contact.point = bodyPoint - 0.5 * gap * placed_.normal;
  contact.obstacleRotation = rotation_;
  contact.obstacleVelocity = velocity_ + cross(rotation_, contact.point - origin_);
}

Settings MovingPlane::settings() const {
  Settings settings;
  settings.add("normal", std::span<const double>(plane_.normal));
  settings.add("offset", plane_.offset);
  settings.add("tangent", std::span<const double>(plane_.tangent));
  settings.add("moves", isMoving());
  return settings;
}

}  // namespace delassus
