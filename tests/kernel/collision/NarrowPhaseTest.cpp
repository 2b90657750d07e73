// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/NarrowPhase.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

using testing::randomRotation;
using testing::randomVector;

constexpr double rounding = 1e-14;  // of coordinates of order one

Placement at(const Vector3& x, const Quaternion& p = {1., 0., 0., 0.}) {
  return {x, rotations::rotationMatrix(p)};
}

Quaternion turnAbout(const Vector3& axis, double angle) {
  return rotations::exponential(angle / norm(axis) * axis);
}

Manifold find(const Shape& first, const Placement& firstPlace, const Shape& second, const Placement& secondPlace,
              double range = 0.1) {
  Manifold manifold;
  findManifold(first, firstPlace, second, secondPlace, range, manifold);
  return manifold;
}

Manifold find(const Shape& first, const Placement& firstPlace, const Plane& plane, const Placement& at,
              double range = 0.1) {
  return find(first, firstPlace, HalfSpace(plane), at, range);
}

void expectNear(const Vector3& a, const Vector3& b, double tolerance = rounding) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "coordinate " << k;
}

// That of the manifold, unless a corner of the face that it is taken from is above the face opposite.
Vector3 normalAt(const Manifold& manifold, const Manifold::Point& point) {
  if (point.normalOf == Manifold::NormalOf::edges || point.share == 0.5) return manifold.normal;
  return point.share == 1. ? manifold.secondPart : manifold.firstPart;
}

void expectConsistent(const Manifold& manifold) {
  EXPECT_NEAR(norm(manifold.normal), 1., rounding);
  for (std::size_t k = 0; k < manifold.count; ++k) {
    const Manifold::Point& point = manifold.points[k];
    expectNear(point.onFirst, point.onSecond + point.gap * normalAt(manifold, point));
  }
}

TEST(Shapes, RefuseBadSizes) {
  EXPECT_THROW(SphereShape(0.), Error);
  EXPECT_THROW(SphereShape(std::nan("")), Error);
  EXPECT_THROW(BoxShape(1., -1., 1.), Error);
  EXPECT_THROW(BoxShape(1., 1., std::numeric_limits<double>::infinity()), Error);
}

TEST(Shapes, BoundsHoldATurnedBox) {
  const Bounds bounds = BoxShape(2., 2., 4.).bounds(at({1., 0., 0.}, turnAbout({0., 0., 1.}, std::acos(-1.) / 4.)));
  expectNear(bounds.lower, {1. - std::sqrt(2.), -std::sqrt(2.), -2.});
  expectNear(bounds.upper, {1. + std::sqrt(2.), std::sqrt(2.), 2.});
}

TEST(NarrowPhase, SpheresAndPlanesHaveTheirExactGaps) {
  const Manifold spheres = find(SphereShape(1.), at({0., 0., 3.05}), SphereShape(2.), at({0., 0., 0.}));
  ASSERT_EQ(spheres.count, 1u);
  EXPECT_NEAR(spheres.gap(), 0.05, rounding);
  expectNear(spheres.normal, {0., 0., 1.});
  expectNear(spheres.points[0].onSecond, {0., 0., 2.});
  EXPECT_EQ(find(SphereShape(1.), at({0., 0., 3.2}), SphereShape(2.), at({0., 0., 0.})).count, 0u);

  const Manifold plane = find(SphereShape(1.), at({5., 0., 0.9}), Plane{}, at({}));
  ASSERT_EQ(plane.count, 1u);
  EXPECT_NEAR(plane.gap(), -0.1, rounding);
  expectNear(plane.points[0].onSecond, {5., 0., 0.});
}

TEST(NarrowPhase, ASphereMeetsAFaceAnEdgeAndACornerOfABox) {
  const BoxShape box(2., 2., 2.);
  const SphereShape ball(0.5);
  expectNear(find(ball, at({0.3, -0.2, 1.52}), box, at({})).points[0].onSecond, {0.3, -0.2, 1.});
  const Manifold edge = find(ball, at({1.3, 0.4, 1.4}), box, at({}));
  expectNear(edge.normal, {0.6, 0., 0.8});
  EXPECT_NEAR(edge.gap(), 0., rounding);
  const Manifold corner = find(ball, at({1.4, 1.4, 1.4}), box, at({}), 1.);
  EXPECT_NEAR(corner.gap(), 0.4 * std::sqrt(3.) - 0.5, rounding);
  expectNear(corner.points[0].onSecond, {1., 1., 1.});
  expectConsistent(corner);
}

