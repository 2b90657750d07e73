// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/contacts/Plane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <limits>
#include <memory>

namespace delassus::test {
namespace {

constexpr double radius = 0.1, mass = 1.;

/// A ball that a load presses on the ground, above which rounding has left it.
struct PressedBall {
  NonSmoothDynamicalSystem model{0., 0.2};
  std::shared_ptr<NewtonEulerDS> ball = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0., 0., radius + 1e-11}), Vector(6), mass, NewtonEulerDS::ballInertia(mass, radius));

  PressedBall() {
    ball->setExternalForces(makeVector({0., 0., -2000.}));
    model.insert("ball", ball);
    model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SpherePlane(radius, Plane{})), ball);
  }
  TimeStepping simulation(ContactRule rule, const TimeSteppingOptions& options = {}) {
    return TimeStepping(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(MoreauJeanOptions{.contactRule = rule}),
                        options);
  }
};

TEST(MotionAudit, SaysHowDeepAContactWasThatThePureSchemeLost) {
  PressedBall pressed;
  const std::size_t warnings = Log::count(LogLevel::warning);
  Log::setTerminal(LogLevel::none);
  TimeStepping simulation = pressed.simulation(ContactRule::pure);
  simulation.run();
  Log::setTerminal(LogLevel::warning);
  const MotionAudit::Report& motion = simulation.statistics().motion;
  EXPECT_NEAR(motion.depth.value, -(pressed.ball->q()(2) - radius), 1e-9);
  EXPECT_GT(motion.depth.relative, 0.1);
  EXPECT_EQ(motion.depth.where, "floor");
  EXPECT_EQ(Log::count(LogLevel::warning), warnings + 1);
}

TEST(MotionAudit, StopsTheRunBeforeTheStepWhereItIsAskedTo) {
  PressedBall pressed;
  TimeStepping simulation = pressed.simulation(ContactRule::pure, {.wrongMotion = FailureAction::raise});
  EXPECT_THROW(simulation.run(), Error);
  // The step has not been, and fails again.
  const std::size_t lost = simulation.statistics().motion.lostLoads;
  EXPECT_THROW(simulation.step(), Error);
  EXPECT_EQ(simulation.statistics().motion.lostLoads, lost);
  EXPECT_GT(pressed.ball->q()(2), radius - 1e-2);  // the state is that before the step
}

TEST(MotionAudit, FindsNothingWhereContactsAreKept) {
  PressedBall pressed;
  const std::size_t warnings = Log::count(LogLevel::warning);
  TimeStepping simulation = pressed.simulation(ContactRule::kept, {.wrongMotion = FailureAction::raise});
  simulation.run();
  const MotionAudit::Report& motion = simulation.statistics().motion;
  EXPECT_LT(motion.depth.value, 1e-12);
  EXPECT_EQ(motion.lostLoads, 0u);
  EXPECT_EQ(Log::count(LogLevel::warning), warnings);
}

TEST(MotionAudit, RefusesLimitsThatAreNotPositive) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double limit : {0., -1., nan}) {
    EXPECT_THROW(MotionAudit(MotionAuditOptions{.depth = limit}), Error);
    EXPECT_THROW(MotionAudit(MotionAuditOptions{.energy = limit}), Error);
  }
  EXPECT_NO_THROW(MotionAudit(MotionAuditOptions{.drift = std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace delassus::test
