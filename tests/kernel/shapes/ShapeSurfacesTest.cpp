// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/kernel/shapes/AllShapes.hpp>
#include <limits>
#include <map>
#include <random>

#include "ShapeModels.hpp"

namespace delassus {
namespace {

using test::randomPlacement;
using test::randomVector;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Sizes are below 1 m: results of a few operations are right to this.
constexpr double rounding = 2e-15;

Vector3 randomUnit(std::mt19937& random) {
  Vector3 v = randomVector(random, 1.);
  while (norm(v) < 0.1 || norm(v) > 1.) v = randomVector(random, 1.);
  return 1. / norm(v) * v;
}

struct Case {
  std::shared_ptr<const ConvexShape> shape;
};

std::vector<Case> cases() {
  std::vector<Case> all{{std::make_shared<const SphereShape>(0.2)},
                        {std::make_shared<const BoxShape>(0.4, 0.6, 0.2)},
                        {std::make_shared<const CapsuleShape>(0.2, 0.5)},
                        {std::make_shared<const CylinderShape>(0.2, 0.5)},
                        {std::make_shared<const ConeShape>(0.2, 0.5)}};
  // An octahedron away from the origin.
  if (withQhull) {
    all.push_back({std::make_shared<const ConvexHull>(std::vector<Vector3>{
        {0.4, 0., 0.}, {-0.2, 0., 0.}, {0.1, 0.3, 0.}, {0.1, -0.3, 0.}, {0.1, 0., 0.3}, {0.1, 0., -0.3}})});
  }
  return all;
}

// n · x of the farthest point x of the shape less that of a point: its largest value over n is the distance.
double over(const ConvexShape& shape, const Vector3& n, const Vector3& point) {
  return dot(n, point) - dot(n, shape.support(n));
}

// Points of a picture's polygons, which are inside round shapes.
std::vector<Vector3> samples(const ConvexShape& shape) {
  const Surface surface = shape.surface(24);
  std::vector<Vector3> all = surface.points;
  const int steps = surface.polygons.size() < 10 ? 16 : 2;
  for (const Surface::Polygon& polygon : surface.polygons) {
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
      const Vector3& a = surface.points[polygon[0]];
      const Vector3 b = surface.points[polygon[k]] - a, c = surface.points[polygon[k + 1]] - a;
      for (int i = 0; i <= steps; ++i) {
        for (int j = 0; i + j <= steps; ++j) all.push_back(a + 1. / steps * (i * b + j * c));
      }
    }
  }
  return all;
}

TEST(ShapeSupport, IsTheFarthestPointAndBoundsTouchIt) {
  std::mt19937 random(13);
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    const std::vector<Vector3> points = samples(shape);
    for (int k = 0; k < 50; ++k) {
      const Vector3 d = randomUnit(random);
      for (const Vector3& point : points) EXPECT_LE(over(shape, d, point), rounding);
      EXPECT_NEAR(shape.foot(shape.support(d)).distance, 0., rounding);
    }
    for (int k = 0; k < 20; ++k) {
      const Placement at = randomPlacement(random);
      const Bounds bounds = shape.bounds(at);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vector3 d{};
        d[axis] = 1.;
        const Vector3 local = multiplyTransposed(at.rotation, d);
        EXPECT_NEAR(bounds.upper[axis], at.place(shape.support(local))[axis], rounding);
        EXPECT_NEAR(bounds.lower[axis], at.place(shape.support(-local))[axis], rounding);
      }
    }
  }
}

// 1 - cos² of a small angle has no digits left: a radius times the sine must come from elsewhere.
TEST(ShapeSupport, BoundsHoldAShapeThatIsTiltedALittle) {
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    for (double tilt = 1e-10; tilt < 1e-2; tilt *= 3.) {
      const Placement at = Placement::at({}, rotations::exponential({tilt, 0., 0.}));
      const Vector3 local = multiplyTransposed(at.rotation, Vector3{0., 0., 1.});
      EXPECT_NEAR(shape.bounds(at).upper[2], at.place(shape.support(local))[2], rounding) << "tilt " << tilt;
    }
  }
}

