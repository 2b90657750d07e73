// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// What contact geometries share: placing bodies by their configurations, and checks of user input.
namespace shapes {

/// R of body number `body` in the stacked configurations.
inline Matrix3 rotationOf(const Vector& q, std::size_t body = 0) {
  const double* const p = data(q) + 7 * body + 3;
  return rotations::rotationMatrix({p[0], p[1], p[2], p[3]});
}

/// Centre of mass of the body.
inline Vector3 centreOf(const Vector& q, std::size_t body = 0) {
  return vector3(data(q) + 7 * body);
}

/// A point of the body, given in its frame, in the inertial one.
inline Vector3 place(const Vector& q, const Vector3& point, std::size_t body = 0) {
  if (point == Vector3{}) return centreOf(q, body);
  return centreOf(q, body) + multiply(rotationOf(q, body), point);
}

}  // namespace shapes
}  // namespace delassus
