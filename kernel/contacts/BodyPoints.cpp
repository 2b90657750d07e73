// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/BodyPoints.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus::shapes {

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
  if (length > 0. && std::isfinite(length)) return scaled(1. / length, axis);
  throw Error(geometry, "the axis must not be zero, and finite; it has length " + toText(length) + ".");
}

}  // namespace delassus::shapes
