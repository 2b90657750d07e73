// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexHull.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/kernel/shapes/ConvexShapes.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <map>
#include <numbers>
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

Points prism(int sides) {
  Points points;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2. * std::numbers::pi * k / sides;
    for (const double z : {-1., 1.}) points.push_back({std::cos(angle), std::sin(angle), z});
  }
  return points;
}

// Of the tetrahedra from the centre to the edges of all corners, which a mesh of the surface has.
double volumeOf(const ConvexHull& hull) {
  const Surface surface = hull.surface(0);
  double volume = 0.;
  for (const Surface::Polygon& polygon : surface.polygons) {
    const auto arm = [&](std::size_t k) { return surface.points[polygon[k]] - hull.centre(); };
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) volume += dot(arm(0), cross(arm(k), arm(k + 1))) / 6.;
  }
  return volume;
}

using HullOfPoints = test::HullFixture;

TEST_F(HullOfPoints, OfACubeHasSixFacesWithPointsInsideTwiceAndOnFacesAndEdges) {
  std::mt19937 random(21);
  Points points = boxCorners({1., 1., 1.});
  for (int k = 0; k < 60; ++k) {
    Vector3 point = randomVector(random, 1.);
    if (k % 3 > 0) point[0] = 1.;
    if (k % 3 > 1) point[2] = -1.;
    points.push_back(point);
    points.push_back(points[random() % points.size()]);
  }
  for (int round = 0; round < 30; ++round) {
    std::shuffle(points.begin(), points.end(), random);
    const ConvexHull cube(points);
    ASSERT_EQ(cube.corners().size(), 8u);
    ASSERT_EQ(cube.faces().size(), 6u);
    ASSERT_EQ(cube.edges().size(), 12u);
    EXPECT_EQ(cube.directions().size(), 3u);
    EXPECT_NEAR(cube.size(), 1., 1e-15);
    EXPECT_NEAR(cube.spinRadius(), std::sqrt(3.), 1e-15);
    // Faces are exact to rounding: corners are whole numbers.
    for (const Face& face : cube.faces()) EXPECT_NEAR(face.offset, 1., 1e-15);
  }
}

// ∫ x² = a³bc/60 and ∫ xy = a²b²c/120 over the tetrahedron of the axes up to a, b, c.
TEST_F(HullOfPoints, OfATetrahedronHasTheMassOfItsClosedForm) {
  const Vector3 to{0.3, 0.5, 0.7};
  const ConvexHull hull(Points{{}, {to[0], 0., 0.}, {0., to[1], 0.}, {0., 0., to[2]}});
  const MassProperties found = hull.massProperties(4.);
  const double mass = 4. * to[0] * to[1] * to[2] / 6.;
  EXPECT_NEAR(found.mass, mass, 1e-16);
  EXPECT_NEAR(norm(found.centre - 0.25 * to), 0., 1e-15);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double product = mass * to[i] * to[j] * (1. / (i == j ? 10. : 20.) - 1. / 16.);
      const double trace = mass * dot(to, to) * (1. / 10. - 1. / 16.);
      EXPECT_NEAR(found.inertia[i + 3 * j], (i == j ? trace : 0.) - product, 1e-16);
    }
  }
}

TEST_F(HullOfPoints, AtRandomIsClosedAndHoldsThem) {
  std::mt19937 random(22);
  for (std::size_t count = 4; count < 100; ++count) {
    SCOPED_TRACE(count);
    const Points points = randomPoints(random, count, 0.5);
    const ConvexHull hull(points);
    EXPECT_TRUE(isClosed(hull));
    EXPECT_LE(worstOutside(hull, points), 1e-15);
    const double volume = volumeOf(hull);
    EXPECT_NEAR(hull.massProperties(1.).mass, volume, 1e-15);
    for (const RoundEdge& edge : hull.edges()) {
      EXPECT_NEAR(norm(edge.direction), 1., 1e-15);
      EXPECT_NEAR(hull.foot(edge.middle).distance, 0., 1e-15);
    }
  }
}

// Far away and scaled by powers of ten a hull has the faces it had; errors are those of the coordinates.
TEST_F(HullOfPoints, KeepsItsFacesFarAwayAndScaled) {
  std::mt19937 random(23);
  for (int round = 0; round < 20; ++round) {
    const Points points = randomPoints(random, 30, 1.);
    const ConvexHull hull(points);
    for (const double scale : {1e-6, 1e6}) {
      Points scaled;
      for (const Vector3& point : points) scaled.push_back(scale * point);
      const ConvexHull other(scaled);
      EXPECT_EQ(other.faces().size(), hull.faces().size());
      const double volume = hull.massProperties(1.).mass * scale * scale * scale;
      EXPECT_NEAR(other.massProperties(1.).mass, volume, 1e-13 * volume);
    }
    const Vector3 away{1e6, -1e6, 1e6};
    Points moved;
    for (const Vector3& point : points) moved.push_back(away + point);
    const ConvexHull far(moved);
    // Coordinates of 1e6 are rounded to 1e-10.
    EXPECT_TRUE(isClosed(far));
    EXPECT_LE(worstOutside(far, moved), 2e-9);
    EXPECT_NEAR(far.massProperties(1.).mass, hull.massProperties(1.).mass, 1e-7);
    EXPECT_NEAR(norm(far.centre() - away - hull.centre()), 0., 1e-8);
  }
}

