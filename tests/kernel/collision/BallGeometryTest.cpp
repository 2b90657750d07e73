// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BallGeometry.hpp>

#include <gtest/gtest.h>

#include <delassus/kernel/collision/NarrowPhase.hpp>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

using testing::collider;
using testing::makeBall;
using testing::makeBox;
using testing::obstacle;
using testing::randomRotation;
using testing::randomVector;

std::shared_ptr<PairGeometry> geometryOf(const Collider& first, const Collider& second) {
  std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(first, second));
  geometry->beginPair(first, second);
  return geometry;
}

Vector configurationOf(const Collider& first, const Collider& second) {
  Vector q(second.body() ? 14 : 7);
  for (std::size_t k = 0; k < q.size(); ++k) q(k) = (k < 7 ? first : second).body()->q()(k % 7);
  return q;
}

ContactPoint contactOf(PairGeometry& geometry, const Vector& q) {
  ContactPoint contact;
  geometry.findContacts(0., q, &contact);
  return contact;
}

// The gap of the narrow phase, and its derivative against the normal velocity of the material points.
void expectExact(const Collider& first, const Collider& second) {
  const auto geometry = geometryOf(first, second);
  const Vector q = configurationOf(first, second);
  const ContactPoint contact = contactOf(*geometry, q);
  Manifold manifold;
  findManifold(first.shape(), first.placement(), second.shape(), second.placement(), 10., manifold);
  EXPECT_NEAR(contact.gap, manifold.gap(), 1e-14);
  EXPECT_NEAR(norm(contact.normal - manifold.normal), 0., 1e-14);
  EXPECT_NEAR(norm(contact.point - 0.5 * (manifold.points[0].onFirst + manifold.points[0].onSecond)), 0., 1e-14);
  NewtonEuler3DR relation(geometry);
  JacobianCheck check;
  check.tolerance = 1e-6;
  EXPECT_NO_THROW(relation.checkJacobians(0., q, second.body() ? 12 : 6, check, "a ball"));
}

TEST(BallGeometry, IsThatOfBallsWithBoxesAndWithBallsAtRest) {
  const Collider ball = collider(makeBall({}, 1.), SphereShape(1.));
  const Collider box = collider(makeBox({}, {1., 1., 1.}), BoxShape(1., 1., 1.));
  const Collider table = obstacle(BoxShape(1., 1., 1.), {}, "table"), post = obstacle(SphereShape(1.), {}, "post");
  const Collider floor = obstacle(Plane{}, {}, "floor");
  const auto nameOf = [](const Collider& a, const Collider& b) { return makePairGeometry(kindOf(a, b))->className(); };
  EXPECT_EQ(nameOf(ball, ball), "SphereSphere");
  EXPECT_EQ(nameOf(ball, floor), "SpherePlane");
  for (const Collider* other : {&box, &table, &post}) EXPECT_EQ(nameOf(ball, *other), "BallGeometry");
  for (const Collider* other : {&ball, &post}) EXPECT_EQ(nameOf(box, *other), "BallGeometry");
}

// Faces, edges and corners, and centres inside the box.
TEST(BallGeometry, HasTheGapsThatWereFoundAndTheirDerivatives) {
  std::mt19937 random(6);
  const SphereShape sphere(0.3);
  const BoxShape cuboid(1., 0.6, 0.8);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const Vector3 x = randomVector(random, 0.8);
    const Quaternion p = randomRotation(random), turned = randomRotation(random);
    const auto ball = makeBall(x, 0.3);
    ball->setState(NewtonEulerDS::at(x, turned), Vector(6));
    const Collider bodyBall = collider(ball, sphere), bodyBox = collider(makeBox({}, {1., 0.6, 0.8}, 1., p), cuboid);
    expectExact(bodyBall, bodyBox);
    expectExact(bodyBox, bodyBall);
    expectExact(bodyBall, obstacle(cuboid, {{}, rotations::rotationMatrix(p)}, "box"));
    expectExact(bodyBox, obstacle(sphere, {x, Placement{}.rotation}, "post"));
    expectExact(bodyBall, obstacle(SphereShape(0.4), {}, "post"));
  }
}

TEST(BallGeometry, HasTheGapOfTheConfigurationThatItIsAskedFor) {
  const Collider ball = collider(makeBall({0., 0., 1.01}, 0.5), SphereShape(0.5));
  const auto geometry = geometryOf(ball, obstacle(BoxShape(1., 1., 1.), {}, "table"));
  const Vector q = NewtonEulerDS::at({0.1, 0., 1.03}, rotations::exponential({1., 2., 0.3}));
  const ContactPoint contact = contactOf(*geometry, q);
  EXPECT_NEAR(contact.gap, 0.03, 1e-14);
  EXPECT_NEAR(norm(contact.point - Vector3{0.1, 0., 0.515}), 0., 1e-14);
  // 0.3 beyond the edge, and 0.4 above it.
  const ContactPoint edge = contactOf(*geometry, NewtonEulerDS::at({0.8, 0.1, 0.9}));
  EXPECT_NEAR(norm(edge.normal - Vector3{0.6, 0., 0.8}), 0., 1e-14);
  EXPECT_NEAR(edge.gap, 0., 1e-14);
}

}  // namespace
}  // namespace delassus
