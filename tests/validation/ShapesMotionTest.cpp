// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <kernel/collision/CollisionModels.hpp>
#include <numbers>

// Capsules, cylinders, hulls and compounds in motion, against closed forms, with all defaults.

namespace delassus {
namespace {

using testing::gravity;
using testing::randomRotation;
using testing::randomVector;

constexpr double density = 1000.;
constexpr double pi = std::numbers::pi;

// A floor that is tilted by an angle: gravity leans towards x.
struct Slope {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;

  Slope(double seconds, double angle, double mu, bool isBox)
      : model(0., seconds), manager(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., mu))) {
    model.setGravity({gravity * std::sin(angle), 0., -gravity * std::cos(angle)});
    if (isBox) {
      manager->insertObstacle(BoxShape(20., 20., 1.), {0., 0., -0.5});
    } else {
      manager->insertObstacle(Plane{});
    }
  }
  template <class S>
  std::shared_ptr<NewtonEulerDS> add(const S& shape, const Vector3& x, const Quaternion& p = {1., 0., 0., 0.}) {
    auto body = NewtonEulerDS::ofShape(shape, density, x, p);
    model.insert(body);
    manager->insert(body, shape, placementInBody(shape));
    return body;
  }
  void run(double h = 1e-3) {
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(manager);
    simulation.run();
  }
};

double mechanicalEnergy(const NewtonEulerDS& body) {
  const Vector& v = body.velocity();
  double twice = 0.;
  for (std::size_t i = 0; i < 3; ++i) {
    twice += body.scalarMass() * v(i) * v(i);
    for (std::size_t j = 0; j < 3; ++j) twice += v(3 + i) * body.inertia()(i, j) * v(3 + j);
  }
  return 0.5 * twice + body.scalarMass() * gravity * body.q()(2);
}

const Quaternion alongY = rotations::exponential({0.5 * pi, 0., 0.});
const Quaternion alongX = rotations::exponential({0., 0.5 * pi, 0.});

ConvexHull cube(double half) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k) {
    corners.push_back({k % 2 == 0 ? half : -half, k / 2 % 2 == 0 ? half : -half, k / 4 == 0 ? half : -half});
  }
  return ConvexHull(corners);
}

// v = g sin α t / (1 + I / (m r²)), which the scheme has exactly, since all forces are constant.
TEST(ShapesMotion, CylindersAndCapsulesRollDownASlope) {
  const double radius = 0.1, angle = 0.3;
  for (const bool isBox : {false, true}) {
    const auto expectRolling = [&](const auto& shape) {
      Slope slope(1., angle, 0.5, isBox);
      const auto body = slope.add(shape, {0., 0., radius}, alongY);
      slope.run();
      const double inertia = body->inertia()(2, 2) / (body->scalarMass() * radius * radius);
      const double speed = gravity * std::sin(angle) / (1. + inertia);
      EXPECT_NEAR(body->velocity()(0), speed, 1e-9);
      EXPECT_NEAR(body->q()(0), 0.5 * speed, 1e-9);
      EXPECT_NEAR(body->q()(2), radius, 1e-12);
    };
    expectRolling(CylinderShape(radius, 0.3));
    expectRolling(CapsuleShape(radius, 0.3));
  }
}

TEST(ShapesMotion, ShapesThatLieOrStandSlideAboveTheAngleOfFrictionAndStickBelow) {
  const double angle = 0.3;
  const CompoundShape hammer =
      CompoundShape().with(BoxShape(0.2, 0.2, 0.2)).with(SphereShape(0.05), Placement::at({0., 0., 0.13}));
  for (const bool isBox : {false, true}) {
    for (const double mu : {0.2, 0.5}) {
      const double speed = mu < std::tan(angle) ? gravity * (std::sin(angle) - mu * std::cos(angle)) : 0.;
      const auto expectSpeed = [&](const auto& shape, double height, const Quaternion& p) {
        Slope slope(0.5, angle, mu, isBox);
        const auto body = slope.add(shape, {0., 0., height}, p);
        const double begin = body->q()(2);
        slope.run();
        EXPECT_NEAR(body->velocity()(0), 0.5 * speed, 1e-7);  // tolerance of the solver, 1e-8, over 500 steps
        EXPECT_NEAR(body->q()(2), begin, 1e-9);
      };
      expectSpeed(CylinderShape(0.1, 0.1), 0.05, {1., 0., 0., 0.});
      expectSpeed(CylinderShape(0.1, 0.3), 0.1, alongX);
      expectSpeed(CapsuleShape(0.1, 0.3), 0.1, alongX);
      expectSpeed(cube(0.1), 0.1, {1., 0., 0., 0.});
      expectSpeed(hammer, 0.1, {1., 0., 0., 0.});
    }
  }
}

