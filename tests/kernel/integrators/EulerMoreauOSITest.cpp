// SPDX-License-Identifier: Apache-2.0
//
// Behaviour of the Euler-Moreau schemes on the smallest models.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<FirstOrderLinearTIDS> decay(double x0 = 1., double rate = 1.) {
  return std::make_shared<FirstOrderLinearTIDS>(makeVector({x0}), makeMatrix({{-rate}}));
}

TEST(EulerMoreauOSI, IsTheThetaMethodWithoutInteractions) {
  for (const double theta : {0., 0.3, 0.5, 1.}) {
    NonSmoothDynamicalSystem model(0., 0.1);
    const auto system = decay();
    model.insert(system);
    TimeStepping(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(theta), LCP()).run();
    EXPECT_NEAR(system->x()(0), (1. - 0.1 * (1. - theta)) / (1. + 0.1 * theta), 1e-15);
  }
}

TEST(EulerMoreauOSI, RefusesThetaAndGammaOutsideOfTheirRanges) {
  expectError([] { EulerMoreauOSI(-0.1); }, {"EulerMoreauOSI", "theta must be in [0, 1]", "-0.1"});
  expectError([] { EulerMoreauOSI(0.5, 0.); }, {"gamma in (0, 1]"});
  expectError([] { EulerMoreauOSI::fullThetaGamma(0.5, 1.5); }, {"gamma = 1.5"});
  expectError([] { EulerMoreauOSI(std::nan("")); }, {"nan"});
}

TEST(EulerMoreauOSI, RefusesSystemsRelationsAndLawsOfMechanicsByName) {
  BouncingBall ball(1., 0., 0.9, 1.);
  ball.ball->setName("ball");
  expectError([&] { TimeStepping(ball.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP()).initialise(); },
              {"EulerMoreauOSI", "'ball'", "not of first order"});
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay();
  model.insert(system);
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactNSL(0.5), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})));
  contact->setName("contact");
  model.link(contact, system);
  expectError([&] { TimeStepping(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP()).initialise(); },
              {"'contact'", "NewtonImpactNSL", "velocities"});
  NonSmoothDynamicalSystem first(0., 1.);
  first.insert(decay());
  expectError([&] { TimeStepping(first, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP()).initialise(); },
              {"MoreauJeanOSI", "not a mechanical one"});
}

TEST(EulerMoreauOSI, NamesASingularIterationMatrixWithTimeAndStep) {
  // W = 1 − hθA = 0 for A = 1/(hθ).
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = decay(1., -20.);
  system->setName("runaway");
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5), LCP());
  expectError([&] { simulation.step(); }, {"'runaway'", "iteration matrix W", "t = 0.1", "h = 0.1", "singular"});
  EXPECT_EQ(system->x()(0), 1.);
}

TEST(EulerMoreauOSI, NamesAMassThatBecomesSingular) {
  NonSmoothDynamicalSystem model(0., 2.);
  const auto system = decay();
  system->setName("tank");
  system->FirstOrderLinearDS::setM([](double t, const Vector&, Matrix& M) { M(0, 0) = t > 0.5 ? 0. : 1.; });
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.25), EulerMoreauOSI(1.), LCP());
  expectError([&] { simulation.run(); }, {"'tank'", "M at t = 0.75", "singular"});
  EXPECT_EQ(simulation.time(), 0.5);
}

TEST(EulerMoreauOSI, NamesTheFunctionThatGivesNaNAndKeepsTheState) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderNonLinearDS>(
      makeVector({1.}),
      differenced([](double t, const Vector& x, Vector& f) { f(0) = t > 0.35 ? std::nan("") : -x(0); }));
  system->setName("reactor");
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { simulation.run(); }, {"'reactor'", "vector field f", "t = 0.4", "nan"});
  EXPECT_EQ(simulation.stepIndex(), 3U);
  EXPECT_TRUE(std::isfinite(system->x()(0)));
}

