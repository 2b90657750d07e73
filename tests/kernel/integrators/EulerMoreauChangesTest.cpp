// SPDX-License-Identifier: Apache-2.0
//
// Changes by users between steps, errors of their functions, and models whose rows have different units.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <support/Circuits.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<FirstOrderLinearTIDS> decay(double x0) {
  return std::make_shared<FirstOrderLinearTIDS>(makeVector({x0}), makeMatrix({{-1.}}));
}

std::shared_ptr<Interaction> bound(double b) {
  FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation.setE(makeVector({-b}));
  const auto interaction = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
  interaction->setName("bound");
  return interaction;
}

TEST(EulerMoreauChanges, FollowsAControlThatIsGivenBetweenSteps) {
  // ẋ = −x + u, u = −10 x: x⁺ = x / (1 + 11 h) for θ = 1.
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay(1.);
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  simulation.step();
  const double before = system->x()(0);
  system->setControl(makeMatrix({{1.}}), automatic([](double, const auto& x, auto& u) { u(0) = -10. * x(0); }));
  simulation.step();
  EXPECT_NEAR(system->x()(0), before / 2.1, 1e-12);
}

TEST(EulerMoreauChanges, FollowsAMassThatBecomesAFunctionBetweenSteps) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderLinearDS>(makeVector({1.}), makeMatrix({{-1.}}));
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  simulation.step();
  const double before = system->x()(0);
  system->setM([](double t, const Vector&, Matrix& M) { M(0, 0) = 10. * t; });
  simulation.step();
  // M at the end of the step, t = 0.2.
  EXPECT_NEAR(system->x()(0), before * 2. / 2.1, 1e-12);
  system->setM(makeMatrix({{1.}}));
  system->setA([](double t, Matrix& A) { A(0, 0) = -t; });
  const double again = system->x()(0);
  simulation.step();
  EXPECT_NEAR(system->x()(0), again / 1.03, 1e-12);
}

TEST(EulerMoreauChanges, AResetIsFollowedAsAFreshStartIs) {
  NonSmoothDynamicalSystem changed(0., 2.), fresh(0., 2.);
  const auto one = decay(1.), other = decay(-1.);
  changed.insert(one);
  changed.link(bound(0.5), one);
  fresh.insert(other);
  fresh.link(bound(0.5), other);
  TimeSteppingOptions lenient;
  lenient.requireConsistentStart = false;
  TimeStepping first(changed, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5, 0.5), LCP());
  for (int k = 0; k < 12; ++k) first.step();
  one->setState(makeVector({-1.}));
  TimeStepping second(fresh, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5, 0.5), LCP(), lenient);
  for (int k = 0; k < 8; ++k) {
    first.step();
    second.step();
    EXPECT_NEAR(one->x()(0), other->x()(0), 1e-14);
    // The jump to the bound is not done a second time by the input of the step before.
    EXPECT_NEAR(one->x()(0), 0.5, 1e-13);
  }
}

TEST(EulerMoreauChanges, AStateSetBeforeTheFirstStepIsTestedForConsistencyToo) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay(1.);
  model.insert(system);
  model.link(bound(0.5), system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  simulation.initialise();
  system->setState(makeVector({-5.}));
  expectError([&] { simulation.step(); }, {"not consistent", "'bound'"});
  system->setState(makeVector({0.75}));
  EXPECT_NO_THROW(simulation.step());
}

TEST(EulerMoreauChanges, AnInconsistentStartIsReportedWithItsOutput) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay(0.25);
  model.insert(system);
  model.link(bound(0.5), system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { simulation.initialise(); }, {"not consistent", "y of 'bound' is (-0.25)"});
}

TEST(EulerMoreauChanges, AStateKnownToTenDigitsIsConsistent) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay(0.5 - 5e-11);
  model.insert(system);
  model.link(bound(0.5), system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  EXPECT_NO_THROW(simulation.step());
  EXPECT_NEAR(system->x()(0), 0.5, 1e-15);
}

TEST(EulerMoreauChanges, CoefficientsThatDoNotFitAreNamedAlsoAfterTheLink) {
  const auto run = [](auto change) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto system = decay(1.);
    const auto relation = std::make_shared<FirstOrderLinearR>(makeMatrix({{1.}}), makeMatrix({{1.}}));
    const auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(), relation);
    interaction->setName("gate");
    model.insert(system);
    model.link(interaction, system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
    change(*relation, simulation);
  };
  const Matrix wide = makeMatrix({{1., 2., 3., 4., 5., 6., 7., 8.}});
  run([&](auto& relation, auto& simulation) {
    relation.setC(wide);
    expectError([&] { simulation.step(); }, {"'gate'", "columns of C is 8", "1 states"});
  });
  run([&](auto& relation, auto& simulation) {
    simulation.step();
    relation.setC(wide);
    expectError([&] { simulation.step(); }, {"'gate'", "columns of C is 8"});
  });
  run([&](auto& relation, auto& simulation) {
    simulation.step();
    relation.setF(wide);
    expectError([&] { simulation.step(); }, {"'gate'", "z (one entry a column of F)"});
  });
  FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  expectError([&] { relation.setFz(wide, makeVector({1.})); }, {"FirstOrderLinearTIR: z", "size 8"});
  EXPECT_NO_THROW(relation.setD(2. * makeMatrix({{1.}})));
}