TEST(ShapeSupport, IsFiniteInDirectionsAlmostAlongAnAxis) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.shape->className());
    for (const double little : {0., 1e-17, 1e-160, 1e-310}) {
      const Vector3 d{little, 0., 1.};
      EXPECT_TRUE(isFinite(each.shape->support(d))) << little;
      EXPECT_NEAR(each.shape->support(d)[2], each.shape->support({0., 0., 1.})[2], rounding);
    }
  }
}

// The distance is the largest over directions of the height over the plane there, inside and outside: so the foot's
// normal makes the most of it. And no sample is nearer.
void expectFoot(const ConvexShape& shape, const Vector3& point, const std::vector<Vector3>& points,
                std::mt19937& random) {
  const SurfaceFoot foot = shape.foot(point);
  ASSERT_TRUE(isFinite(foot.point) && isFinite(foot.normal)) << point;
  EXPECT_NEAR(norm(foot.normal), 1., rounding) << point;
  EXPECT_NEAR(norm(foot.point + foot.distance * foot.normal - point), 0., rounding) << point;
  EXPECT_NEAR(over(shape, foot.normal, point), foot.distance, rounding) << point;
  EXPECT_NEAR(over(shape, foot.normal, foot.point), 0., rounding) << point;
  for (int k = 0; k < 30; ++k) {
    const Vector3 n = randomUnit(random);
    EXPECT_LE(over(shape, n, point), foot.distance + rounding) << point;
    EXPECT_LE(over(shape, n, foot.point), rounding) << point;
  }
  if (foot.distance <= 0.) return;
  double nearest = infinity;
  for (const Vector3& other : points) nearest = std::min(nearest, norm(point - other));
  EXPECT_GE(nearest, foot.distance - rounding) << point;
}

TEST(ShapeFoot, IsTheNearestPointOrTheShortestWayOut) {
  std::mt19937 random(14);
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    const std::vector<Vector3> points = samples(shape);
    for (int k = 0; k < 150; ++k) expectFoot(shape, randomVector(random, 0.5), points, random);
    for (const Vector3& point : {Vector3{}, Vector3{0., 0., 0.1}, Vector3{0., 0., -0.1}, Vector3{0., 0., 2.}}) {
      expectFoot(shape, point, points, random);
    }
  }
}

TEST(ShapeFoot, OfAPointOnTheSurfaceHasAnOutwardNormal) {
  std::mt19937 random(15);
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    for (int k = 0; k < 100; ++k) expectFoot(shape, shape.foot(randomVector(random, 0.5)).point, {}, random);
    for (int k = 0; k < 20; ++k) expectFoot(shape, shape.support(randomUnit(random)), {}, random);
    for (const RoundEdge& edge : shape.edges()) {
      if (edge.rounding > 0.) continue;
      for (const double t : {-1., -0.37, 0., 0.41, 1.}) {
        expectFoot(shape, edge.middle + t * edge.half * edge.direction, {}, random);
      }
    }
  }
}

