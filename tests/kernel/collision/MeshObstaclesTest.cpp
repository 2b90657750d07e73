// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/PairGeometry.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>

#include "ConvexSamples.hpp"

// Contacts with triangles: those of the surface that they make together.

namespace delassus {
namespace {

using namespace test;
using testing::randomRotation;
using testing::randomVector;

// Ground of cells of 0.1 m about the origin, whose heights are random up to this.
TriangleMesh roughGround(std::mt19937& random, double rise) {
  std::uniform_real_distribution<double> height(0., rise > 0. ? rise : 1.);
  const std::size_t n = 9;
  Matrix heights(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) heights(i, j) = rise > 0. ? height(random) : 0.;
  }
  return TriangleMesh::ofHeights(heights, 0.1, 0.1);
}

const Placement centred = Placement::at({-0.4, -0.4, 0.});

// The point of a triangle that is nearest to another one, by projection and its three sides.
Vector3 nearestOf(const MeshTopology& mesh, std::size_t t, const Vector3& x) {
  const Vector3& n = mesh.normal(t);
  const Vector3 foot = x - dot(n, x - mesh.corner(t, 0)) * n;
  bool isInside = true;
  for (std::size_t k = 0; k < 3; ++k) {
    isInside = isInside && dot(cross(n, mesh.corner(t, k + 1) - mesh.corner(t, k)), foot - mesh.corner(t, k)) >= 0.;
  }
  if (isInside) return foot;
  Vector3 best = mesh.corner(t, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 along = mesh.corner(t, k + 1) - mesh.corner(t, k);
    const double part = std::clamp(dot(along, x - mesh.corner(t, k)) / dot(along, along), 0., 1.);
    const Vector3 on = mesh.corner(t, k) + part * along;
    if (norm(x - on) < norm(x - best)) best = on;
  }
  return best;
}

// The least gap of a shape with all triangles, and how many points there are.
struct Met {
  double gap = std::numeric_limits<double>::infinity();
  std::size_t points = 0;
  std::vector<Vector3> normals;
};
Met meetAll(const Shape& shape, const Placement& at, const TriangleMesh& mesh, double range) {
  Met met;
  for (const PlacedShape& part : mesh.parts()) {
    Manifold manifold;
    findManifold(shape, at, *part.shape, centred, range, manifold);
    if (manifold.count == 0) continue;
    met.gap = std::min(met.gap, manifold.gap());
    met.points += manifold.count;
    met.normals.push_back(manifold.normal);
  }
  return met;
}

TEST(MeshObstacles, ABallHasTheDistanceToTheSurface) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-0.3, 0.3), height(0.02, 0.2);
  const double radius = 0.15;
  for (int ground = 0; ground < 20; ++ground) {
    const TriangleMesh mesh = roughGround(random, 0.1);
    for (int k = 0; k < 100; ++k) {
      const Vector3 x{place(random), place(random), height(random)};
      double nearest = std::numeric_limits<double>::infinity();
      bool isAbove = true;
      for (std::size_t t = 0; t < mesh.parts().size(); ++t) {
        const Vector3 local = centred.local(x), foot = nearestOf(mesh.topology(), t, local);
        if (norm(local - foot) >= nearest) continue;
        nearest = norm(local - foot);
        isAbove = dot(mesh.topology().normal(t), local - foot) > 0.;
      }
      if (!isAbove || nearest < 1e-3) continue;  // the centre is in the ground
      const Met met = meetAll(SphereShape(radius), Placement::at(x), mesh, 1.);
      EXPECT_NEAR(met.gap, nearest - radius, 1e-12);
    }
  }
}

// Anything on flat ground has the gaps that it has with a plane, wherever the seams are, and no other normal.
TEST(MeshObstacles, FlatGroundIsAPlane) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-0.2, 0.2), apart(-2e-3, 2e-3);
  const TriangleMesh mesh = roughGround(random, 0.);
  for (std::size_t i = 0; i < kinds; ++i) {
    for (int k = 0; k < 100; ++k) {
      const Sample sample = makeSample(Kind(i), random);
      Placement at;
      // Upright, lying and at any angle.
      if (k % 3 == 0) at.rotation = rotations::rotationMatrix(randomRotation(random));
      if (k % 3 == 1) at.rotation = rotations::rotationMatrix(rotations::exponential({0.5 * 3.14159265358979, 0., 0.}));
      const PlacedConvex placed{*sample.shape->convex(), at};
      const double gap = apart(random);
      at.position = {place(random), place(random), placed.reach({0., 0., -1.}) + gap};
      const Met met = meetAll(*sample.shape, at, mesh, 0.01);
      SCOPED_TRACE(sample.text);
      ASSERT_GT(met.points, 0u);
      EXPECT_NEAR(met.gap, gap, 1e-9);
      for (const Vector3& n : met.normals) EXPECT_NEAR(n[2], 1., 1e-12);
    }
  }
}