TEST(NarrowPhase, ASphereWithItsCentreInABoxIsPushedOutOfTheNearestFace) {
  const Manifold inside = find(SphereShape(0.5), at({0.1, -0.8, 0.2}), BoxShape(2., 2., 2.), at({}));
  expectNear(inside.normal, {0., -1., 0.});
  EXPECT_NEAR(inside.gap(), -0.7, rounding);
  const Manifold exchanged = find(BoxShape(2., 2., 2.), at({}), SphereShape(0.5), at({0.1, -0.8, 0.2}));
  expectNear(exchanged.normal, {0., 1., 0.});
  EXPECT_NEAR(exchanged.gap(), -0.7, rounding);
  expectNear(exchanged.points[0].onFirst, inside.points[0].onSecond);
  expectConsistent(exchanged);
}

TEST(NarrowPhase, ABoxOnAPlaneTouchesWithItsFourLowestCorners) {
  const Manifold flat = find(BoxShape(2., 1., 0.4), at({0., 0., 0.25}), Plane{}, at({}));
  ASSERT_EQ(flat.count, 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(flat.points[k].gap, 0.05, rounding);
  const Manifold onEdge = find(
      BoxShape(2., 2., 2.), at({0., 0., std::sqrt(2.)}, turnAbout({0., 1., 0.}, std::acos(-1.) / 4.)), Plane{}, at({}));
  ASSERT_EQ(onEdge.count, 2u);
  EXPECT_NEAR(onEdge.gap(), 0., rounding);
  expectConsistent(onEdge);
}

TEST(NarrowPhase, FacesOfBoxesMeetInTheOutlineThatTheyShare) {
  const Manifold faces = find(BoxShape(2., 2., 1.), at({1., 0., 1.02}), BoxShape(2., 2., 1.), at({}));
  ASSERT_EQ(faces.count, 4u);
  expectNear(faces.normal, {0., 0., 1.});
  std::vector<std::pair<double, double>> corners;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(faces.points[k].gap, 0.02, rounding);
    EXPECT_NEAR(faces.points[k].onSecond[2], 0.5, rounding);
    corners.push_back({faces.points[k].onSecond[0], faces.points[k].onSecond[1]});
  }
  std::sort(corners.begin(), corners.end());
  EXPECT_NEAR(corners[0].first, 0., rounding);
  EXPECT_NEAR(corners[0].second, -1., rounding);
  EXPECT_NEAR(corners[3].first, 1., rounding);
  EXPECT_NEAR(corners[3].second, 1., rounding);
  expectConsistent(faces);
}

TEST(NarrowPhase, APenetrationHasANegativeGap) {
  const Manifold faces = find(BoxShape(2., 2., 1.), at({0.5, 0.3, 0.97}), BoxShape(3., 3., 1.), at({}));
  ASSERT_EQ(faces.count, 4u);
  EXPECT_NEAR(faces.gap(), -0.03, rounding);
  expectNear(faces.normal, {0., 0., 1.});
}

TEST(NarrowPhase, ATurnedBoxKeepsFourOfEightCorners) {
  const Manifold faces = find(BoxShape(2., 2., 1.), at({0., 0., 1.01}, turnAbout({0., 0., 1.}, std::acos(-1.) / 4.)),
                              BoxShape(2., 2., 1.), at({}));
  ASSERT_EQ(faces.count, 4u);
  double area = 0.;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3& a = faces.points[k].onSecond;
    const Vector3& b = faces.points[(k + 1) % 4].onSecond;
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    EXPECT_NEAR(faces.points[k].gap, 0.01, rounding);
  }
  // Of the regular octagon with inradius 1, area 8 (sqrt 2 - 1) = 3.3; the largest rectangle in it has 2.34, the best
  // four-sided figure no more.
  EXPECT_GT(std::abs(area), 2.);
}

TEST(NarrowPhase, ACornerMeetsAFace) {
  const double root = std::sqrt(3.);
  // A cube of edge 2 on its corner: a diagonal upright.
  const Quaternion onCorner = turnAbout({1., -1., 0.}, std::acos(1. / root));
  const Manifold corner =
      find(BoxShape(2., 2., 2.), at({0.2, 0.1, root + 0.5 + 0.03}, onCorner), BoxShape(4., 4., 1.), at({}));
  ASSERT_EQ(corner.count, 1u);
  EXPECT_NEAR(corner.gap(), 0.03, rounding);
  expectNear(corner.normal, {0., 0., 1.});
  expectNear(corner.points[0].onSecond, {0.2, 0.1, 0.5});
  const Manifold exchanged =
      find(BoxShape(4., 4., 1.), at({}), BoxShape(2., 2., 2.), at({0.2, 0.1, root + 0.5 - 0.03}, onCorner));
  ASSERT_GE(exchanged.count, 1u);
  EXPECT_NEAR(exchanged.gap(), -0.03, rounding);
  expectNear(exchanged.normal, {0., 0., -1.});
}