// A diagonal system of one state of ordinary size and one of circuit units, 1e-12 F.
TEST(EulerMoreauChanges, NewtonSolvesEveryRowWhateverItsUnits) {
  for (const double capacitance : {1., 1e-6, 1e-12}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto system = std::make_shared<FirstOrderNonLinearDS>(
        makeVector({1., 1.}), automatic([capacitance](double, const auto& x, auto& f) {
          f(0) = -x(0);
          f(1) = -capacitance * (x(1) * x(1) * x(1) + x(1));
        }));
    system->setM(diagonalMatrix({1., capacitance}));
    model.insert(system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.25), EulerMoreauOSI(1.), LCP());
    simulation.step();
    const double x = system->x()(1);
    EXPECT_NEAR(x - 1. + 0.25 * (x * x * x + x), 0., 1e-10) << capacitance;
  }
}

TEST(EulerMoreauChanges, NewtonSolvesEveryOutputWhateverItsUnits) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({0.5, 0.5}), 0. * identityMatrix(2), makeVector({1., 1.}));
  const auto relation = FirstOrderType2R(2, automatic([](double, const auto& x, const auto& l, auto& y) {
                                           y(0) = 1e9 * (x(0) - 0.5 + l(0));
                                           y(1) = x(1) * x(1) * x(1) - 0.125 + l(1) + l(1) * l(1) * l(1);
                                         }),
                                         automatic([](double, const auto& l, auto& r) {
                                           r(0) = l(0);
                                           r(1) = l(1);
                                         }));
  const auto interaction = std::make_shared<Interaction>(EqualityConditionNSL(2), relation);
  model.insert(system);
  model.link(interaction, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.25), EulerMoreauOSI(1.), Relay());
  simulation.run();
  EXPECT_NEAR(interaction->y(0)(1), 0., 1e-10);
}

// Functions that give the wrong size or no number from t > 0.25 on.
TEST(EulerMoreauChanges, WhatRelationsGiveWrongIsNamedWithInteractionAndTime) {
  const auto run = [](auto relation) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto system = decay(1.);
    const auto interaction = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
    interaction->setName("sensor");
    model.insert(system);
    model.link(interaction, system);
    TimeStepping(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP()).run();
  };
  const auto good = [](double, const Vector& x, const Vector& l, Vector& y) { y(0) = x(0) + l(0); };
  const auto grows = [](double t, const Vector& x, const Vector& l, Vector& y) {
    if (t > 0.25) y.resize(2);
    y(0) = x(0) + l(0);
  };
  const auto breaks = [](double t, const Vector& x, const Vector& l, Vector& y) {
    y(0) = t > 0.25 ? std::nan("") : x(0) + l(0);
  };
  const auto input = [](double, const Vector& l, Vector& r) { r(0) = l(0); };
  const auto one = [](double, const Vector&, const Vector&, Matrix& J) { J(0, 0) = 1.; };
  const auto wrongMatrix = [](double t, const Vector&, const Vector&, Matrix& J) {
    if (t > 0.25) J.resize(1, 3);
    J(0, 0) = 1.;
  };
  expectError([&] { run(FirstOrderType2R(1, differenced(grows), differenced(input))); },
              {"'sensor'", "FirstOrderType2R", "t = 0.3", "size 1", "size 2"});
  expectError([&] { run(FirstOrderType2R(1, differenced(breaks), differenced(input))); },
              {"'sensor'", "t = 0.3", "nan"});
  expectError([&] { run(FirstOrderType2R(1, withJacobians(good, wrongMatrix, one), differenced(input))); },
              {"'sensor'", "Jacobian C", "t = 0.3", "1 x 3"});
  expectError([&] { run(FirstOrderNonLinearR(1, differenced(good), differenced(breaks))); },
              {"'sensor'", "FirstOrderNonLinearR", "t = 0.3", "nan"});
  expectError(
      [&] {
        run(FirstOrderType1R(1, differenced([](double, const Vector& x, Vector& y) { y(0) = x(0); }),
                             differenced([](double t, const Vector& l, Vector& r) {
                               if (t > 0.25) r.resize(3);
                               r(0) = l(0);
                             })));
      },
      {"'sensor'", "FirstOrderType1R", "t = 0.3", "size 3"});
}