// Outlines go round their normals on their planes; a sharp edge is on two faces.
TEST(ShapeFaces, AreOutwardsAndAnticlockwiseAndEdgesAreOnTheSurface) {
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    for (const Face& face : shape.faces()) {
      EXPECT_NEAR(norm(face.normal), 1., rounding);
      EXPECT_NEAR(over(shape, face.normal, face.offset * face.normal), 0., rounding);
      EXPECT_GT(face.offset, dot(face.normal, shape.centre()));
      const std::size_t n = face.outline.size();
      for (std::size_t k = 0; k < n; ++k) {
        const Vector3 a = face.outline[k].centre, b = face.outline[(k + 1) % n].centre;
        EXPECT_TRUE(face.outline[k].isSharp());
        EXPECT_NEAR(dot(face.normal, a), face.offset, rounding);
        EXPECT_GT(dot(face.normal, cross(b - a, face.outline[(k + 2) % n].centre - b)), 0.);
      }
    }
    for (const RoundEdge& edge : shape.edges()) {
      if (edge.rounding > 0.) continue;
      const auto holds = [&](const Face& face) {
        return std::abs(dot(face.normal, edge.middle) - face.offset) < rounding &&
               std::abs(dot(face.normal, edge.direction)) < rounding;
      };
      EXPECT_EQ(std::ranges::count_if(shape.faces(), holds), 2);
      for (const double end : {-1., 1.})
        EXPECT_NEAR(shape.foot(edge.middle + end * edge.half * edge.direction).distance, 0., rounding);
    }
    for (const RoundCorner& corner : shape.corners())
      EXPECT_NEAR(shape.foot(corner.centre).distance, -corner.ball, rounding);
    for (const RoundCorner& rim : shape.rims())
      EXPECT_NEAR(shape.foot(rim.towards({0.6, 0.8, 0.})).distance, 0., rounding);
  }
}

TEST(ShapeFaces, FeaturesReachAsFarAsTheSupport) {
  std::mt19937 random(16);
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    for (int k = 0; k < 200; ++k) {
      const Vector3 d = k < 100 ? randomUnit(random) : Vector3{0., 0., k % 2 == 0 ? 1. : -1.};
      const Feature feature = shape.feature(d);
      double farthest = -infinity;
      for (const RoundCorner& corner : feature.corners) farthest = std::max(farthest, dot(d, corner.towards(d)));
      // Within three degrees of the axis the 8 corners of an end miss the rim by r sin 3° (1 - cos(pi/8)).
      EXPECT_NEAR(farthest, dot(d, shape.support(d)), feature.rim != nullptr ? 0.2 * 0.0524 * 0.0762 : rounding);
      EXPECT_LE(farthest, dot(d, shape.support(d)) + rounding);
    }
  }
}

// Each side of a polygon is that of another one the other way round, and the normal of none points inwards.
TEST(ShapeFaces, SurfacesAreClosedAndLookOutwards) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.shape->className());
    const Surface surface = each.shape->surface(12);
    EXPECT_EQ(surface.patches.size(), surface.polygons.size());
    std::map<std::pair<std::size_t, std::size_t>, int> sides;
    for (const Surface::Polygon& polygon : surface.polygons) {
      const std::size_t n = polygon.size();
      for (std::size_t k = 0; k < n; ++k) ++sides[{polygon[k], polygon[(k + 1) % n]}];
      const Vector3 &a = surface.points[polygon[0]], &b = surface.points[polygon[1]], &c = surface.points[polygon[2]];
      EXPECT_GT(dot(a - each.shape->centre(), cross(b - a, c - a)), 0.);
    }
    for (const auto& [side, count] : sides) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(sides.contains({side.second, side.first}));
    }
    for (const Vector3& point : surface.points) EXPECT_NEAR(each.shape->foot(point).distance, 0., rounding);
  }
}

// Of a turn about ω the surface point x moves along its normal n by ω · (x × n).
TEST(ShapeFaces, SpinRadiusBoundsTheSpeedAlongTheNormal) {
  std::mt19937 random(17);
  for (const Case& each : cases()) {
    const auto turned = CompoundShape().with(each.shape, Placement::at({0.3, -0.2, 0.1}));
    for (int k = 0; k < 300; ++k) {
      const Vector3 n = randomUnit(random), x = each.shape->support(n);
      EXPECT_LE(norm(cross(x, n)), each.shape->spinRadius() + rounding) << each.shape->className();
      EXPECT_LE(norm(cross(x + Vector3{0.3, -0.2, 0.1}, n)), turned.spinRadius() + rounding) << each.shape->className();
    }
  }
}

}  // namespace
}  // namespace delassus
