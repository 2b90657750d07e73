// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ShapeTools.hpp>

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

void requireLength(double length, bool zeroAllowed, const char* owner, const char* what) {
  if (std::isfinite(length) && (length > 0. || (zeroAllowed && length == 0.))) return;
  throw Error(owner, "the " + std::string(what) + " must " + (zeroAllowed ? "not be negative" : "be positive") +
                         ", and finite, got " + toText(length) + ".");
}

void requirePoint(const Vector3& point, const char* owner, const char* what) {
  if (std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2])) return;
  throw Error(owner, "the " + std::string(what) + " must be finite, got (" + toText(point[0]) + ", " +
                         toText(point[1]) + ", " + toText(point[2]) + ").");
}

Vector3 unitAxis(const Vector3& axis, const char* owner) {
  const double length = norm(axis);
  if (length > 0. && std::isfinite(length)) return 1. / length * axis;
  throw Error(owner, "the axis must not be zero, and finite; it has length " + toText(length) + ".");
}

void requireDensity(double density, std::string_view owner) {
  if (density > 0. && std::isfinite(density)) return;
  throw Error(std::string(owner), "the density must be positive and finite, got " + toText(density) + ".");
}

void requirePlacement(const Placement& at, std::string_view owner) {
  constexpr double rounding = 1e-9;
  if (!isFinite(at.position)) throw Error(std::string(owner), "the position of a placement must be finite.");
  const Matrix3 square = multiply(transposed(at.rotation), at.rotation);
  double off = 0.;
  for (std::size_t k = 0; k < square.size(); ++k) off += std::abs(square[k] - (k % 4 == 0 ? 1. : 0.));
  // A reflection is none, and NaN is not small.
  const bool isRightHanded = dot(cross(column(at.rotation, 0), column(at.rotation, 1)), column(at.rotation, 2)) > 0.;
  if (off < rounding && isRightHanded) return;
  throw Error(std::string(owner), "the rotation of a placement must be one: its columns are off by " + toText(off) +
                                      (isRightHanded ? "." : ", or left-handed."));
}

}  // namespace delassus::shapes
