// SPDX-License-Identifier: Apache-2.0
//
// Angles, displacements and distances that joints leave free, as limits, ropes, struts and drives.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/relations/joints/CylindricalJointR.hpp>
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <numbers>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

Vector stacked(const Vector& first, const Vector& second) {
  Vector q = first;
  append(second, q);
  return q;
}

// The world's frame and a body at the origin turned by `angle` about z and moved along it.
Vector turnedBody(double angle, double height = 0.) {
  return NewtonEulerDS::at({0., 0., height}, {std::cos(angle / 2.), 0., 0., std::sin(angle / 2.)});
}

double valueOf(SecondOrderR& relation, double t, const Vector& q) {
  Vector y(1);
  relation.computeOutput(t, q, Vector(1), y);
  return y(0);
}

TEST(JointAngleR, CountsTurnsBothWays) {
  const PivotJointR hinge = PivotJointR::at({0., 0., 0.}, {0., 0., 2.}, turnedBody(0.));
  JointAngleR angle = hinge.angle();
  double t = 0.;
  for (double turned = 0.; turned < 40.; turned += 3.)
    EXPECT_NEAR(valueOf(angle, t += 1., turnedBody(turned)), turned, 1e-13);
  for (double turned = 39.; turned > -40.; turned -= 3.)
    EXPECT_NEAR(valueOf(angle, t += 1., turnedBody(turned)), turned, 1e-13);
}

TEST(JointAngleR, IsNotLedAstrayByIterationsWithinAStep) {
  JointAngleR angle = PivotJointR::at({0., 0., 0.}, {0., 0., 1.}, turnedBody(0.)).angle();
  EXPECT_NEAR(valueOf(angle, 0., turnedBody(0.1)), 0.1, 1e-15);
  for (const double wild : {3., 6., 9., 12.}) valueOf(angle, 1., turnedBody(wild));
  EXPECT_NEAR(valueOf(angle, 1., turnedBody(0.2)), 0.2, 1e-15);
  EXPECT_NEAR(valueOf(angle, 2., turnedBody(0.3)), 0.3, 1e-15);
}

TEST(JointAngleR, StartsNearTheAngleThatItIsTold) {
  JointAngleR angle = PivotJointR::at({0., 0., 0.}, {0., 0., 1.}, turnedBody(0.)).angle();
  angle.startNear(4. * std::numbers::pi);
  EXPECT_NEAR(valueOf(angle, 0., turnedBody(0.1)), 4. * std::numbers::pi + 0.1, 1e-14);
}

TEST(JointCoordinates, AreOfTheFirstBodyAgainstTheSecond) {
  const Vector start = turnedBody(0.);
  const CylindricalJointR joint = CylindricalJointR::at({0.1, 0., 0.}, {0., 0., 1.}, start, start);
  JointAngleR angle = joint.angle();
  JointDisplacementR way = joint.displacement();
  const Vector3 centre{0.1, 0., 0.};
  const auto turnedAboutCentre = [&](double by, double height) {
    const Vector3 x = centre - rotations::rotate({std::cos(by / 2.), 0., 0., std::sin(by / 2.)}, centre);
    return NewtonEulerDS::at({x[0], x[1], height}, {std::cos(by / 2.), 0., 0., std::sin(by / 2.)});
  };
  const Vector moved = turnedAboutCentre(0.4, 0.7);
  EXPECT_NEAR(valueOf(angle, 0., stacked(moved, start)), 0.4, 1e-15);
  EXPECT_NEAR(valueOf(way, 0., stacked(moved, start)), 0.7, 1e-15);
  EXPECT_NEAR(valueOf(angle, 1., stacked(start, moved)), -0.4, 1e-15);
  EXPECT_NEAR(valueOf(way, 1., stacked(start, moved)), -0.7, 1e-15);
}

TEST(JointCoordinates, MakeLimitsAndDrives) {
  const JointDisplacementR way = PrismaticJointR::at({0., 0., 0.}, {0., 0., 1.}, turnedBody(0.)).displacement();
  const Vector q = turnedBody(0., 0.6);
  JointDisplacementR lower = way.above(-1.);
  JointDisplacementR upper = way.below(2.);
  JointDisplacementR drive = way.following(Motion([](double t) { return 0.1 * t * t; }));
  JointDisplacementR scaled = drive.times(2.).plus(1.);
  EXPECT_NEAR(valueOf(lower, 0., q), 1.6, 1e-15);
  EXPECT_NEAR(valueOf(upper, 0., q), 1.4, 1e-15);
  EXPECT_NEAR(valueOf(drive, 2., q), 0.2, 1e-15);
  EXPECT_NEAR(valueOf(scaled, 2., q), 1.4, 1e-15);
  Vector drift(1);
  scaled.computeDrift(2., q, drift);
  EXPECT_NEAR(drift(0), -0.8, 1e-9);  // −2 · 0.2 t, differenced
}

