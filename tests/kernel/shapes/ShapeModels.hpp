// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/kernel/shapes/ConvexHull.hpp>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace delassus::test {

inline Vector3 randomVector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> entry(-size, size);
  const double x = entry(random), y = entry(random);
  return {x, y, entry(random)};
}

inline std::vector<Vector3> randomPoints(std::mt19937& random, std::size_t count, double size) {
  std::vector<Vector3> points;
  for (std::size_t k = 0; k < count; ++k) points.push_back(randomVector(random, size));
  return points;
}

inline std::vector<Vector3> boxCorners(const Vector3& half, const Vector3& centre = {}) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k) {
    const Vector3 corner{k % 2 == 0 ? half[0] : -half[0], k / 2 % 2 == 0 ? half[1] : -half[1],
                         k / 4 == 0 ? half[2] : -half[2]};
    corners.push_back(centre + corner);
  }
  return corners;
}

// How far a point is outside a face at most; infinite if that is no number.
inline double worstOutside(const ConvexHull& hull, const std::vector<Vector3>& points) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const Face& face : hull.faces()) {
    for (const Vector3& point : points) {
      const double out = dot(face.normal, point) - face.offset;
      worst = std::isfinite(out) ? std::max(worst, out) : std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

// Each side of a face is that of another one the other way round, and V - E + F = 2, which alone may hold by chance.
inline bool isClosed(const ConvexHull& hull) {
  std::map<std::pair<std::size_t, std::size_t>, int> sides;
  const Surface surface = hull.surface(0);
  for (const Surface::Polygon& polygon : surface.polygons) {
    for (std::size_t k = 0; k < polygon.size(); ++k) ++sides[{polygon[k], polygon[(k + 1) % polygon.size()]}];
  }
  const auto hasOpposite = [&](const auto& side) {
    return side.second == 1 && sides.contains({side.first.second, side.first.first});
  };
  const bool isEuler = hull.corners().size() + hull.faces().size() == hull.edges().size() + 2;
  return isEuler && std::ranges::all_of(sides, hasOpposite);
}

inline Placement randomPlacement(std::mt19937& random) {
  return Placement::at(randomVector(random, 1.), rotations::exponential(randomVector(random, 2.)));
}

/// Skips the tests of hulls where the library cannot make any.
class HullFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!withQhull) GTEST_SKIP() << "built without Qhull";
  }
};

}  // namespace delassus::test
