// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/BodyPoints.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus::shapes {

Vector3 across(const Vector3& n, const Vector3& axis, const Vector3& otherwise) {
  constexpr double smallestSine = 1e-12;
  const Vector3 part = n - dot(n, axis) * axis;
  const double sine = norm(part);
  if (!(sine > smallestSine)) return otherwise;
  // Once more: if the component is small, rounding has left some of the axis in it.
  const Vector3 unit = 1. / sine * part;
  const Vector3 clean = unit - dot(unit, axis) * axis;
  return 1. / norm(clean) * clean;
}

void requireLength(double length, bool zeroAllowed, const char* geometry, const char* what) {
  if (std::isfinite(length) && (length > 0. || (zeroAllowed && length == 0.))) return;
  throw Error(geometry, "the " + std::string(what) + " must " + (zeroAllowed ? "not be negative" : "be positive") +
                            ", and finite, got " + toText(length) + ".");
}

void requirePoint(const Vector3& point, const char* geometry, const char* what) {
  if (std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2])) return;
  throw Error(geometry, "the " + std::string(what) + " must be finite, got (" + toText(point[0]) + ", " +
                            toText(point[1]) + ", " + toText(point[2]) + ").");
}

Vector3 unitAxis(const Vector3& axis, const char* geometry) {
  const double length = norm(axis);
  if (length > 0. && std::isfinite(length)) return 1. / length * axis;
  throw Error(geometry, "the axis must not be zero, and finite; it has length " + toText(length) + ".");
}

}  // namespace delassus::shapes