// A body tips where the vertical through its centre of mass leaves what it stands on: tan α = half width / half height.
// An end of a cylinder stands on eight points, so that its angle is sharp to 8 % only between them.
TEST(ShapesMotion, TallShapesTipAboveTheirAngleAndStandBelow) {
  const double radius = 0.1, height = 0.4;
  const double limit = std::atan(2. * radius / height);
  std::vector<Vector3> corners;
  for (const Vector3& corner : {Vector3{radius, radius, 0.}, Vector3{-radius, radius, 0.}, Vector3{radius, -radius, 0.},
                                Vector3{-radius, -radius, 0.}}) {
    for (const double z : {-0.5 * height, 0.5 * height}) corners.push_back(corner + Vector3{0., 0., z});
  }
  for (const double part : {0.92, 1.02}) {
    const auto expectTipping = [&](const auto& shape) {
      Slope slope(1., part * limit, 2., true);
      const auto body = slope.add(shape, {0., 0., 0.5 * height});
      slope.run(2e-3);
      const double up = column(body->rotation(), 2)[2];
      if (part < 1.) {
        EXPECT_NEAR(up, 1., 1e-6);
      } else {
        EXPECT_LT(up, 0.9);
      }
    };
    expectTipping(CylinderShape(radius, height));
    expectTipping(ConvexHull(corners));
  }
}

// Two plates press a capsule with twenty times the force that friction needs to hold it.
TEST(ShapesMotion, APinchedCapsuleDoesNotSlip) {
  const double mu = 0.5, radius = 0.05;
  Slope world(2., 0., mu, false);
  const auto capsule = world.add(CapsuleShape(radius, 0.2), {0., 0., 1.}, alongY);
  const double force = 20. * capsule->scalarMass() * gravity / (2. * mu);
  for (const double side : {-1., 1.}) {
    const auto plate = world.add(BoxShape(0.1, 0.4, 0.4), {side * (radius + 0.05), 0., 1.});
    plate->setExternalForces(makeVector({-side * force, 0., 0.}));
    // Guides hold the plates up, not the capsule.
    world.model.link(std::make_shared<Interaction>(EqualityConditionNSL(5),
                                                   PrismaticJointR::at({0., 0., 1.}, {1., 0., 0.}, plate->q())),
                     plate);
  }
  world.run(2e-3);
  EXPECT_NEAR(capsule->q()(2), 1., 1e-6);
}

// Disks that fall nearly flat, spinning, with long steps: the lowest point goes round the rim within a step, and in one
// run of ten Newton's loop on the relations does not settle. Such a step is made in pieces; where these are not allowed
// it is made with relations that stay, and without relaxation it ends the run.
TEST(ShapesMotion, DisksThatFallFlatAreSteppedInPiecesOrWithRelationsThatStay) {
  std::size_t divided = 0, held = 0, ended = 0;
  const auto drop = [&](unsigned seed, const TimeSteppingOptions& options) {
    std::mt19937 random(seed);
    const double thickness = 0.02;
    Slope slope(1., 0., 0.5, false);
    const Vector3 tilt = randomVector(random, 0.2), spin = randomVector(random, 10.) + Vector3{0., 0., 30.};
    const auto disk =
        slope.add(CylinderShape(0.1, thickness), {0., 0., 0.25}, rotations::exponential({tilt[0], tilt[1], 0.}));
    disk->setState(disk->q(), makeVector({0., 0., 0., spin[0], spin[1], spin[2]}));
    TimeStepping simulation(slope.model, 1e-2, options);
    simulation.setInteractionManager(slope.manager);
    const double energy = mechanicalEnergy(*disk);
    simulation.run();
    EXPECT_LT(mechanicalEnergy(*disk), energy);
    EXPECT_GT(disk->q()(2), 0.5 * thickness - 1e-4);
    divided += simulation.statistics().divided;
    held += simulation.statistics().held;
  };
  for (unsigned seed = 0; seed < 40; ++seed) drop(seed, {.relaxation = 1.});
  EXPECT_GT(divided, 0u);
  EXPECT_EQ(held, 0u);
  divided = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    drop(seed, {.mostHalvings = 0});
    try {
      drop(seed, {.relaxation = 1., .mostHalvings = 0});
    } catch (const Error&) {
      ++ended;
    }
  }
  EXPECT_EQ(divided, 0u);
  EXPECT_GT(held, 0u);
  EXPECT_GT(ended, 0u);
}

}  // namespace
}  // namespace delassus
