// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/RunSummary.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <vector>

namespace delassus::test {
namespace {

/// A rod that swings about a hinge at its end, let go where it is level.
struct HingedRod {
  NonSmoothDynamicalSystem model{0., 12.};
  std::shared_ptr<NewtonEulerDS> rod = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0.5, 0., 0.}), Vector(6), 1., makeMatrix({{0.01, 0., 0.}, {0., 0.08, 0.}, {0., 0., 0.08}}));

  HingedRod() {
    model.setGravity({0., 0., -9.81});
    model.insert("rod", rod);
    model.link("hinge", EqualityConditionNSL(5), PivotJointR::at({0., 0., 0.}, {0., 1., 0.}, rod->q()), rod);
  }
  /// With outputs so far apart that the tolerance alone determines the steps.
  EventDriven simulation(double tolerance, FailureAction wrongMotion = FailureAction::relax) {
    EventDrivenOptions options;
    options.integration.relativeTolerance = options.integration.absoluteTolerance = tolerance;
    options.wrongMotion = wrongMotion;
    return EventDriven(model, 4., options);
  }
};

/// A rod whose end meets the ground at 45 degrees. With e = 1 Newton's law turns the normal velocity round, whatever
/// friction has done meanwhile: its impulse then has the direction of the slip's mean, and gives energy.
struct SlidingRodEnd {
  static constexpr double mass = 1., length = 1., inertia = mass * length * length / 12.;
  NonSmoothDynamicalSystem model{0., 0.02};
  std::shared_ptr<LagrangianLinearTIDS> rod;

  explicit SlidingRodEnd(double friction) {
    const double angle = 0.25 * std::acos(-1.);
    rod = std::make_shared<LagrangianLinearTIDS>(makeVector({0., 0.5 * length * std::sin(angle) + 1e-3, angle}),
                                                 makeVector({0.8, -1., 0.}),
                                                 makeMatrix({{mass, 0., 0.}, {0., mass, 0.}, {0., 0., inertia}}));
    model.insert("rod", rod);
    const auto gap = [](const auto& q, auto& y) {
      using std::sin;
      y(0) = q(1) - 0.5 * length * sin(q(2));
    };
    const auto tangent = [](double, const Vector& q, Matrix& T) {
      T(0, 0) = 1.;
      T(0, 2) = 0.5 * length * std::sin(q(2));
    };
    model.link("floor", NewtonImpactFrictionNSL(1., 0., friction, 2), LagrangianContactR(2, automatic(gap), tangent),
               rod);
  }
  double kineticEnergy() const {
    const Vector& v = rod->velocity();
    return 0.5 * (mass * (v(0) * v(0) + v(1) * v(1)) + inertia * v(2) * v(2));
  }
};

std::size_t warningsOf(EventDriven& simulation) {
  const std::size_t before = Log::count(LogLevel::warning);
  Log::setTerminal(LogLevel::none);
  simulation.run();
  Log::setTerminal(LogLevel::warning);
  return Log::count(LogLevel::warning) - before;
}

TEST(EventDrivenAudit, WarnsOnceOfAJointThatALooseIntegrationLetsDrift) {
  HingedRod hinged;
  EventDriven simulation = hinged.simulation(0.1);
  EXPECT_EQ(warningsOf(simulation), 1u);
  const MotionExtreme& drift = simulation.statistics().motion.drift;
  EXPECT_GT(drift.relative, 0.1);
  EXPECT_EQ(drift.where, "hinge");
  EXPECT_FALSE(RunSummary::of(simulation).motion.empty());
}

TEST(EventDrivenAudit, FindsADriftOfTheOrderOfTheTolerance) {
  HingedRod hinged;
  EventDriven simulation = hinged.simulation(1e-9);
  EXPECT_EQ(warningsOf(simulation), 0u);
  const double drift = simulation.statistics().motion.drift.value;
  EXPECT_GT(drift, 0.);
  EXPECT_LT(drift, 1e-7);  // some hundred steps, with an error of 1e-9 each
}

// A quaternion is integrated, and nothing but the tolerance keeps its norm.
TEST(EventDrivenAudit, FindsTheNormOfAQuaternionOfTheOrderOfTheTolerance) {
  const auto normOf = [](double tolerance) {
    NonSmoothDynamicalSystem model(0., 12.);
    const auto top =
        std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), makeVector({0., 0., 0., 1., 2., 3.}), 1.,
                                        NewtonEulerDS::boxInertia(1., 0.1, 0.2, 0.3));
    model.insert("top", top);
    EventDrivenOptions options;
    options.integration.relativeTolerance = options.integration.absoluteTolerance = tolerance;
    EventDriven simulation(model, 4., options);
    EXPECT_EQ(warningsOf(simulation), 0u);
    EXPECT_EQ(simulation.statistics().motion.norm.where, "top");
    return simulation.statistics().motion.norm.value;
  };
  const double coarse = normOf(1e-5), fine = normOf(1e-10);
  EXPECT_GT(coarse, 1e-8);
  EXPECT_LT(fine, 1e-3 * coarse);
}

