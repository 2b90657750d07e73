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

std::vector<double> coordinatesOf(std::span<const RoundCorner> corners) {
  std::vector<double> coordinates;
  for (const RoundCorner& corner : corners) {
    coordinates.insert(coordinates.end(), corner.centre.begin(), corner.centre.end());
  }
  return coordinates;
}

Bounds boundsOf(std::span<const RoundCorner> corners, const Placement& at) {
  const Vector3 first = at.place(corners.front().centre);
  Bounds bounds{first, first};
  for (const RoundCorner& corner : corners.subspan(1)) {
    const Vector3 point = at.place(corner.centre);
    bounds.add({point, point});
  }
  return bounds;
}

}  // namespace delassus
