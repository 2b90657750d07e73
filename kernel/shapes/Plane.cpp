// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/Plane.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {

Plane Plane::through(const Vector3& point, const Vector3& normal, const Vector3& tangent) {
  const double length = norm(normal);
  if (!(length > 0.) || !std::isfinite(length) || !std::isfinite(norm(point))) {
    throw Error("Plane", "the normal must not be zero, and point and normal must be finite; the normal has length " +
                             toText(length) + ".");
  }
  const Vector3 unit = 1. / length * normal;
  const double tangentLength = norm(tangent);
  if (!std::isfinite(tangentLength) || (tangentLength > 0. && norm(cross(unit, tangent)) < 1e-6 * tangentLength)) {
    throw Error("Plane", "the tangent must be finite and not along the normal; it is (" + toText(tangent[0]) + ", " +
                             toText(tangent[1]) + ", " + toText(tangent[2]) + ").");
  }
  return {unit, dot(unit, point), tangent};
}

Plane Plane::normalised() const {
  const double squared = dot(normal, normal);
  if (!std::isfinite(offset)) throw Error("Plane", "the offset must be finite, got " + toText(offset) + ".");
  return through(squared > 0. ? offset / squared * normal : Vector3{}, normal, tangent);
}

Plane Plane::placed(const Placement& at) const {
  const Vector3 outer = multiply(at.rotation, normal);
  return {outer, offset + dot(outer, at.position), multiply(at.rotation, tangent)};
}

}  // namespace delassus
