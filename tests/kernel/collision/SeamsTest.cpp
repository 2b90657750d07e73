// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Seams.hpp>

#include <gtest/gtest.h>

#include <delassus/kernel/collision/NarrowPhase.hpp>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

constexpr double tolerance = 1e-4, joint = 1e-2;
constexpr seams::Sides upperX = 1u << 1, lowerX = 1u << 0, upperY = 1u << 3;

Placement at(const Vector3& x, const Vector3& turn = {}) {
  return {x, rotations::rotationMatrix(rotations::exponential(turn))};
}

// Of a tile with its top at z = 0, below a point of the top.
seams::Sides continuedBy(const Shape& other, const Placement& place, const Vector3& onTop = {0.4, 0.4, 0.}) {
  const SurfaceFoot foot{onTop + Vector3{0., 0., 0.1}, {0., 0., 1.}, 0.};
  return seams::continuedSides(Vector3{0.5, 0.5, 0.1}, at({0., 0., -0.1}), foot, other, place, tolerance, joint);
}

TEST(Seams, ATileGoesOnInAFlushNeighbour) {
  const BoxShape tile(1., 1., 0.2);
  EXPECT_EQ(continuedBy(tile, at({1., 0., -0.1})), upperX);
  EXPECT_EQ(continuedBy(tile, at({-1., 0., -0.1})), lowerX);
  EXPECT_EQ(continuedBy(tile, at({0., 1. + 0.9 * joint, -0.1 + 0.9 * tolerance})), upperY);
  // Turned by a right angle.
  EXPECT_EQ(continuedBy(BoxShape(0.2, 1., 1.), at({1., 0., -0.1}, {0., std::acos(0.), 0.})), upperX);
  // Above the corner, where a tile on the diagonal goes on as well.
  EXPECT_EQ(continuedBy(tile, at({1., 1., -0.1}), {0.5, 0.5, 0.}), upperX | upperY);
  EXPECT_EQ(continuedBy(HalfSpace(Plane{}), {}) & (lowerX | upperX), lowerX | upperX);
}

// The foot of a ball that lies deep, on the side of a tile.
TEST(Seams, ATileHasNoSideWhereANeighbourCoversIt) {
  const BoxShape tile(1., 1., 0.2);
  const SurfaceFoot foot{{0.5, 0.1, 0.05}, {1., 0., 0.}, -0.01};
  const auto continuedAt = [&](const Vector3& x) {
    return seams::continuedSides(tile.halfEdges(), {}, foot, tile, {x, Placement{}.rotation}, tolerance, joint) &
           upperX;
  };
  EXPECT_EQ(continuedAt({1., 0., 0.}), upperX);
  EXPECT_EQ(continuedAt({1., 0., 0.1}), upperX);
  EXPECT_EQ(continuedAt({1., 0., -0.06}), 0);  // lower than the foot
  EXPECT_EQ(continuedAt({1., 0.7, 0.}), 0);    // beside it
}

TEST(Seams, ATileEndsAtAStepAJointAndARamp) {
  const BoxShape tile(1., 1., 0.2);
  EXPECT_EQ(continuedBy(tile, at({1., 0., -0.1 + 1.1 * tolerance})), 0);
  EXPECT_EQ(continuedBy(tile, at({1., 0., -0.1 - 1.1 * tolerance})), 0);
  EXPECT_EQ(continuedBy(tile, at({1. + 1.1 * joint, 0., -0.1})), 0);
  EXPECT_EQ(continuedBy(tile, at({1., 0., -0.1}, {0., 0.01, 0.})), 0);
  EXPECT_EQ(continuedBy(tile, at({1., 1., -0.1})), 0);  // touches at the corner alone
  EXPECT_EQ(continuedBy(SphereShape(0.1), at({0.5, 0., -0.1})), 0);
}

Manifold found(const BoxShape& first, const Placement& firstPlace, const BoxShape& second, const Placement& place) {
  Manifold manifold;
  findManifold(first, firstPlace, second, place, 0.02, manifold);
  return manifold;
}

