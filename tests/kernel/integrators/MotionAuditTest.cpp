// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <limits>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <vector>

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

/// A mass on a spring, with ω h = `reach` at h = 0.01 s.
struct Oscillator {
  static constexpr double h = 0.01;

  explicit Oscillator(double reach)
      : mass(std::make_shared<LagrangianLinearTIDS>(
            Vector{1.}, Vector{0.},
            LagrangianLinearTIDS::Matrices{.M = Matrix(1, 1, 2.), .K = Matrix(1, 1, 2. * reach * reach / (h * h))})) {
    model.insert("mass", mass);
  }
  std::size_t warningsOf(MoreauJeanOSI scheme) {
    const std::size_t before = Log::count(LogLevel::warning);
    Log::setTerminal(LogLevel::none);
    TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(scheme));
    simulation.run();
    Log::setTerminal(LogLevel::warning);
    return Log::count(LogLevel::warning) - before;
  }

  NonSmoothDynamicalSystem model{0., 100. * h};
  std::shared_ptr<LagrangianLinearTIDS> mass;
};

// Forces at the beginning of the step and q⁺ = q + h v⁺ are stable for ω h < 2; with (v + v⁺)/2 for no step, but 100
// steps of ω h = 0.5 make 350 of an amplitude of 1, which is far from five times fortyfold an energy. Implicit forces
// are stable for every step.
TEST(MotionAudit, WarnsOnceOfAnExplicitStepBeyondItsStability) {
  for (const double reach : {2.01, 2.2, 4.}) {
    EXPECT_EQ(Oscillator(reach).warningsOf(MoreauJeanOSI::semiExplicit(1.)), 1U) << reach;
    EXPECT_EQ(Oscillator(reach).warningsOf(MoreauJeanOSI::semiExplicit()), 1U) << reach;
    EXPECT_EQ(Oscillator(reach).warningsOf(MoreauJeanOSI()), 0U) << reach;
  }
  for (const double reach : {0.1, 1., 1.9, 1.99}) {
    EXPECT_EQ(Oscillator(reach).warningsOf(MoreauJeanOSI::semiExplicit(1.)), 0U) << reach;
  }
  EXPECT_EQ(Oscillator(1.3).warningsOf(MoreauJeanOSI::semiExplicit()), 1U);
  EXPECT_EQ(Oscillator(0.5).warningsOf(MoreauJeanOSI::semiExplicit()), 0U);
}

TEST(MotionAudit, StopsAnExplicitRunBeyondItsStabilityWhereItIsAskedTo) {
  Oscillator oscillator(4.);
  TimeStepping simulation(oscillator.model, TimeDiscretisation(0., Oscillator::h), MoreauJeanOSI::semiExplicit(1.),
                          {.wrongMotion = FailureAction::raise});
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_LE(simulation.stepIndex(), 81U);  // five looks after the first
}

// The energy of a body at rest grows fast at first under forces that begin smoothly: as t⁸ under t³.
TEST(MotionAudit, DoesNotTakeASmoothStartForAnInstability) {
  const auto cart = std::make_shared<LagrangianLinearTIDS>(Vector{0.}, Vector{0.}, Matrix(1, 1, 1.));
  cart->setExternalForces([](double t, Vector& F) { F(0) = t * t * t; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("cart", cart);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), {.wrongMotion = FailureAction::raise});
  EXPECT_NO_THROW(simulation.run());
  EXPECT_GT(simulation.statistics().motion.growth, 1U);
}

double numberOf(const TimeStepping& simulation, const std::string& name) {
  std::vector<StepNumber> numbers;
  simulation.stepNumbers(numbers);
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const StepNumber& number) { return std::string(number.name) == name; });
  return found == numbers.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

TEST(MotionAudit, FindsQuaternionsOfNormOneToRounding) {
  NonSmoothDynamicalSystem model(0., 0.5);
  model.insert("top",
               std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), makeVector({0., 0., 0., 10., 20., 30.}),
                                               1., NewtonEulerDS::boxInertia(1., 0.1, 0.2, 0.3)));
  TimeStepping simulation(model, TimeDiscretisation(0., 5e-3));
  double farthest = 0.;
  simulation.run([&] { farthest = std::max(farthest, numberOf(simulation, "norm")); });
  EXPECT_GT(farthest, 0.);  // 100 quaternions are not all 1 to the last bit
  EXPECT_LT(farthest, 1e-15);
  EXPECT_EQ(simulation.statistics().motion.norm.value, 0.);
  EXPECT_TRUE(simulation.motionSummary().empty());
  EXPECT_TRUE(std::isnan(numberOf(simulation, "projection")));  // there is none
}

TEST(MotionAudit, GivesWhatAProjectionTookOutOfEachStep) {
  NonSmoothDynamicalSystem model(0., 0.2);
  const auto stone = std::make_shared<LagrangianLinearTIDS>(Vector{0.1}, Vector{0.}, Matrix(1, 1, 1.));
  stone->setExternalForces(Vector{-9.81});
  model.insert("stone", stone);
  model.link("floor", NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})), stone);
  TimeSteppingOptions options;
  options.projection.kind = Projection::direct;
  TimeStepping simulation(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI::pure(), options);
  double largest = 0.;
  simulation.run([&] { largest = std::max(largest, numberOf(simulation, "projection")); });
  EXPECT_GT(largest, 1e-3);  // half a step of the fall at 1.4 m/s is 3.5 mm at most
  EXPECT_EQ(largest, simulation.statistics().motion.projection.value);
}

TEST(MotionAudit, RefusesLimitsThatAreNotPositive) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double limit : {0., -1., nan}) {
    EXPECT_THROW(MotionAudit(MotionAuditOptions{.depth = limit}), Error);
    EXPECT_THROW(MotionAudit(MotionAuditOptions{.energy = limit}), Error);
    EXPECT_THROW(MotionAudit(MotionAuditOptions{.norm = limit}), Error);
  }
  EXPECT_NO_THROW(MotionAudit(MotionAuditOptions{.drift = std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace delassus::test