// A ball on a massless line from the hook at the origin, 1 m below or above it.
struct HangingBall {
  static constexpr double mass = 2., g = 9.81;

  HangingBall(double height, const JointDistanceR& line)
      : ball(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., height}), Vector(6), mass,
                                             NewtonEulerDS::ballInertia(mass, 0.1))) {
    model.setGravity({0., 0., -g});
    model.insert("ball", ball);
    link = model.link("line", NewtonImpactNSL(0.), line, ball);
  }
  void run(double until) {
    while (simulation->time() < until - 0.5e-3) simulation->step();
  }

  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<NewtonEulerDS> ball;
  std::shared_ptr<Interaction> link;
  std::unique_ptr<TimeStepping> simulation;
};

TEST(JointDistanceR, IsARopeThatIsSlackUntilItsEnd) {
  const DistanceJointR line({0., 0., 0.}, {0., 0., 0.}, 1.);  // the length of the joint does not matter to its limits
  HangingBall hanging(-1., line.below(1.5));
  hanging.simulation = std::make_unique<TimeStepping>(hanging.model, 1e-3);
  hanging.run(0.2);
  // It falls freely, which the scheme has to second order: for a constant force exactly.
  EXPECT_NEAR(hanging.ball->q()(2), -1. - 0.5 * HangingBall::g * 0.04, 1e-12);
  EXPECT_EQ(hanging.link->lambda(1)(0), 0.);
  hanging.run(0.6);
  // At rest at the end of the rope since t = 0.32, up to the way of one step at 3.1 m/s.
  EXPECT_NEAR(hanging.ball->q()(2), -1.5, 3.2e-3);
  EXPECT_NEAR(hanging.link->lambda(0)(0), HangingBall::mass * HangingBall::g, 1e-9);
}

TEST(JointDistanceR, IsAStrutThatPushesFromItsShortestLength) {
  HangingBall standing(1., DistanceJointR({0., 0., 0.}, {0., 0., 0.}, 1.).above(0.8));
  standing.simulation = std::make_unique<TimeStepping>(standing.model, 1e-3);
  standing.run(0.5);
  EXPECT_NEAR(standing.ball->q()(2), 0.8, 2.1e-3);
  EXPECT_NEAR(standing.link->lambda(0)(0), HangingBall::mass * HangingBall::g, 1e-9);
}

TEST(JointDistanceR, HasNoDirectionWhereTheAnchorsMeet) {
  JointDistanceR distance = DistanceJointR({0., 0., 0.}, {0., 0., 0.}, 1.).distance();
  Vector y(1);
  Matrix G(1, 6);
  distance.computeOutput(0., turnedBody(0.3), Vector(1), y);
  distance.computeJacobian(0., turnedBody(0.3), Vector(1), G);
  EXPECT_EQ(y(0), 0.);
  expectNear(G, Matrix(1, 6), 0.);
}

// A winch pulls with 0.5 m/s on a rope of 1 m over a ball that rests 0.7 m below it, so that the rope is slack for 0.6
// s.
TEST(JointDistanceR, IsARopeThatIsWoundUpBeforeItIsTaut) {
  HangingBall hanging(-0.7, DistanceJointR({0., 0., 0.}, {0., 0., 0.}, 1.)
                                .below(1.)
                                .following(Motion([](double t) { return 0.5 * t; }, [](double) { return 0.5; })));
  hanging.model.link("floor", NewtonImpactNSL(0.),
                     PrescribedMotionR::ofPosition(2, Motion([](double) { return -0.7; }, [](double) { return 0.; })),
                     hanging.ball);
  hanging.simulation = std::make_unique<TimeStepping>(hanging.model, 1e-3);
  hanging.run(0.5);
  EXPECT_NEAR(hanging.ball->q()(2), -0.7, 1e-12);  // exactly, but for rounding
  EXPECT_EQ(hanging.link->lambda(1)(0), 0.);
  hanging.run(1.);
  EXPECT_NEAR(hanging.ball->q()(2), -0.5, 1e-3);  // lifted since t = 0.6, up to the way of a step or two
  EXPECT_NEAR(hanging.link->lambda(0)(0), HangingBall::mass * HangingBall::g, 1e-9);
}

}  // namespace
