// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/shapes/EllipsoidShape.hpp>
#include <random>

#include "ShapeModels.hpp"

namespace delassus {
namespace {

using test::randomVector;

double equation(const EllipsoidShape& shape, const Vector3& x) {
  double sum = -1.;
  for (std::size_t i = 0; i < 3; ++i) sum += std::pow(x[i] / shape.halfAxes()[i], 2);
  return sum;
}

Vector3 gradient(const EllipsoidShape& shape, const Vector3& x) {
  Vector3 g;
  for (std::size_t i = 0; i < 3; ++i) g[i] = x[i] / std::pow(shape.halfAxes()[i], 2);
  return 1. / norm(g) * g;
}

TEST(EllipsoidShape, HasTheFootWhoseNormalGoesThroughThePoint) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-3., 0.);
  for (int k = 0; k < 2000; ++k) {
    const auto half = [&] { return std::pow(10., exponent(random)); };
    const EllipsoidShape shape(half(), half(), half());
    const Vector3 x = randomVector(random, k % 2 == 0 ? 1. : 2. * shape.size());
    const SurfaceFoot foot = shape.foot(x);
    EXPECT_NEAR(equation(shape, foot.point), 0., 1e-9) << k;
    EXPECT_NEAR(norm(foot.normal), 1., 1e-14);
    EXPECT_NEAR(norm(gradient(shape, foot.point) - foot.normal), 0., 1e-12) << k;
    EXPECT_NEAR(norm(x - foot.point - foot.distance * foot.normal), 0., 1e-12) << k;
    EXPECT_EQ(foot.distance > 0., equation(shape, x) > 0.) << k;
    // No other point is nearer: neighbours of the foot, and the support in any direction.
    for (int other = 0; other < 10; ++other) {
      const Vector3 d = randomVector(random, 1.), point = shape.support(1. / norm(d) * d);
      EXPECT_GE(norm(x - point), std::abs(foot.distance) - 1e-12);
    }
  }
}

TEST(EllipsoidShape, LeavesItsMiddleAlongTheShortestAxis) {
  const EllipsoidShape shape(0.3, 0.2, 0.1);
  const SurfaceFoot ofCentre = shape.foot({});
  EXPECT_NEAR(ofCentre.distance, -0.1, 1e-15);
  EXPECT_NEAR(std::abs(ofCentre.normal[2]), 1., 1e-15);
  // On the middle plane, near the centre: x² a²/(a² − c²)² tells where the normal comes from.
  const SurfaceFoot beside = shape.foot({0.05, 0., 0.});
  EXPECT_NEAR(equation(shape, beside.point), 0., 1e-14);
  EXPECT_NEAR(norm(Vector3{0.05, 0., 0.} - beside.point), -beside.distance, 1e-15);
  EXPECT_NEAR(beside.point[0], 0.05 * 0.09 / (0.09 - 0.01), 1e-15);
  // Far out on it, the nearest point is on it.
  const SurfaceFoot outer = shape.foot({0.29, 0., 0.});
  EXPECT_NEAR(outer.point[0], 0.3, 1e-15);
  EXPECT_NEAR(outer.distance, -0.01, 1e-15);
  // A ball is the limit.
  const EllipsoidShape ball(0.2, 0.2, 0.2);
  EXPECT_NEAR(ball.foot({0.1, 0.1, 0.1}).distance, std::sqrt(0.03) - 0.2, 1e-15);
  EXPECT_NEAR(ball.foot({}).distance, -0.2, 1e-15);
}

TEST(EllipsoidShape, IsContinuousAcrossItsMiddlePlane) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> place(-0.31, 0.31);
  for (const EllipsoidShape& shape : {EllipsoidShape(0.3, 0.2, 0.1), EllipsoidShape(0.2, 0.2, 0.1)}) {
    for (int k = 0; k < 1000; ++k) {
      const double x = place(random), y = place(random);
      const SurfaceFoot on = shape.foot({x, y, 0.}), above = shape.foot({x, y, 1e-12});
      EXPECT_NEAR(equation(shape, on.point), 0., 1e-12) << x << ' ' << y;
      EXPECT_NEAR(on.distance, above.distance, 1e-10) << x << ' ' << y;
    }
  }
}

TEST(EllipsoidShape, HasItsSupportAndItsExtremeCurvature) {
  std::mt19937 random(5);
  const EllipsoidShape shape(0.3, 0.2, 0.1);
  for (int k = 0; k < 100; ++k) {
    Vector3 d = randomVector(random, 1.);
    d = 1. / norm(d) * d;
    const Vector3 point = shape.support(d);
    EXPECT_NEAR(equation(shape, point), 0., 1e-14);
    EXPECT_NEAR(norm(gradient(shape, point) - d), 0., 1e-14);
    EXPECT_LE(norm(cross(point, d)), shape.spinRadius());
    // The centre of the largest osculating ball holds the ellipsoid within this ball.
    const Vector3 centre = point - shape.largestCurvatureRadius() * d;
    for (int other = 0; other < 20; ++other) {
      const Vector3 e = randomVector(random, 1.);
      EXPECT_LE(norm(shape.support(1. / norm(e) * e) - centre), shape.largestCurvatureRadius() + 1e-14);
    }
  }
}

}  // namespace
}  // namespace delassus