// y = x, D = 0: no multiplier makes y < 0 admissible.
struct Threshold {
  explicit Threshold(double x0, double feedthrough = 0.) : model(0., 1.), system(decay(x0)) {
    FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
    if (feedthrough > 0.) relation.setD(makeMatrix({{feedthrough}}));
    threshold = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
    threshold->setName("threshold");
    model.insert(system);
    model.link(threshold, system);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> threshold;
};

TEST(EulerMoreauOSI, RefusesAnInconsistentInitialStateUnlessToldNotTo) {
  Threshold below(-1.);
  TimeStepping strict(below.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP());
  expectError([&] { strict.initialise(); }, {"initial state at t = 0", "not consistent", "'threshold'"});
  expectError([&] { strict.step(); }, {"initial state at t = 0", "not consistent", "'threshold'"});

  TimeSteppingOptions options;
  options.requireConsistentStart = false;
  TimeStepping lenient(below.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP(), options);
  lenient.step();
  EXPECT_NEAR(below.system->x()(0), 0., 1e-15);
}

TEST(EulerMoreauOSI, FindsTheMultipliersOfTheInitialState) {
  Threshold below(-1., 2.);
  TimeStepping simulation(below.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP());
  simulation.initialise();
  EXPECT_NEAR(below.threshold->lambda(0)(0), 0.5, 1e-14);
  EXPECT_NEAR(below.threshold->y(0)(0), 0., 1e-14);
  EXPECT_NEAR(below.system->r()(0), 0.5, 1e-14);
  EXPECT_EQ(below.system->x()(0), -1.);
  EXPECT_EQ(below.system->history().size(), 0U);
  EXPECT_EQ(simulation.statistics().steps, 0U);
}

TEST(EulerMoreauOSI, CountsAnOutputThatIsZeroButForRoundingAsConsistent) {
  // 0.1 + 0.2 − 0.3 is not zero in doubles; −ε must not be taken for a violation.
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.3}), makeMatrix({{-1.}}));
  FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation.setE(makeVector({-(0.1 + 0.2)}));
  model.insert(system);
  model.link(std::make_shared<Interaction>(ComplementarityConditionNSL(), relation), system);
  EXPECT_NO_THROW(TimeStepping(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP()).run());
}

TEST(EulerMoreauOSI, HasLevelZeroOnly) {
  Threshold above(1.);
  TimeStepping simulation(above.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP());
  simulation.step();
  EXPECT_EQ(above.threshold->levels(), 1U);
  EXPECT_TRUE(above.threshold->isActive());
  expectError([&] { above.threshold->y(1); }, {"'threshold'", "level 1", "only level 0"});
}

TEST(EulerMoreauOSI, FollowsCoefficientsThatAreGivenAnewBetweenSteps) {
  Threshold changed(1.), fresh(1.);
  TimeStepping simulation(changed.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP());
  simulation.step();
  changed.system->setA(makeMatrix({{-3.}}));
  changed.system->setM(makeMatrix({{2.}}));
  auto& relation = dynamic_cast<FirstOrderLinearTIR&>(changed.threshold->relation());
  relation.setE(makeVector({-0.8}));
  relation.setD(makeMatrix({{0.5}}));
  const Vector x = changed.system->x();
  simulation.step();

  fresh.system->setState(x);
  fresh.system->setA(makeMatrix({{-3.}}));
  fresh.system->setM(makeMatrix({{2.}}));
  auto& same = dynamic_cast<FirstOrderLinearTIR&>(fresh.threshold->relation());
  same.setE(makeVector({-0.8}));
  same.setD(makeMatrix({{0.5}}));
  TimeStepping other(fresh.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), LCP());
  other.step();
  EXPECT_NEAR(changed.system->x()(0), fresh.system->x()(0), 1e-15);
  EXPECT_NEAR(changed.threshold->lambda(0)(0), fresh.threshold->lambda(0)(0), 1e-14);
  EXPECT_GT(changed.threshold->lambda(0)(0), 0.);
}

TEST(EulerMoreauOSI, TakesTheRateOfTheStateForControlsThatDependOnIt) {
  // ẋ = −x − ½ẋ + r without interactions: 1.5 ẋ = −x, exactly the theta-method of that.
  NonSmoothDynamicalSystem model(0., 0.2);
  const auto system = decay();
  system->setControl(makeMatrix({{1.}}),
                     automatic([](const auto&, const auto&, const auto& rate, auto& u) { u(0) = -0.5 * rate(0); }));
  model.insert(system);
  TimeStepping(model, TimeDiscretisation(0., 0.2), EulerMoreauOSI(0.5), LCP()).run();
  EXPECT_NEAR(system->x()(0), (1.5 - 0.1) / (1.5 + 0.1), 1e-12);
}

