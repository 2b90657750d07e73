// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/PairGeometry.hpp>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

using testing::collider;
using testing::makeBox;
using testing::obstacle;
using testing::randomRotation;
using testing::randomVector;

Vector stacked(const NewtonEulerDS& first, const NewtonEulerDS& second) {
  Vector q(14);
  for (std::size_t k = 0; k < 7; ++k) {
    q(k) = first.q()(k);
    q(7 + k) = second.q()(k);
  }
  return q;
}

// The same bodies some steps later.
Vector movedOn(const Vector& q, std::mt19937& random) {
  Vector moved(q.size());
  for (std::size_t body = 0; 7 * body < q.size(); ++body) {
    const double* const from = data(q) + 7 * body;
    const Quaternion turn = rotations::exponential(randomVector(random, 0.05));
    const Vector at = NewtonEulerDS::at(vector3(from) + randomVector(random, 0.02),
                                        rotations::product(turn, {from[3], from[4], from[5], from[6]}));
    for (std::size_t k = 0; k < 7; ++k) moved(7 * body + k) = at(k);
  }
  return moved;
}

struct Pair {
  Collider first, second;
  std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(first, second));

  Manifold follow(double range) {
    Manifold manifold;
    findManifold(first.shape(), first.placement(), second.shape(), second.placement(), range, manifold);
    geometry->followPair(first, second, manifold);
    return manifold;
  }
};

TEST(ManifoldGeometry, IsThatOfBoxesWithBoxesAndPlanes) {
  const auto box = makeBox({}, {1., 1., 1.});
  const Collider cube = collider(box, BoxShape(1., 1., 1.)), floor = obstacle(Plane{}, {}, "floor");
  const auto onFloor = makePairGeometry(kindOf(cube, floor)), cubes = makePairGeometry(kindOf(cube, cube));
  for (const auto& geometry : {onFloor.get(), cubes.get()}) {
    EXPECT_EQ(geometry->className(), "ManifoldGeometry");
    EXPECT_EQ(geometry->points(), 4u);
  }
  EXPECT_EQ(onFloor->bodies(), 1u);
  EXPECT_EQ(cubes->bodies(), 2u);
}

TEST(ManifoldGeometry, HasTheGapsThatWereFoundAndTheirDerivatives) {
  std::mt19937 random(5);
  int tested = 0;
  for (int k = 0; k < 200; ++k) {
    // Arguments would be drawn in the order that a compiler likes.
    const auto turn = randomRotation(random);
    const auto place = randomVector(random, 0.9);
    const auto a = makeBox(place, {1., 1., 1.}, 1., turn);
    const auto b = makeBox({}, {1.2, 0.8, 1.}, 1., randomRotation(random));
    Pair pair{collider(a, BoxShape(1., 1., 1.)), collider(b, BoxShape(1.2, 0.8, 1.))};
    pair.geometry->beginPair(pair.first, pair.second);
    const Manifold manifold = pair.follow(0.2);
    if (manifold.count == 0) continue;
    ++tested;
    const Vector q = stacked(*a, *b);
    std::array<ContactPoint, 4> contacts;
    pair.geometry->findContacts(0., q, contacts.data());
    double smallest = contacts[0].gap;
    std::size_t present = 0;
    for (const ContactPoint& contact : contacts) {
      smallest = std::min(smallest, contact.gap);
      present += contact.gap < 1. ? 1 : 0;
    }
    EXPECT_NEAR(smallest, manifold.gap(), 1e-14);
    EXPECT_EQ(present, manifold.count);
    NewtonEuler3DR relation(pair.geometry);
    JacobianCheck check;
    check.tolerance = 1e-6;
    EXPECT_NO_THROW(relation.checkJacobians(0., q, 12, check, "boxes")) << "case " << k;
    // Where the bodies are in the middle of a step.
    EXPECT_NO_THROW(relation.checkJacobians(0., movedOn(q, random), 12, check, "boxes")) << "case " << k;
  }
  EXPECT_GT(tested, 30);
}

