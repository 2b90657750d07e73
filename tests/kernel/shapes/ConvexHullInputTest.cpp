// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexHull.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include "ShapeModels.hpp"

namespace delassus {
namespace {

using test::boxCorners;
using test::isClosed;
using test::randomPoints;
using test::randomVector;
using test::worstOutside;

using Points = std::vector<Vector3>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double largest(const Points& points) {
  double size = 0.;
  for (const Vector3& point : points) size = std::max(size, norm(point));
  return size;
}

using HullInput = test::HullFixture;

TEST_F(HullInput, IsRefusedWithoutAVolume) {
  std::mt19937 random(26);
  const Vector3 a{1., 2., 3.}, u{0.3, -0.2, 0.9}, v{0.5, 0.1, -0.4};
  std::vector<Points> bad{{}, {a}, {a, u, v}, Points(4, a), Points(100, a), Points(5, Vector3{})};
  for (int k = 0; k < 20; ++k) {
    Points line, plane;
    for (int i = 0; i < 12; ++i) {
      const Vector3 w = randomVector(random, 1.);
      line.push_back(w[0] * Vector3{1., 0., 0.} + Vector3{0., 2., 3.});
      plane.push_back({w[0], w[1], 3.});
    }
    bad.push_back(line);
    bad.push_back(plane);
  }
  for (const double number : {nan, infinity, -infinity}) {
    Points points = boxCorners({1., 1., 1.});
    points[3][1] = number;
    bad.push_back(points);
  }
  for (const Points& points : bad) EXPECT_THROW(ConvexHull{points}, Error) << points.size() << " points";
}

// Points of a straight line that rounding alone puts off it.
TEST_F(HullInput, OfALineUpToRoundingIsRefused) {
  const Points line{{-5290.3284231275175, 86375.765414721129, 57125.302399895205},
                    {35032.338634224805, -571976.78894315672, -378281.41813489917},
                    {-47351.81879420398, 773118.27644879627, 511307.94755234476},
                    {17682.07918416473, -288697.22285394289, -190932.21435531153}};
  EXPECT_THROW(ConvexHull{line}, Error);
}

// A tetrahedron-like body one of whose corners is there twice up to rounding: closed, and its feet are on it.
TEST_F(HullInput, WithACornerTwiceUpToRoundingIsClosed) {
  const Points points{{-0.98841865226854864, -1.1365775228081829, -0.83574263119480818},
                      {0.98355974529938373, -1.0888737233268837, 1.0355471173343374},
                      {-0.96280676752348349, -0.98952040480981729, 1.0145605189669187},
                      {-0.95484909639660354, 1.0050117353117622, -0.89079013380232119},
                      {0.91799384022443331, -1.0083430645588913, -1.0604599782296587},
                      {-0.98841865226854886, -1.136577522808182, -0.83574263119480163}};
  const ConvexHull hull(points);
  EXPECT_TRUE(isClosed(hull));
  const Vector3 from{-0.9949, -1.135, -0.242};
  const SurfaceFoot foot = hull.foot(from);
  EXPECT_LE(worstOutside(hull, {foot.point}), 1e-12);
  EXPECT_NEAR(dot(foot.normal, from) - dot(foot.normal, hull.support(foot.normal)), foot.distance, 1e-12);
}

// Mixtures of a flat or straight set, duplicates, and perturbations of 1e-16 to 1e-3, at scales of 1e-6 to 1e6.
Points fuzzed(std::mt19937& random) {
  const double scale = std::pow(10., static_cast<double>(random() % 13) - 6.);
  const double off = random() % 8 == 0 ? 0. : std::pow(10., -3. - static_cast<double>(random() % 14));
  const unsigned kind = static_cast<unsigned>(random() % 4);
  const Vector3 u = randomVector(random, 1.), v = kind == 0 ? Vector3{} : randomVector(random, 1.);
  const std::size_t count = random() % 20;
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 w = kind == 3
                          ? 1. / 4. * Vector3{static_cast<double>(random() % 4), static_cast<double>(random() % 4), 0.}
                          : randomVector(random, 1.);
    points.push_back(scale * (w[0] * u + w[1] * v + randomVector(random, off)));
    if (random() % 3 == 0) points.push_back(points[random() % points.size()]);
    if (random() % 9 == 0) points.push_back(scale * randomVector(random, 1.));
  }
  return points;
}

TEST_F(HullInput, OfFuzzedPointsHoldsThemOrIsRefused) {
  std::mt19937 random(27);
  int made = 0, refused = 0;
  for (int k = 0; k < 10000; ++k) {
    const Points points = fuzzed(random);
    std::optional<ConvexHull> hull;
    try {
      hull.emplace(points);
    } catch (const Error&) {
      ++refused;
      continue;
    }
    ++made;
    const double size = largest(points);
    // Of points within 1e-9 of the extent of each other one is taken; the extent is at most 2 √3 times the largest
    // coordinate.
    ASSERT_LE(worstOutside(*hull, points), 4e-9 * size) << "set " << k;
    ASSERT_GT(hull->massProperties(1.).mass, 0.) << "set " << k;
    ASSERT_TRUE(isClosed(*hull)) << "set " << k;
    for (const Vector3& point : points) {
      const SurfaceFoot foot = hull->foot(point);
      ASSERT_LE(foot.distance, 4e-9 * size) << "set " << k;
      ASSERT_NEAR(norm(foot.normal), 1., 1e-9) << "set " << k;
    }
  }
  EXPECT_GT(made, 2000);
  EXPECT_GT(refused, 200);
}

// Squares of areas and fifth powers of lengths leave the range of numbers.
TEST_F(HullInput, OfExtremeScaleIsFiniteOrRefused) {
  std::mt19937 random(28);
  for (int exponent = -300; exponent <= 300; exponent += 5) {
    Points points = randomPoints(random, 20, 1.);
    for (Vector3& point : points) point *= std::pow(10., exponent);
    try {
      const ConvexHull hull(points);
      for (const Face& face : hull.faces()) EXPECT_NEAR(norm(face.normal), 1., 1e-12) << "1e" << exponent;
      EXPECT_TRUE(std::isfinite(hull.size())) << "1e" << exponent;
      const MassProperties unit = hull.massProperties(1.);
      EXPECT_TRUE(std::isfinite(unit.mass) && isFinite(unit.centre)) << "1e" << exponent;
      for (const double entry : unit.inertia) EXPECT_TRUE(std::isfinite(entry)) << "1e" << exponent;
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace delassus
