// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <memory>
#include <support/Matchers.hpp>

// What a simulation says before its first step.
namespace delassus::test {
namespace {

constexpr double weight = 9.81;  // N, of 1 kg

// Warnings of initialise(), of a scene that then runs, too.
template <class Scene>
std::size_t warningsAtStart(Scene&& scene, const TimeSteppingOptions& options = {}) {
  const std::size_t before = Log::count(LogLevel::warning);
  Log::setTerminal(LogLevel::none);
  TimeStepping simulation(scene.model, TimeDiscretisation(0., 1e-3), options);
  simulation.initialise();
  const std::size_t warnings = Log::count(LogLevel::warning) - before;
  simulation.run();
  Log::setTerminal(LogLevel::warning);
  return warnings;
}

/// A ball of 1 m on the floor, so deep.
struct BallOnFloor {
  NonSmoothDynamicalSystem model{0., 3e-3};

  explicit BallOnFloor(double depth) {
    model.setGravity({0., 0., -weight});
    const auto ball =
        model.insert("ball", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 1. - depth}), Vector(6), 1.,
                                                             NewtonEulerDS::ballInertia(1., 1.)));
    model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SpherePlane(1., Plane{})), ball);
  }
};

/// A mass whose height is q, less the height of the floor.
struct MassOnFloor {
  NonSmoothDynamicalSystem model{0., 3e-3};

  MassOnFloor(double q, double floor, double force = -weight) {
    const auto mass =
        model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector{q}, Vector{0.}, Matrix(1, 1, 1.)));
    mass->setExternalForces(Vector{force});
    model.link("floor", NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}}), Vector{-floor}), mass);
  }
};

TEST(StartCheck, WarnsOfABodyThatStartsDeeperThanAHundredthOfIt) {
  EXPECT_EQ(warningsAtStart(BallOnFloor(0.05)), 1U);
  EXPECT_EQ(warningsAtStart(BallOnFloor(1e-3)), 0U);
  EXPECT_EQ(warningsAtStart(BallOnFloor(1e-12)), 0U);
  EXPECT_EQ(warningsAtStart(BallOnFloor(-1e-3)), 0U);
}

TEST(StartCheck, WarnsOfCoordinatesThatStartDeepBesideTheirTermsAndTheFirstStep) {
  EXPECT_EQ(warningsAtStart(MassOnFloor(-0.05, 0.)), 1U);
  EXPECT_EQ(warningsAtStart(MassOnFloor(0.95, 1.)), 1U);
  EXPECT_EQ(warningsAtStart(MassOnFloor(0.95, 1., 0.)), 1U);
  // A step moves it by g h² = 1e-5 m; a hundredth of the terms of the gap is 1e-2 m.
  EXPECT_EQ(warningsAtStart(MassOnFloor(-5e-5, 0.)), 0U);
  EXPECT_EQ(warningsAtStart(MassOnFloor(0.995, 1.)), 0U);
  EXPECT_EQ(warningsAtStart(MassOnFloor(-1e-17, 0., 0.)), 0U);
}

TEST(StartCheck, NamesTheDeepestContactAndItsDepth) {
  BallOnFloor deep(0.05);
  TimeStepping simulation(deep.model, TimeDiscretisation(0., 1e-3), {.wrongMotion = FailureAction::accept});
  simulation.initialise();
  const std::string clause = describeDeepStart(deep.model, 0., 1e-3);
  EXPECT_NE(clause.find("'floor'"), std::string::npos) << clause;
  EXPECT_NE(clause.find("0.05"), std::string::npos) << clause;
}

TEST(StartCheck, NamesTheJointThatHoldsOverlappingBodiesTogether) {
  NonSmoothDynamicalSystem model(0., 1e-3);
  const auto ballAt = [&](const char* name, double x) {
    return model.insert(name, std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.}), Vector(6), 1.,
                                                              NewtonEulerDS::ballInertia(1., 1.)));
  };
  const auto one = ballAt("one", 0.), two = ballAt("two", 1.9), three = ballAt("three", 4.);
  model.link("elbow", EqualityConditionNSL(3), SphericalJointR::at({0.95, 0., 0.}, one->q(), two->q()), one, two);
  model.link("wrist", EqualityConditionNSL(3), SphericalJointR::at({3., 0., 0.}, two->q(), three->q()), two, three);
  model.link("contact", NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SphereSphere(1., 1.)), one, two);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), {.wrongMotion = FailureAction::accept});
  simulation.initialise();
  const std::string clause = describeDeepStart(model, 0., 1e-3);
  EXPECT_NE(clause.find("'contact'"), std::string::npos) << clause;
  EXPECT_NE(clause.find("'elbow'"), std::string::npos) << clause;
  EXPECT_EQ(clause.find("'wrist'"), std::string::npos) << clause;
}

TEST(StartCheck, IsSilentWhereAWrongMotionIsAccepted) {
  EXPECT_EQ(warningsAtStart(BallOnFloor(0.05), {.wrongMotion = FailureAction::accept}), 0U);
}

/// A particle at x = 0.2 m, y = 0.3 m or on the floor, with a relation of two rows of its choice.
struct Particle {
  NonSmoothDynamicalSystem model{0., 0.1};
  std::shared_ptr<LagrangianLinearTIDS> mass;

  template <class R>
  Particle(double x, double y, const R& relation)
      : mass(std::make_shared<LagrangianLinearTIDS>(Vector{x, y}, Vector{1., 0.}, identityMatrix(2))) {
    mass->setExternalForces(Vector{0., -weight});
    model.insert("mass", mass);
    model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.3, 2), relation, mass);
  }
};

// The rows (T, n), where T is no derivative of its output, and (n, T) for comparison.
LagrangianScleronomousR rowsOf(std::size_t gap) {
  return LagrangianScleronomousR(2, withJacobians([gap](const Vector& q, Vector& y) { y(gap) = q(1); },
                                                  [gap](const Vector&, Matrix& G) {
                                                    G(gap, 1) = 1.;
                                                    G(1 - gap, 0) = 1.;
                                                  }));
}

TEST(StartCheck, RefusesAFirstRowThatIsNoGapWhereAnotherIsOne) {
  Particle swapped(0.2, 0.3, rowsOf(1));
  TimeStepping simulation(swapped.model, TimeDiscretisation(0., 1e-3));
  expectError([&] { simulation.initialise(); }, {"'floor'", "first row", "gap", "output 1 = 0.3"});
  for (const double y : {0., 0.3}) EXPECT_EQ(warningsAtStart(Particle(0.2, y, rowsOf(0))), 0U);
}

// Both places are outputs: the same numbers are those of a wall at x = 0, beside which the particle falls.
TEST(StartCheck, TakesTheRowsOfAWallWhichTheSummaryTells) {
  Particle wall(0., 0.3, LagrangianLinearTIR(identityMatrix(2)));
  TimeStepping simulation(wall.model, TimeDiscretisation(0., 1e-3));
  simulation.run();
  EXPECT_TRUE(simulation.statistics().motion.unloaded);
  Particle floor(0.2, 0., LagrangianLinearTIR(makeMatrix({{0., 1.}, {1., 0.}})));
  TimeStepping other(floor.model, TimeDiscretisation(0., 1e-3));
  other.run();
  EXPECT_FALSE(other.statistics().motion.unloaded);
}

}  // namespace
}  // namespace delassus::test