// Two integrators that feed each other through K = [0 10; 10 0]: W = 1 − hK is singular for h = 0.1.
TEST(EulerMoreauChanges, ASingularMatrixOfSystemsThatARelationTiesIsNamedWithBoth) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto left = decay(1.), right = decay(1.);
  left->setA(makeMatrix({{0.}}));
  right->setA(makeMatrix({{0.}}));
  left->setName("left");
  right->setName("right");
  model.insert(left);
  model.insert(right);
  const auto feedback = std::make_shared<Interaction>(
      ComplementarityConditionNSL(),
      FirstOrderNonLinearR(1, automatic([](double, const auto& x, const auto& l, auto& y) { y(0) = x(0) + l(0); }),
                           automatic([](double, const auto& x, const auto& l, auto& r) {
                             r(0) = 10. * x(1) + l(0);
                             r(1) = 10. * x(0);
                           })));
  feedback->setName("feedback");
  model.link(feedback, left, right);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { simulation.step(); },
              {"'left', 'right'", "K that of 'feedback'", "t = 0.1", "h = 0.1", "singular"});
}

// Laws of three kinds in three interactions of one varying model, dense in MLCP, on a box in Relay.
TEST(EulerMoreauChanges, MixedProblemsThatVaryInTimeAreTheSameAsMlcpAndAsRelay) {
  const auto run = [](auto problem, std::vector<double>& trajectory) {
    NonSmoothDynamicalSystem model(0., 2.);
    const auto system = std::make_shared<FirstOrderLinearDS>(makeVector({0., 0.2, -0.3}));
    system->setA([](double t, Matrix& A) {
      for (std::size_t i = 0; i < 3; ++i) A(i, i) = -1. - 0.5 * std::sin(t + static_cast<double>(i));
      A(0, 1) = 2.;
      A(1, 2) = -1.;
    });
    system->setB([](double t, Vector& b) { b(0) = b(2) = 3. * std::cos(4. * t); });
    model.insert(system);
    const auto link = [&](std::shared_ptr<NonSmoothLaw> law, std::size_t first, std::size_t rows) {
      const auto relation = std::make_shared<FirstOrderLinearR>(rows);
      Matrix C(rows, 3, 0.);
      for (std::size_t i = 0; i < rows; ++i) C(i, first + i) = 1.;
      relation->setC(C).setB(Matrix(trans(C)));
      relation->setD([rows](double t, Matrix& D) {
        for (std::size_t i = 0; i < rows; ++i) D(i, i) = 0.2 + 0.1 * std::sin(3. * t);
      });
      model.link(std::make_shared<Interaction>(law, std::shared_ptr<Relation>(relation)), system);
    };
    link(std::make_shared<EqualityConditionNSL>(1), 0, 1);
    link(std::make_shared<ComplementarityConditionNSL>(1), 1, 1);
    link(std::make_shared<NormalConeNSL>(makeMatrix({{-1., 0.}, {0., -1.}, {1., 1.}}), makeVector({0.3, 0.3, 0.5})), 1,
         2);
    TimeStepping(model, TimeDiscretisation(0., 0.02), EulerMoreauOSI(0.5, 0.7), std::move(problem)).run([&] {
      for (const double x : system->x().data()) trajectory.push_back(x);
    });
  };
  std::vector<double> dense, box;
  run(MLCP(), dense);
  run(Relay(), box);
  ASSERT_EQ(dense.size(), box.size());
  // Both are certified to 1e-8; exact methods leave rounding.
  for (std::size_t k = 0; k < box.size(); ++k) EXPECT_NEAR(dense[k], box[k], 1e-9);
}

TEST(EulerMoreauChanges, ALargeSparseLadderIsTheSameAsWithADenseSolver) {
  DiodeLadder sparse(120, 2.), dense(120, 2.);
  TimeStepping first(sparse.model, TimeDiscretisation(0., 0.05), EulerMoreauOSI(1.), LCP());
  TimeStepping second(dense.model, TimeDiscretisation(0., 0.05), EulerMoreauOSI(1.), LCP(LemkeSolver{}));
  std::size_t switchings = 0;
  std::vector<bool> conducted(120, false);
  while (first.hasNextStep()) {
    first.step();
    second.step();
    for (std::size_t i = 0; i < 120; ++i) {
      EXPECT_NEAR(sparse.stages[i]->x()(0), dense.stages[i]->x()(0), 1e-9);
      const bool conducts = sparse.diodes[i]->lambda(0)(0) > 0.;
      if (conducts != conducted[i]) ++switchings;
      conducted[i] = conducts;
    }
  }
  EXPECT_GT(switchings, 100U);
}

}  // namespace
