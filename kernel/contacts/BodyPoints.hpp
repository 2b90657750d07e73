// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/Rotation.hpp>
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

/// The unit vector along the component of the unit vector n orthogonal to the unit vector `axis`; `otherwise` (a unit
/// vector orthogonal to `axis`) if that component is zero up to rounding.
Vector3 across(const Vector3& n, const Vector3& axis, const Vector3& otherwise);

/// Throws Error naming the geometry unless the length is positive (or zero, if that is allowed) and finite.
void requireLength(double length, bool zeroAllowed, const char* geometry, const char* what);

/// Throws Error naming the geometry unless the point is finite.
void requirePoint(const Vector3& point, const char* geometry, const char* what);

/// The unit vector along `axis`. Throws Error naming the geometry if it is zero or not finite.
Vector3 unitAxis(const Vector3& axis, const char* geometry);

}  // namespace shapes
}  // namespace delassus