TEST_F(HullOfPoints, OfNeedlesAndPlatesHasTheirVolume) {
  for (const Vector3& half : {Vector3{1e-3, 1e-3, 1.}, Vector3{1., 1., 1e-3}, Vector3{1e-3, 1., 1.}}) {
    const ConvexHull hull(boxCorners(half));
    EXPECT_EQ(hull.faces().size(), 6u);
    EXPECT_TRUE(isClosed(hull));
    EXPECT_NEAR(hull.massProperties(1.).mass, 8. * half[0] * half[1] * half[2], 1e-16);
    EXPECT_NEAR(hull.size(), 1e-3, 1e-16);
  }
}

// A lid of points that are off its plane by less or more than rounding: the hull stays closed and holds them.
TEST_F(HullOfPoints, WithNearlyCoplanarPointsIsClosed) {
  std::mt19937 random(24);
  for (const double off : {1e-17, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3}) {
    for (int round = 0; round < 20; ++round) {
      Points points = boxCorners({1., 1., 1.});
      for (int k = 0; k < 30; ++k) {
        Vector3 point = randomVector(random, 0.9);
        point[2] = 1. + off * point[2];
        points.push_back(point);
      }
      const ConvexHull hull(points);
      EXPECT_TRUE(isClosed(hull)) << "off by " << off;
      // Qhull joins facets whose points are off by some 1e-14, so that points of them may be outside.
      EXPECT_LE(worstOutside(hull, points), 1e-13) << "off by " << off;
      EXPECT_NEAR(hull.massProperties(1.).mass, 8., 4. * off + 1e-13);
    }
  }
}

TEST_F(HullOfPoints, OfAPrismOf64SidesMeetsOthersAsAPolygonInsideOfIt) {
  const ConvexHull hull(prism(64));
  ASSERT_EQ(hull.faces().size(), 66u);
  EXPECT_EQ(hull.edges().size(), 192u);
  EXPECT_TRUE(isClosed(hull));
  const double area = 32. * std::sin(2. * std::numbers::pi / 64.);
  EXPECT_NEAR(hull.massProperties(1.).mass, 2. * area, 1e-13);
  for (const Face& face : hull.faces()) {
    EXPECT_EQ(face.outline.size(), std::abs(face.normal[2]) > 0.5 ? ConvexHull::mostCorners : 4u);
    for (const RoundCorner& corner : face.outline) EXPECT_NEAR(dot(face.normal, corner.centre), face.offset, 1e-14);
  }
}

// A point over the face near a corner that is not of the outline is nearest to the face, not to an edge.
TEST_F(HullOfPoints, FeetOnARoundFaceReachItsBoundary) {
  const ConvexHull hull(prism(64));
  for (int k = 0; k < 64; ++k) {
    const double angle = 2. * std::numbers::pi * k / 64.;
    for (const double height : {1e-6, 1e-4, 1e-2}) {
      const Vector3 point{0.998 * std::cos(angle), 0.998 * std::sin(angle), 1. + height};
      EXPECT_NEAR(hull.foot(point).distance, height, 1e-14) << "corner " << k;
      EXPECT_NEAR(hull.foot(point).normal[2], 1., 1e-14) << "corner " << k;
    }
  }
}

std::vector<double> sortedCorners(const ConvexShape& shape) {
  std::vector<std::array<double, 3>> corners;
  for (const RoundCorner& corner : shape.corners()) corners.push_back(corner.centre);
  std::sort(corners.begin(), corners.end());
  std::vector<double> all;
  for (const std::array<double, 3>& corner : corners) all.insert(all.end(), corner.begin(), corner.end());
  return all;
}

TEST_F(HullOfPoints, IsMadeAgainFromItsParameters) {
  std::mt19937 random(25);
  for (int round = 0; round < 50; ++round) {
    const ConvexHull hull(randomPoints(random, 40, 1.));
    const auto again = makeConvexShape("ConvexHull", hull.parameters());
    EXPECT_EQ(again->faces().size(), hull.faces().size());
    EXPECT_EQ(again->edges().size(), hull.edges().size());
    EXPECT_EQ(sortedCorners(*again), sortedCorners(hull));
  }
  for (const std::size_t wrong : {1u, 2u, 11u, 13u}) {
    EXPECT_THROW(makeConvexShape("ConvexHull", std::vector<double>(wrong, 1.)), Error);
  }
}

// "The same shape" in its own numbering too: a restart then goes on bit for bit.
TEST_F(HullOfPoints, IsMadeAgainWithCornersInTheSameOrder) {
  std::mt19937 random(25);
  for (int round = 0; round < 50; ++round) {
    const ConvexHull hull(randomPoints(random, 40, 1.));
    EXPECT_EQ(makeConvexShape("ConvexHull", hull.parameters())->parameters(), hull.parameters()) << "round " << round;
  }
}

// A point on an edge is outside by rounding, or inside: its normal is that of the surface there anyhow.
TEST_F(HullOfPoints, FeetOfPointsOnEdgesHaveOutwardNormals) {
  std::mt19937 random(29);
  for (int round = 0; round < 20; ++round) {
    const ConvexHull hull(randomPoints(random, 12, 1.));
    for (const RoundEdge& edge : hull.edges()) {
      for (const double t : {-1., -0.5, 0., 0.3, 1.}) {
        const Vector3 point = edge.middle + t * edge.half * edge.direction;
        const SurfaceFoot foot = hull.foot(point);
        ASSERT_TRUE(isFinite(foot.normal)) << "round " << round << ", t = " << t;
        EXPECT_NEAR(norm(foot.normal), 1., 1e-14);
        EXPECT_NEAR(foot.distance, 0., 1e-15);
        // The point is the farthest along the normal of a supporting plane.
        ASSERT_NEAR(dot(foot.normal, point), dot(foot.normal, hull.support(foot.normal)), 1e-12) << "t = " << t;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
