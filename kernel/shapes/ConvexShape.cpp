// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

Vector3 RoundCorner::towards(const Vector3& d) const {
  Vector3 point = centre;
  if (ball > 0.) point += ball * d;
  if (rim > 0.) {
    const Vector3 across = d - dot(d, axis) * axis;
    const double length = norm(across);
    point += rim * (length > 0. ? 1. / length * across : column(contactFrame(axis), 1));
  }
  return point;
}

}  // namespace delassus