// A box that lies deeper in its tile than it is far from the next one.
struct Sunk {
  BoxShape box{0.1, 0.1, 0.1}, tile{1., 1., 0.2};
  double depth;
  Placement place = at({0.449, 0., 0.05 - depth});
  Manifold support = found(box, place, tile, at({0., 0., -0.1}));

  bool hides(const Placement& next) const {
    const Manifold side = found(box, place, tile, next);
    EXPECT_LT(side.normal[0], -0.9);
    return seams::isBelow({side, true}, {box, place}, {tile, next}, {support, true}, tolerance, 5e-3);
  }
};

TEST(Seams, TheSideOfAFlushTileIsBelowTheSupportAndThatOfAStepIsNot) {
  for (const double depth : {2e-3, 2e-2}) {
    const Sunk sunk{.depth = depth};
    EXPECT_TRUE(sunk.hides(at({1., 0., -0.1})));
    EXPECT_TRUE(sunk.hides(at({1., 0., -0.1 - 1e-3})));
    EXPECT_FALSE(sunk.hides(at({1., 0., -0.1 + 2. * tolerance})));
    EXPECT_FALSE(seams::isBelow({sunk.support, true}, {sunk.box, sunk.place}, {sunk.tile, at({0., 0., -0.1})},
                                {sunk.support, true}, tolerance, 5e-3));
  }
}

// It rises from the edge of the tile; only of a box that is not deep the contact with its foot is left out.
TEST(Seams, TheFootOfARampIsBelowAShallowSupport) {
  const double angle = -0.05;
  const Placement ramp =
      at(Vector3{0.5, 0., 0.} - rotations::rotate(rotations::exponential({0., angle, 0.}), {-0.5, 0., 0.1}),
         {0., angle, 0.});
  EXPECT_TRUE(Sunk{.depth = 2e-3}.hides(ramp));
  EXPECT_FALSE(Sunk{.depth = 2e-2}.hides(ramp));
}

// Its end, which leans under its top, is no wall up to 30 degrees: a box slides from the tile onto the top.
TEST(Seams, TheEndOfARampIsNoWall) {
  int seen = 0;
  for (const double angle : {-0.26, -0.52}) {
    for (const double depth : {2. * tolerance, 20. * tolerance}) {
      const Sunk sunk{.depth = depth};
      const Placement ramp = at(Vector3{0.5 - 0.5 * depth, 0., 0.} -
                                    rotations::rotate(rotations::exponential({0., angle, 0.}), {-0.5, 0., 0.1}),
                                {0., angle, 0.});
      const Manifold side = found(sunk.box, sunk.place, sunk.tile, ramp);
      if (side.normal[2] > 0.) continue;  // the top
      ++seen;
      EXPECT_TRUE(seams::isBelow({side, true}, {sunk.box, sunk.place}, {sunk.tile, ramp}, {sunk.support, true},
                                 tolerance, 5e-3))
          << angle << ' ' << depth;
    }
  }
  EXPECT_GT(seen, 0);
}

// The edges at their feet cross at the height of the floor, and stay where one of them is lifted.
TEST(Seams, TheFootOfABodyOnTheSameFloorIsThere) {
  const ConvexHull pyramid({{-0.1, -0.1, 0.}, {0.1, -0.1, 0.}, {0.1, 0.1, 0.}, {-0.1, 0.1, 0.}, {0., 0., 0.2}});
  const BoxShape tile(1., 1., 0.2);
  const Placement place = at({0., 0., -1e-9}), next = at({0.24, 0., 0.}, {0., 0., 0.7});
  Manifold support, side;
  findManifold(pyramid, place, tile, at({0., 0., -0.1}), 0.02, support);
  findManifold(pyramid, place, pyramid, next, 0.02, side);
  ASSERT_GT(side.count, 0U);
  EXPECT_NEAR(side.points[0].onSecond[2], 0., tolerance);
  EXPECT_FALSE(seams::isBelow({side, true}, {pyramid, place}, {pyramid, next}, {support, true}, tolerance, 5e-3));
}

}  // namespace
}  // namespace delassus