TEST(EventDrivenAudit, IsSilentWhereItIsAskedTo) {
  HingedRod hinged;
  EventDriven simulation = hinged.simulation(0.1, FailureAction::accept);
  EXPECT_EQ(warningsOf(simulation), 0u);
  EXPECT_GT(simulation.statistics().motion.drift.relative, 0.1);
}

TEST(EventDrivenAudit, StopsTheRunBeforeTheOutputWhereItIsAskedTo) {
  HingedRod hinged;
  EventDriven simulation = hinged.simulation(0.1, FailureAction::raise);
  EXPECT_THROW(simulation.run(), Error);
  const double reached = simulation.time();
  const double drift = simulation.statistics().motion.drift.relative;
  EXPECT_LT(drift, MotionAuditOptions{}.drift);
  // The output has not been, and fails again.
  EXPECT_THROW(simulation.step(), Error);
  EXPECT_EQ(simulation.time(), reached);
  EXPECT_EQ(simulation.statistics().motion.drift.relative, drift);
}

TEST(EventDrivenAudit, CountsTheEnergyThatAnImpactWithFrictionGave) {
  SlidingRodEnd end(0.3);
  const double before = end.kineticEnergy();
  EventDriven simulation(end.model, 0.02);
  EXPECT_EQ(warningsOf(simulation), 1u);
  EXPECT_EQ(simulation.statistics().impacts, 1u);
  const double gained = end.kineticEnergy() - before;
  EXPECT_GT(gained, 0.05 * end.kineticEnergy());
  EXPECT_NEAR(simulation.statistics().motion.givenEnergy, gained, 1e-12);
}

TEST(EventDrivenAudit, FindsNoEnergyWhereImpactsTakeSome) {
  SlidingRodEnd end(0.);
  EventDriven simulation(end.model, 0.02);
  EXPECT_EQ(warningsOf(simulation), 0u);
  EXPECT_EQ(simulation.statistics().impacts, 1u);
  EXPECT_NEAR(simulation.statistics().motion.givenEnergy, 0., 1e-15);  // rounding: without friction e = 1 keeps it
}

// A racket that moves drives the ball: it gives energy, and nothing is wrong.
TEST(EventDrivenAudit, DoesNotJudgeTheEnergyOfWhatIsDriven) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1}), makeVector({0.}), makeMatrix({{1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("ball", ball);
  const auto gap = [](double t, const Vector& q, Vector& y) { y(0) = q(0) - t; };
  const auto jacobian = [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; };
  const auto rate = [](double, const Vector&, Vector& yDot) { yDot(0) = -1.; };
  model.link("racket", NewtonImpactNSL(0.5), LagrangianRheonomousR(1, withJacobians(gap, jacobian, rate)), ball);
  EventDriven simulation(model, 0.5);
  EXPECT_EQ(warningsOf(simulation), 0u);
  EXPECT_EQ(simulation.statistics().impacts, 1u);
  EXPECT_EQ(simulation.statistics().motion.givenEnergy, 0.);
}

// The first output is 0, and its row of G a tangent; the second is the height.
TEST(EventDrivenStart, RefusesAContactWhoseFirstRowIsNoGap) {
  NonSmoothDynamicalSystem model(0., 0.1);
  const auto particle = std::make_shared<LagrangianLinearTIDS>(Vector{0.2, 0.3}, Vector{1., 0.}, identityMatrix(2));
  model.insert("particle", particle);
  const auto height = [](const Vector& q, Vector& y) { y(1) = q(1); };
  const auto rows = [](const Vector&, Matrix& G) { G(0, 0) = G(1, 1) = 1.; };
  model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.3, 2), LagrangianScleronomousR(2, withJacobians(height, rows)),
             particle);
  EventDriven simulation(model, 0.1);
  expectError([&] { simulation.initialise(); }, {"'floor'", "first row", "gap"});
}

TEST(EventDrivenStart, RefusesAContactThatIsDeep) {
  BouncingBall ball(-0.05, 0., 0., 0.1);
  EventDriven simulation(ball.model, 0.1);
  expectError([&] { simulation.initialise(); }, {"gap", "-0.05"});
}

TEST(EventDrivenAudit, GivesNumbersOfEachOutput) {
  HingedRod hinged;
  EventDriven simulation = hinged.simulation(1e-6);
  std::vector<double> drifts;
  simulation.run([&] {
    std::vector<StepNumber> numbers;
    simulation.stepNumbers(numbers);
    const auto drift = std::find_if(numbers.begin(), numbers.end(),
                                    [](const StepNumber& number) { return std::string(number.name) == "drift"; });
    ASSERT_NE(drift, numbers.end());
    drifts.push_back(drift->value);
  });
  ASSERT_EQ(drifts.size(), 3u);
  EXPECT_EQ(*std::max_element(drifts.begin(), drifts.end()), simulation.statistics().motion.drift.value);
}

}  // namespace
}  // namespace delassus::test