TEST(NarrowPhase, CrossedEdgesMeetInOnePoint) {
  // Two square bars, each with an edge towards the other, at right angles.
  const double root = std::sqrt(2.);
  const Placement upper = at({0., 0.3, 2. * root - 0.02}, turnAbout({1., 0., 0.}, std::acos(-1.) / 4.));
  const Placement lower = at({0.2, 0., 0.}, turnAbout({0., 1., 0.}, std::acos(-1.) / 4.));
  const Manifold edges = find(BoxShape(8., 2., 2.), upper, BoxShape(2., 8., 2.), lower);
  ASSERT_EQ(edges.count, 1u);
  EXPECT_NEAR(edges.gap(), -0.02, rounding);
  expectNear(edges.normal, {0., 0., 1.});
  expectNear(edges.points[0].onSecond, {0.2, 0.3, root});
  expectNear(edges.points[0].onFirst, {0.2, 0.3, root - 0.02});
}

const BoxShape card(0.005, 0.1, 0.1);

// A card whose upper edge on the side of +x, or of −x, is the y axis, its top leaning there by this angle.
Placement leaningTo(double side, double angle) {
  const Quaternion p = turnAbout({0., 1., 0.}, side * angle);
  return at(-rotations::rotate(p, {side * 0.0025, 0., 0.05}), p);
}

TEST(NarrowPhase, ParallelEdgesMeetHalfwayBetweenTheirFaces) {
  for (const double left : {0.1, 0.4, 0.7, 0.9}) {
    for (const double right : {0.3, 0.7}) {
      const Manifold edges = find(card, leaningTo(1., left), card, leaningTo(-1., right), 1e-3);
      ASSERT_EQ(edges.count, 2u) << left << ' ' << right;
      const double middle = 0.5 * (left - right);  // between the faces towards each other
      // Rounding of coordinates of 0.1, over the width of the edges of 2.5e-5.
      expectNear(edges.normal, {-std::cos(middle), 0., std::sin(middle)}, 1e-11);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(edges.points[k].gap, 0., rounding);
        EXPECT_NEAR(std::abs(edges.points[k].onFirst[1]), 0.05, rounding);
      }
    }
  }
}

// A board of 2 m lies tilted over the rim of a shelf, and hangs beside it: what is nearest is where its long edge
// crosses the rim, and its other long edge comes down on the rim next, along a normal that is across both edges.
TEST(NarrowPhase, FacesBehindEdgesThatCrossHaveTheirOtherCrossings) {
  const BoxShape board(2., 0.2, 0.02), shelf(1., 0.4, 0.02);
  const Matrix3 R = rotations::rotationMatrix(rotations::exponential({0.06, 0.09, 0.}));
  const Vector3 x{0., 0., 0.07};
  const Manifold near = find(board, {x, R}, shelf, at({}), 0.008), manifold = find(board, {x, R}, shelf, at({}), 0.03);
  EXPECT_EQ(near.count, 1u);
  ASSERT_EQ(manifold.count, 2u);
  expectConsistent(manifold);
  const Vector3 along = column(R, 0), rim{0., 1., 0.}, across = cross(along, rim);
  expectNear(manifold.normal, 1. / norm(across) * across);
  EXPECT_EQ(manifold.points[0].normalOf, Manifold::NormalOf::edges);
  for (const std::size_t k : {0u, 1u}) {
    const Manifold::Point& point = manifold.points[k];
    // The lower long edges at y = ∓0.1 of the board, and the upper rim at x = 0.5.
    const Vector3 inBoard = multiplyTransposed(R, point.onFirst - x);
    EXPECT_NEAR(inBoard[1], k == 0 ? -0.1 : 0.1, rounding);
    EXPECT_NEAR(inBoard[2], -0.01, rounding);
    EXPECT_NEAR(point.onSecond[0], 0.5, rounding);
    EXPECT_NEAR(point.onSecond[2], 0.01, rounding);
    const Vector3 middle = x + multiply(R, Vector3{0., k == 0 ? -0.1 : 0.1, -0.01});
    EXPECT_NEAR(point.gap, dot(manifold.normal, middle - Vector3{0.5, 0., 0.01}), rounding);
  }
  EXPECT_LT(manifold.points[0].gap, manifold.points[1].gap);
}