// A tank that runs empty, ẋ = −√x: its implicit Euler step is the root of x + h √x = x_k, and once x_k is far below h²
// Newton's method jumps from one side of zero to the other.
struct Tank {
  explicit Tank(double level, double end = 4.) : model(0., end) {
    x = std::make_shared<FirstOrderNonLinearDS>(
        makeVector({level}),
        withJacobians([](double, const Vector& state,
                         Vector& f) { f(0) = -std::copysign(std::sqrt(std::abs(state(0))), state(0)); },
                      [](double, const Vector& state, Matrix& J) {
                        J(0, 0) = -0.5 / std::sqrt(std::max(std::abs(state(0)), 1e-300));
                      }));
    model.insert("tank", x);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderNonLinearDS> x;
};

TEST(EulerMoreauOSI, FollowsAStateThatRunsToZeroAsASquareRoot) {
  for (const double h : {0.1, 1e-2, 1e-3}) {
    Tank tank(1.);
    TimeStepping simulation(tank.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.));
    double exact = 1.;
    double worst = 0.;
    simulation.run([&] {
      const double root = 2. * exact / (h + std::sqrt(h * h + 4. * exact));
      exact = root * root;
      worst = std::max(worst, std::abs(tank.x->x()(0) - exact));
    });
    EXPECT_LE(worst, 1e-11) << "h = " << h;  // the tolerance 1e-10 in each step, h √x ≤ h
    EXPECT_LE(std::abs(tank.x->x()(0)), 1e-20);
    EXPECT_LE(simulation.statistics().newtonIterations, 8 * simulation.statistics().steps);
    EXPECT_EQ(simulation.statistics().relaxed, 0U);
  }
}

// The state is zero to the rounding of what it was, which a restored run has to know.
TEST(EulerMoreauOSI, KnowsTheScaleOfTheRunAfterARestart) {
  // The level is zero from step 206 on, which is in the middle of these and the step of one of the checkpoints.
  expectSameAfterRestart("tank", [] {
    auto tank = std::make_shared<Tank>(1., 4.12);
    auto simulation = std::make_shared<TimeStepping>(tank->model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(1.));
    return restartRun(std::move(tank), std::move(simulation));
  });
}

TEST(EulerMoreauOSI, TakesInteractionsThatComeAndGoBetweenSteps) {
  Threshold above(1.);
  TimeStepping simulation(above.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), Relay());
  simulation.step();
  above.model.remove(above.threshold);
  simulation.step();
  const double x = above.system->x()(0);
  EXPECT_NEAR(x, 1. / (1.1 * 1.1), 1e-15);
  FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation.setE(makeVector({-x}));
  const auto floor = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
  above.model.link(floor, above.system);
  simulation.run();
  EXPECT_NEAR(above.system->x()(0), x, 1e-14);
  EXPECT_NEAR(floor->lambda(0)(0), x, 1e-13);
}

// ẋ₁ = x₂ − 3 |x₁|^½ sgn x₁, ẋ₂ ∈ sin 2t − 2 sgn x₁: the error and the integral of a super-twisting controller. Both
// reach zero in finite time and stay there, where the Jacobian of the root has no bound.
TEST(EulerMoreauAtZero, ASuperTwistingControllerFailsInNoStep) {
  const auto field = withJacobians(
      [](double t, const Vector& x, Vector& f) {
        f(0) = x(1) - 3. * std::copysign(std::sqrt(std::abs(x(0))), x(0));
        f(1) = std::sin(2. * t);
      },
      [](double, const Vector& x, Matrix& J) {
        J(0, 0) = -1.5 / std::sqrt(std::max(std::abs(x(0)), 1e-300));
        J(0, 1) = 1.;
      });
  NonSmoothDynamicalSystem model(0., 3.);
  const auto error = model.insert("error", std::make_shared<FirstOrderNonLinearDS>(makeVector({1., 0.5}), field));
  model.link("sign", RelayNSL(1, -1., 1.), FirstOrderLinearTIR(makeMatrix({{1., 0.}}), makeMatrix({{0.}, {2.}})),
             error);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(1.));
  std::size_t failed = 0;
  simulation.setFailurePolicy([&](const StepReport&, const TimeStepping&) {
    ++failed;
    return FailureAction::accept;
  });
  double farthest = 0.;
  simulation.run([&] {
    if (simulation.time() > 2.5) farthest = std::max(farthest, std::abs(error->x()(0)));
  });
  EXPECT_EQ(failed, 0u);
  EXPECT_LT(farthest, 1e-12);
}

}  // namespace
