// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Placement.hpp>
#include <string_view>

namespace delassus {
namespace shapes {

/// The unit vector along the component of the unit vector n orthogonal to the unit vector `axis`; `otherwise` (a unit
/// vector orthogonal to `axis`) if that component is zero up to rounding.
Vector3 across(const Vector3& n, const Vector3& axis, const Vector3& otherwise);

/// Throws Error naming the owner unless the length is positive (or zero, if that is allowed) and finite.
void requireLength(double length, bool zeroAllowed, const char* owner, const char* what);

/// Throws Error naming the owner unless the point is finite.
void requirePoint(const Vector3& point, const char* owner, const char* what);

/// The unit vector along `axis`. Throws Error naming the owner if it is zero or not finite.
Vector3 unitAxis(const Vector3& axis, const char* owner);

/// Throws Error naming the owner unless the density is positive and finite.
void requireDensity(double density, std::string_view owner);

/// Throws Error naming the owner unless the position is finite and the rotation one, to 1e-9.
void requirePlacement(const Placement& at, std::string_view owner);

}  // namespace shapes
}  // namespace delassus
