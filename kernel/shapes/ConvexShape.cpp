// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexShape.hpp>

#include <delassus/kernel/shapes/ShapeTools.hpp>

namespace delassus {

Vector3 RoundCorner::towards(const Vector3& d) const {
  Vector3 point = centre;
  if (ball > 0.) point += ball * d;
  if (rim > 0.) {
    point += rim * shapes::across(d, axis, column(contactFrame(axis), 1));
  }
  return point;
}

}  // namespace delassus
