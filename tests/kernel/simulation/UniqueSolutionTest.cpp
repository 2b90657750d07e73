// SPDX-License-Identifier: Apache-2.0
//
// TimeSteppingOptions::requireUniqueSolution: ill-posed interconnections are named, well-posed ones pass.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TimeSteppingOptions strict() {
  TimeSteppingOptions options;
  options.requireUniqueSolution = true;
  return options;
}

// x' = −x + λ with y = x + D λ: well posed for D ≥ 0 alone.
struct OneDiode {
  explicit OneDiode(double D)
      : model(0., 1.),
        system(std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}))),
        diode(std::make_shared<Interaction>(
            ComplementarityConditionNSL(),
            FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{D}}), makeMatrix({{1.}})))) {
    diode->setName("diode");
    model.insert(system);
    model.link(diode, system);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> diode;
};

TEST(RequireUniqueSolution, PassesAWellPosedInterconnection) {
  OneDiode circuit(0.5);
  TimeStepping simulation(circuit.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), strict());
  EXPECT_NO_THROW(simulation.run());
  EXPECT_TRUE(simulation.lastStep().unique);
}

TEST(RequireUniqueSolution, NamesStepInteractionAndRowWhereThereAreTwoSolutions) {
  OneDiode circuit(-1.);
  TimeStepping simulation(circuit.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), strict());
  for (int attempt = 0; attempt < 2; ++attempt) {
    expectError([&] { simulation.step(); },
                {"step 0 from t = 0 to 0.1", "LCP", "ill-posed", "not unique", "row 0 of 'diode'"});
  }
  EXPECT_EQ(simulation.time(), 0.);
  EXPECT_EQ(circuit.system->x()(0), 1.);
  // Without the option it goes on with one of them.
  OneDiode lenient(-1.);
  TimeStepping other(lenient.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  EXPECT_NO_THROW(other.step());
}

TEST(RequireUniqueSolution, NamesAnInterconnectionThatLosesItsSolutionOnTheWay) {
  // y = x − 1 − λ with x falling from above: when y reaches zero no λ ≥ 0 holds it up.
  const auto run = [](const TimeSteppingOptions& options) {
    const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({2.}), makeMatrix({{-1.}}));
    NonSmoothDynamicalSystem model(0., 2.);
    FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{-1.}}), makeMatrix({{0.}}));
    relation.setE(makeVector({-1.}));
    const auto diode = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
    diode->setName("diode");
    model.insert(system);
    model.link(diode, system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), options);
    simulation.run();
  };
  expectError([&] { run(strict()); }, {"step 0 ", "ill-posed", "'diode'"});
  expectError([&] { run({}); }, {"step 7 ", "'diode'"});
}

TEST(RequireUniqueSolution, FollowsThePolicyAndIsCounted) {
  OneDiode circuit(-1.);
  TimeStepping simulation(circuit.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), strict());
  std::size_t calls = 0;
  simulation.setFailurePolicy([&](const StepReport& report, const TimeStepping&) {
    ++calls;
    EXPECT_FALSE(report.unique);
    EXPECT_TRUE(report.solve.converged());
    return FailureAction::accept;
  });
  simulation.step();
  EXPECT_EQ(calls, 1U);
  EXPECT_EQ(simulation.statistics().acceptedFailures, 1U);
}

TEST(RequireUniqueSolution, IsTestedAgainWhenTheMatrixChanges) {
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
  FirstOrderLinearR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation.setD([](double t, Matrix& D) { D(0, 0) = 0.45 - t; });
  const auto diode = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
  diode->setName("diode");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(diode, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), strict());
  // D + hW⁻¹ with h W⁻¹ = 0.1 / 1.1 is negative from t = 0.6 on.
  expectError([&] { simulation.run(); }, {"step 5 from t = 0.5 to 0.6", "'diode'"});
}

TEST(RequireUniqueSolution, EliminatesEqualitiesInMixedProblems) {
  // An algebraic equation −λ₀ + λ₁ + x = 0 and a diode y = ±λ₀ + 3: W is no P-matrix, but with + the mixed problem is
  // well posed. With − it has two solutions.
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
  const auto make = [](double sign) {
    FirstOrderLinearTIR relation(makeMatrix({{1.}, {0.}}), makeMatrix({{-1., 1.}, {sign, 0.}}), Matrix(1, 2));
    relation.setE(makeVector({0., 3.}));
    return relation;
  };
  for (const double sign : {1., -1.}) {
    const auto circuit = std::make_shared<Interaction>(MixedComplementarityConditionNSL(2, 1), make(sign));
    circuit->setName("circuit");
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(system);
    model.link(circuit, system);
    TimeStepping mixed(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), MLCP(), strict());
    TimeStepping box(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), Relay(), strict());
    for (TimeStepping* simulation : {&mixed, &box}) {
      if (sign > 0.) {
        EXPECT_NO_THROW(simulation->step());
      } else {
        expectError([&] { simulation->step(); }, {"step 0", "row 1 of 'circuit'"});
      }
    }
  }
}

TEST(RequireUniqueSolution, PolyhedraWithMoreFacesThanDimensionsPass) {
  // The interval [−1, 1] as two faces: their auxiliary multipliers need not be unique, λ is.
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{0.}}));
  const auto relay = std::make_shared<Interaction>(NormalConeNSL(makeMatrix({{1.}, {-1.}}), makeVector({1., 1.})),
                                                   FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(relay, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), MLCP(), strict());
  EXPECT_NO_THROW(simulation.step());
}

TEST(RequireUniqueSolution, SaysThatAProblemIsTooLargeToTell) {
  const std::size_t m = 30;
  Matrix D = identityMatrix(m);
  D(0, 1) = -10.;
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{0.}}));
  const auto large = std::make_shared<Interaction>(ComplementarityConditionNSL(m),
                                                   FirstOrderLinearTIR(Matrix(m, 1, 1.), D, Matrix(1, m)));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(large, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP(), strict());
  expectError([&] { simulation.step(); }, {"cannot be decided", "30 rows", "20"});
}

TEST(RequireUniqueSolution, DoesNotCountTheBridgeOfDiodesAsUnique) {
  // For some sources its diodes share a current in several ways; its states are unique all the same.
  const double L = 1e-2, C = 1e-6, R = 1e3;
  Matrix c(4, 2), B(2, 4);
  c(2, 0) = -1.;
  c(3, 0) = 1.;
  B(0, 2) = -1. / C;
  B(0, 3) = 1. / C;
  const Matrix D =
      makeMatrix({{1. / R, 1. / R, -1., 0.}, {1. / R, 1. / R, 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}});
  const auto system =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({10., 0.}), makeMatrix({{0., -1. / C}, {1. / L, 0.}}));
  const auto bridge = std::make_shared<Interaction>(ComplementarityConditionNSL(4), FirstOrderLinearTIR(c, D, B));
  bridge->setName("bridge");
  NonSmoothDynamicalSystem model(0., 1e-4);
  model.insert(system);
  model.link(bridge, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-6), EulerMoreauOSI(0.5), LCP(), strict());
  expectError([&] { simulation.step(); }, {"'bridge'", "not unique"});
}

}  // namespace