// A corner of the upper box, on the plane of a face of the lower one, which tilts.
TEST(ManifoldGeometry, CornersAreAboveTheFaceWhereverBothBodiesAre) {
  const auto upper = makeBox({0., 0., 1.}, {1., 1., 1.}), lower = makeBox({}, {3., 3., 1.});
  // Turned a little, so that the face is that of the lower box.
  upper->setState(NewtonEulerDS::at({0., 0., 1.1}, rotations::exponential({0.1, 0.05, 0.})), Vector(6));
  Pair pair{collider(upper, BoxShape(1., 1., 1.)), collider(lower, BoxShape(3., 3., 1.))};
  pair.geometry->beginPair(pair.first, pair.second);
  ASSERT_EQ(pair.follow(0.5).count, 4u);
  std::mt19937 random(8);
  const Vector q = movedOn(stacked(*upper, *lower), random);
  std::array<ContactPoint, 4> contacts;
  pair.geometry->findContacts(0., q, contacts.data());
  const Quaternion upperTurn{q(3), q(4), q(5), q(6)}, lowerTurn{q(10), q(11), q(12), q(13)};
  const Vector3 up = rotations::rotate(lowerTurn, {0., 0., 1.});
  for (const ContactPoint& contact : contacts) {
    EXPECT_NEAR(norm(contact.normal - up), 0., 1e-14);
    const Vector3 corner = rotations::rotateBack(upperTurn, contact.point + 0.5 * contact.gap * up - vector3(data(q)));
    const Vector3 foot =
        rotations::rotateBack(lowerTurn, contact.point - 0.5 * contact.gap * up - vector3(data(q) + 7));
    for (const double coordinate : corner) EXPECT_NEAR(std::abs(coordinate), 0.5, 1e-14);
    EXPECT_NEAR(foot[2], 0.5, 1e-14);
  }
}

// Edges along y, at a place where the normal is between those of the faces.
TEST(ManifoldGeometry, OfParallelEdgesHasTheDerivativesOfItsGaps) {
  const Vector3 edges{1., 1., 1.};
  for (const double offset : {-2e-3, 0., 1e-3}) {
    const auto a = makeBox({0., 0., 0.}, edges, 1., rotations::exponential({0., 0.3, 0.}));
    const auto b = makeBox({}, edges, 1., rotations::exponential({0., -0.5, 0.}));
    // The upper corners towards each other.
    const Vector3 corner =
        rotations::rotate(a->orientation(), {0.5, 0., 0.5}) - rotations::rotate(b->orientation(), {-0.5, 0., 0.5});
    b->setState(NewtonEulerDS::at(corner + Vector3{0., 0.2, offset}, b->orientation()), Vector(6));
    Pair pair{collider(a, BoxShape(1., 1., 1.)), collider(b, BoxShape(1., 1., 1.))};
    pair.geometry->beginPair(pair.first, pair.second);
    const Manifold manifold = pair.follow(0.2);
    ASSERT_EQ(manifold.count, 2u);
    EXPECT_GT(manifold.points[0].share, 0.);
    EXPECT_LT(manifold.points[0].share, 1.);
    NewtonEuler3DR relation(pair.geometry);
    JacobianCheck check;
    check.tolerance = 1e-6;
    EXPECT_NO_THROW(relation.checkJacobians(0., stacked(*a, *b), 12, check, "edges"));
  }
}

TEST(ManifoldGeometry, PointsKeepTheirNumbersFromStepToStep) {
  const auto a = makeBox({0., 0., 1.}, {1., 1., 1.});
  const auto b = makeBox({}, {3., 3., 1.});
  Pair pair{collider(a, BoxShape(1., 1., 1.)), collider(b, BoxShape(3., 3., 1.))};
  pair.geometry->beginPair(pair.first, pair.second);
  pair.follow(0.1);
  std::array<ContactPoint, 4> before, after;
  pair.geometry->findContacts(0., stacked(*a, *b), before.data());
  // A quarter turn and a bit: the narrow phase now begins with another corner.
  a->setState(NewtonEulerDS::at({0.1, 0., 1.}, rotations::exponential({0., 0., 0.9})), Vector(6));
  pair.first.readState(0.);
  pair.follow(0.1);
  pair.geometry->findContacts(0., stacked(*a, *b), after.data());
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3 moved =
        Vector3{0.1, 0., 1.} + rotations::rotate(a->orientation(), before[k].point - Vector3{0., 0., 1.});
    EXPECT_NEAR(norm(after[k].point - moved), 0., 1e-14) << "point " << k;
  }
}

}  // namespace
}  // namespace delassus