// On rough ground what sinks in is met, and each normal is one of the surface there: none points down.
TEST(MeshObstacles, RoughGroundHoldsAllShapes) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(-0.2, 0.2);
  std::size_t missed = 0, tested = 0;
  for (int ground = 0; ground < 10; ++ground) {
    const TriangleMesh mesh = roughGround(random, 0.03);
    for (std::size_t i = 0; i < kinds; ++i) {
      for (int k = 0; k < 20; ++k) {
        const Sample sample = makeSample(Kind(i), random);
        Placement at{{}, rotations::rotationMatrix(randomRotation(random))};
        const PlacedConvex placed{*sample.shape->convex(), at};
        at.position = {place(random), place(random), 0.03 + placed.reach({0., 0., -1.})};
        ++tested;
        // Lowered until the mean height is 5 mm in it.
        at.position[2] -= 0.02;
        const Met met = meetAll(*sample.shape, at, mesh, 0.01);
        if (met.points == 0) ++missed;
        for (const Vector3& n : met.normals) EXPECT_GT(n[2], 0.3);
      }
    }
  }
  // Some of a thousand, of sharp shapes and cones: entered by 5 to 10 mm beside an edge, with the way out over a
  // triangle that they are not above.
  EXPECT_LE(missed, 7u) << "of " << tested;
}

TEST(MeshObstacles, HaveTheGapsThatWereFoundAndTheirDerivatives) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(-0.2, 0.2);
  std::size_t tested = 0;
  for (std::size_t i = 0; i < kinds; ++i) {
    for (int k = 0; k < 10; ++k) {
      const TriangleMesh mesh = roughGround(random, 0.03);
      const Sample sample = makeSample(Kind(i), random);
      const Quaternion p = randomRotation(random);
      const PlacedConvex turned{*sample.shape->convex(), Placement{{}, rotations::rotationMatrix(p)}};
      const Vector3 x{place(random), place(random), 0.015 + turned.reach({0., 0., -1.})};
      const auto body = NewtonEulerDS::ofShape(*sample.shape, 1000., x, p);
      const Collider one(body, sample.shape, placementInBody(*sample.shape), 0);
      for (const PlacedShape& part : mesh.parts()) {
        const Collider two(part.shape, centred, ObstacleMotion(), 0, "triangle");
        Manifold manifold;
        findManifold(one.shape(), one.placement(), two.shape(), two.placement(), 0.02, manifold);
        if (manifold.count == 0) continue;
        ++tested;
        const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(one, two));
        geometry->beginPair(one, two);
        geometry->followPair(one, two, manifold);
        std::vector<ContactPoint> contacts(geometry->points());
        geometry->findContacts(0., body->q(), contacts.data());
        double smallest = contacts[0].gap;
        for (const ContactPoint& contact : contacts) smallest = std::min(smallest, contact.gap);
        // Where outlines of faces at up to 2.5° are cut, the normal is between both, and the gap along one of them.
        EXPECT_NEAR(smallest, manifold.gap(), 1e-11 + 1e-3 * std::abs(manifold.gap())) << sample.text;
        NewtonEuler3DR relation(geometry);
        JacobianCheck check;
        check.tolerance = 1e-4;  // rims turn fast where they cross at a small angle
        EXPECT_NO_THROW(relation.checkJacobians(0., body->q(), 6, check, sample.text));
      }
    }
  }
  EXPECT_GT(tested, 50u);
}

TEST(MeshObstacles, DoNotHoldWhatIsBehindThem) {
  std::mt19937 random(9);
  const TriangleMesh mesh = roughGround(random, 0.);
  EXPECT_EQ(meetAll(SphereShape(0.1), Placement::at({0.02, 0.01, -0.07}), mesh, 0.05).points, 0u);
  EXPECT_GT(meetAll(SphereShape(0.1), Placement::at({0.02, 0.01, -0.03}), mesh, 0.05).points, 0u);
  for (const double z : {-0.01, -0.04}) {
    EXPECT_GT(meetAll(BoxShape(0.1, 0.1, 0.1), Placement::at({0.02, 0.01, z}), mesh, 0.05).points, 0u);
  }
  EXPECT_EQ(meetAll(BoxShape(0.1, 0.1, 0.1), Placement::at({0.02, 0.01, -0.2}), mesh, 0.05).points, 0u);
  // Below a corner and a side of the end of the ground.
  EXPECT_EQ(meetAll(SphereShape(0.1), Placement::at({-0.43, -0.43, -0.08}), mesh, 0.05).points, 0u);
  EXPECT_EQ(meetAll(SphereShape(0.1), Placement::at({-0.43, 0., -0.08}), mesh, 0.05).points, 0u);
}

TEST(MeshObstacles, AreObstaclesOnly) {
  std::mt19937 random(10);
  const TriangleMesh mesh = roughGround(random, 0.);
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  const auto body = testing::makeBall({0., 0., 1.}, 0.1);
  EXPECT_THROW(manager.insert(body, mesh, Placement{}), Error);
  EXPECT_THROW(manager.insert(body, CompoundShape().with(SphereShape(0.1)).with(mesh), Placement{}), Error);
  EXPECT_TRUE(manager.colliders().empty());
  manager.insertObstacle(mesh);
  EXPECT_EQ(manager.colliders().size(), mesh.parts().size());
}

}  // namespace
}  // namespace delassus
