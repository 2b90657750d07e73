// SPDX-License-Identifier: Apache-2.0
//
// Bodies that jam: friction lets no contact open, whatever pushes.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <memory>
#include <numbers>

namespace {

using namespace delassus;

constexpr double gravity = 9.81;

struct Jam {
  double angle = 0.;  // from the vertical
  double rate = 0.;   // at the end
  StepStatistics statistics;
};

// A strut hinged above a floor falls from level on it. Where tan(angle) < μ the line to the hinge is within the cone of
// friction: the strut can neither slide nor come up, and stops at once.
Jam dropStrut(const std::shared_ptr<const Shape>& shape, double length, double hinge, double mu, double restitution,
              double h) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity({0., 0., -gravity});
  const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(restitution, 0., mu));
  contacts->insertObstacle(Plane{});
  const Quaternion level = rotations::exponential({0., -0.5 * std::numbers::pi, 0.});
  const auto strut = NewtonEulerDS::ofShape(*shape, 1000., {0.5 * length, 0., hinge}, level);
  model.insert("strut", strut);
  contacts->insert(strut, shape);
  model.link("hinge", EqualityConditionNSL(5), PivotJointR::at({0., 0., hinge}, {0., 1., 0.}, strut->q()), strut);
  TimeStepping simulation(model, h);
  simulation.setInteractionManager(contacts);
  simulation.run();
  const double angle = std::atan2(strut->position()[0], hinge - strut->position()[2]);
  return {angle, norm(strut->angularVelocity()), simulation.statistics()};
}

// The end of a capsule is a ball of radius r, whose middle is length − r from the hinge.
TEST(Jamming, HoldsAStrutThatFallsWithinTheConeOfFriction) {
  constexpr double length = 0.4, radius = 0.02, hinge = 0.392;
  const auto capsule = std::make_shared<const CapsuleShape>(radius, length - 2. * radius);
  const double meets = std::acos((hinge - radius) / (length - radius));
  const double speed = std::sqrt(3. * gravity / length);  // of a falling rod, less than it at this angle
  struct Case {
    double mu, restitution, h;
  };
  for (const Case& one : {Case{0.25, 0., 5e-3}, {0.5, 0., 5e-3}, {0.5, 0.5, 5e-3}, {0.5, 0., 1e-3}}) {
    const Jam jam = dropStrut(capsule, length, hinge, one.mu, one.restitution, one.h);
    EXPECT_NEAR(jam.angle, meets, speed * one.h) << one.mu << ' ' << one.restitution << ' ' << one.h;
    EXPECT_LT(jam.rate, 1e-6);
    EXPECT_LT(jam.statistics.motion.depth.relative, 1e-3);
    EXPECT_LT(jam.statistics.motion.drift.relative, 1e-3);
  }
}

// The lower edge of the end of a box meets the floor first, half its width w beside the axis.
TEST(Jamming, HoldsABoxOnItsEdge) {
  constexpr double length = 0.4, width = 0.05, hinge = 0.392;
  const auto box = std::make_shared<const BoxShape>(width, width, length);
  const double meets = std::acos(hinge / std::hypot(length, 0.5 * width)) + std::atan(0.5 * width / length);
  const double speed = std::sqrt(3. * gravity / length);
  for (const double h : {5e-3, 1. / 60.}) {
    const Jam jam = dropStrut(box, length, hinge, 0.5, 0., h);
    EXPECT_NEAR(jam.angle, meets, speed * h) << h;
    EXPECT_LT(jam.rate, 1e-6);
    EXPECT_LT(jam.statistics.motion.depth.relative, 1e-3);
  }
}

// A cube on a floor between two walls that are too near to each other by d on either side.
TEST(Jamming, LetsACubeStandBetweenWallsThatOverlapIt) {
  for (const double overlap : {1e-12, 1e-10, 1e-7, 1e-4}) {
    NonSmoothDynamicalSystem model(0., 0.5);
    model.setGravity({0., 0., -gravity});
    const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.4));
    contacts->insertObstacle(Plane{});
    for (const double side : {-1., 1.}) {
      contacts->insertObstacle(Plane::through({side * (0.05 - overlap), 0., 0.}, {-side, 0., 0.}));
    }
    const auto cube = NewtonEulerDS::ofShape(BoxShape(0.1, 0.1, 0.1), 1000., {0., 0., 0.05});
    model.insert("cube", cube);
    contacts->insert(cube, BoxShape(0.1, 0.1, 0.1));
    TimeStepping simulation(model, 5e-3);
    simulation.setInteractionManager(contacts);
    simulation.run();
    EXPECT_NEAR(cube->position()[2], 0.05, 1e-11) << overlap;  // the solver's tolerance times h² g
    EXPECT_NEAR(cube->position()[0], 0., 1e-11) << overlap;
    EXPECT_EQ(simulation.statistics().relaxed, 0U) << overlap;
  }
}

}  // namespace