// The same board, shorter, so that an end of it is above the shelf: this comes nearest after the edges that cross.
TEST(NarrowPhase, CornersAboveTheFaceBehindEdgesThatCrossArePoints) {
  const BoxShape board(0.9, 0.2, 0.02), shelf(1., 0.4, 0.02);
  const Matrix3 R = rotations::rotationMatrix(rotations::exponential({0.06, 0.03, 0.2}));
  const Manifold manifold = find(board, {{0.4, 0.15, 0.03}, R}, shelf, at({}), 0.05);
  ASSERT_GT(manifold.count, 1u);
  expectConsistent(manifold);
  std::size_t corners = 0;
  for (std::size_t k = 0; k < manifold.count; ++k) {
    const Vector3 inBoard = multiplyTransposed(R, manifold.points[k].onFirst - Vector3{0.4, 0.15, 0.03});
    const bool isCorner = std::abs(std::abs(inBoard[0]) - 0.45) < rounding;
    EXPECT_NEAR(inBoard[2], -0.01, rounding);
    EXPECT_NEAR(manifold.points[k].onSecond[2], 0.01, rounding);
    corners += isCorner ? 1 : 0;
  }
  EXPECT_GT(corners, 0u);
}

// One card moves up along the other, from where its edge lies on the other's face to where the other's edge lies on it.
TEST(NarrowPhase, TheNormalOfParallelEdgesTurnsFromFaceToFace) {
  Vector3 before{};
  for (int k = -50; k <= 50; ++k) {
    Placement right = leaningTo(-1., 0.7);
    right.position[2] += 2e-6 * k;
    const Manifold found = find(card, leaningTo(1., 0.7), card, right, 1e-3);
    ASSERT_GE(found.count, 2u) << k;
    if (k == -50) {
      expectNear(found.normal, {-std::cos(0.7), 0., std::sin(0.7)});
    } else if (k == 50) {
      expectNear(found.normal, {-std::cos(0.7), 0., -std::sin(0.7)});
    }
    // It turns by 1.4 rad over 50 micrometres divided by cos 0.7, at most a half faster where its parts are equal.
    if (k > -50) {
      EXPECT_LT(norm(found.normal - before), 0.15) << k;
    }
    before = found.normal;
  }
}

// Boxes in any place: moved apart along the normal by the gap, they touch.
TEST(NarrowPhase, MovingBoxesApartByTheGapMakesThemTouch) {
  std::mt19937 random(3);
  constexpr double tie = 0.3e-3;  // near ties between axes are worth a thousandth of half an edge
  int tested = 0;
  int exact = 0;
  for (int k = 0; k < 2000; ++k) {
    const BoxShape a(1. + 0.5 * randomVector(random, 1.)[0], 1., 0.8), b(1., 0.6, 1.2);
    const Placement placeB = at({}, randomRotation(random));
    Placement placeA = at(randomVector(random, 0.8), randomRotation(random));
    const Manifold before = find(a, placeA, b, placeB, 0.2);
    if (before.count == 0) continue;
    ++tested;
    expectConsistent(before);
    placeA.position = placeA.position + (0.02 - before.gap()) * before.normal;
    const double after = find(a, placeA, b, placeB, 2.).gap();
    // More where the lowest corner lies outside the outline of the face below, and only those inside count.
    EXPECT_GE(after, 0.02 - 2. * tie) << "case " << k;
    exact += std::abs(after - 0.02) < 2. * tie ? 1 : 0;
    placeA.position += 0.1 * before.normal;
    EXPECT_EQ(find(a, placeA, b, placeB, 0.11).count, 0u) << "case " << k;
  }
  EXPECT_GT(tested, 500);
  EXPECT_GT(exact, 0.98 * tested);
}

TEST(NarrowPhase, ExchangingTwoBoxesTurnsTheNormalRound) {
  std::mt19937 random(4);
  for (int k = 0; k < 500; ++k) {
    const BoxShape a(1., 1.2, 0.8), b(1., 0.6, 1.2);
    const Placement placeA = at(randomVector(random, 0.8), randomRotation(random));
    const Placement placeB = at({}, randomRotation(random));
    const Manifold forth = find(a, placeA, b, placeB, 0.2);
    const Manifold back = find(b, placeB, a, placeA, 0.2);
    if (forth.count == 0 || back.count == 0) continue;
    EXPECT_NEAR(forth.gap(), back.gap(), 0.6e-3);
  }
}

}  // namespace
}  // namespace delassus
