// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Placement.hpp>

namespace delassus {

/// A plane { x : n · x = offset }; the free side is where n points.
struct Plane {
  Vector3 normal{0., 0., 1.};  ///< unit
  double offset = 0.;          ///< m
  Vector3 tangent{};  ///< t₁ of contacts with the plane if it matters (in two dimensions); zero leaves it free

  /// Through a point, with a normal of any length. Throws Error if that is zero or a number not finite, or if the
  /// tangent is not zero and along the normal.
  static Plane through(const Vector3& point, const Vector3& normal, const Vector3& tangent = {});
  /// The same plane with a normal of length 1 (n·x = offset is divided by its length). Throws Error as `through`.
  Plane normalised() const;
  /// The plane in the outer frame, if this is in one that is placed there.
  Plane placed(const Placement& at) const;
};

}  // namespace delassus
