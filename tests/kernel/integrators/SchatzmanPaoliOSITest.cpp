// SPDX-License-Identifier: Apache-2.0
//
// What a step of Schatzman-Paoli's scheme does with a model; its equations are in SchatzmanPaoliEquationsTest.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;

TEST(SchatzmanPaoliOSI, RefusesThetaOutsideOfItsRange) {
  expectError([] { SchatzmanPaoliOSI(1.5); }, {"SchatzmanPaoliOSI", "theta must be in [0, 1]", "1.5"});
  expectError([] { SchatzmanPaoliOSI(std::nan("")); }, {"nan"});
}

template <class Law>
void expectRefusedLaw(Law law, const Matrix& H, std::initializer_list<std::string> parts) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), identityMatrix(2));
  const auto contact = std::make_shared<Interaction>(std::move(law), LagrangianLinearTIR(H));
  contact->setName("contact");
  model.insert(ball);
  model.link(contact, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), SchatzmanPaoliOSI(), GenericMechanical());
  expectError([&] { simulation.initialise(); }, parts);
}

TEST(SchatzmanPaoliOSI, RefusesLawsOfVelocitiesByName) {
  expectRefusedLaw(NewtonImpactFrictionNSL(0.5, 0., 0.3, 2), identityMatrix(2),
                   {"'contact'", "NewtonImpactFrictionNSL", "Coulomb", "MoreauJeanOSI"});
  expectRefusedLaw(RelayNSL(1, -1., 1.), makeMatrix({{1., 0.}}), {"'contact'", "RelayNSL", "velocity"});
}

TEST(SchatzmanPaoliOSI, RefusesCompliantRelationsByName) {
  BouncingBall ball(1., 0., 0., 1.);
  const auto soft = std::make_shared<Interaction>(NewtonImpactNSL(0.),
                                                  LagrangianLinearTIR(makeMatrix({{1.}})).setD(makeMatrix({{1e-3}})));
  soft->setName("soft");
  ball.model.link(soft, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.1), SchatzmanPaoliOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'soft'", "compliant", "MoreauJeanOSI"});
}

TEST(SchatzmanPaoliOSI, RefusesSystemsWhoseVelocityIsNotTheRateOfTheirCoordinates) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 1.}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., 0.1));
  body->setName("body");
  model.insert(body);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), SchatzmanPaoliOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'body'", "NewtonEulerDS", "7 coordinates and 6 velocities"});
  NonSmoothDynamicalSystem circuits(0., 1.);
  const auto decay = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
  decay->setName("decay");
  circuits.insert(decay);
  TimeStepping first(circuits, TimeDiscretisation(0., 0.1), SchatzmanPaoliOSI(), LCP());
  expectError([&] { first.step(); }, {"SchatzmanPaoliOSI", "'decay'", "not a mechanical one"});
}

TEST(SchatzmanPaoliOSI, IsNotProjected) {
  BouncingBall ball(1., 0., 0.9, 1.);
  expectError(
      [&] {
        TimeStepping(ball.model, TimeDiscretisation(0., 0.1), SchatzmanPaoliOSI(), LCP(),
                     {.projection = {.kind = Projection::direct}});
      },
      {"SchatzmanPaoliOSI"});
}

TEST(SchatzmanPaoliOSI, FallsOnTheParabolaWithVelocitiesOneStepLate) {
  const double h = 0.01;
  for (const double theta : {0., 0.5, 1.}) {
    BouncingBall ball(10., 3., 0.9, 1.);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(theta), LCP());
    simulation.run([&] {
      const double t = simulation.time();
      ASSERT_NEAR(ball.ball->q()(0), 10. + 3. * t - 0.5 * g * t * t, 1e-13);
      ASSERT_NEAR(ball.ball->velocity()(0), 3. - g * (t - h), 1e-12);
      ASSERT_EQ(ball.floor->y(0)(0), ball.ball->q()(0));
      ASSERT_EQ(ball.floor->y(1)(0), ball.ball->velocity()(0));
      ASSERT_FALSE(ball.floor->isActive());
    });
    EXPECT_EQ(simulation.statistics().newtonIterations, simulation.steps());
  }
}

// A pendulum (an angle) that is stopped at the angle 0.3.
struct StoppedPendulum {
  explicit StoppedPendulum(double end) : model(0., end) {
    pendulum = std::make_shared<LagrangianDS>(makeVector({-1.}), makeVector({0.}), makeMatrix({{1.}}));
    pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
      using std::sin;
      F(0) = g * sin(q(0));
    }));
    stop = std::make_shared<Interaction>(NewtonImpactNSL(0.9),
                                         LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                   using std::sin;
                                                                   y(0) = sin(0.3) - sin(q(0));
                                                                 })));
    model.insert(pendulum);
    model.link(stop, pendulum);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> pendulum;
  std::shared_ptr<Interaction> stop;
};

TEST(SchatzmanPaoliOSI, ConvergesQuadratically) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({2.}), makeVector({3.}), makeMatrix({{1.}}));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto& v, auto& F) {
    using std::sin;
    F(0) = 40. * sin(q(0)) + v(0) * v(0);
  }));
  model.insert(pendulum);
  SchatzmanPaoliOSI scheme(1.);
  scheme.bind(model, 0.);
  const double h = 0.2;  // large: the first residuals are to be seen
  scheme.beginStep({0., h, h});
  std::vector<double> residuals;
  for (int pass = 0; pass < 7; ++pass) {
    scheme.computeFreeState();
    scheme.updateState();
    residuals.push_back(scheme.residual().largest());
  }
  // Each is the last change, which is the error of the iterate before.
  EXPECT_GT(residuals[0], 0.05);
  for (std::size_t pass = 1; pass < residuals.size(); ++pass) {
    EXPECT_LE(residuals[pass], residuals[pass - 1] * residuals[pass - 1] + 1e-15) << "pass " << pass;
  }
  EXPECT_LE(residuals.back(), 1e-15);
}

TEST(SchatzmanPaoliOSI, NeedsFewIterationsAcrossImpactsOfANonlinearModel) {
  StoppedPendulum model(10.);
  TimeStepping simulation(model.model, TimeDiscretisation(0., 1e-3), SchatzmanPaoliOSI(0.5), LCP());
  std::size_t impacts = 0;
  simulation.run([&] { impacts += model.stop->isActive() ? 1 : 0; });
  EXPECT_GT(impacts, 10U);
  EXPECT_LE(simulation.statistics().newtonIterations, 3 * simulation.steps());
  EXPECT_LE(simulation.statistics().worstResidual, 1e-10);
}

TEST(SchatzmanPaoliOSI, ReversesTheVelocityExactlyWithoutForces) {
  const double h = 0.01;
  for (const double e : {0., 0.3, 0.9, 1.}) {
    for (int phase = 0; phase < 20; ++phase) {
      NonSmoothDynamicalSystem model(0., 0.3);
      const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1 + 5e-4 * phase}), makeVector({-1.}),
                                                               makeMatrix({{2.}}));
      const auto wall = std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}})));
      model.insert(ball);
      model.link(wall, ball);
      TimeStepping simulation(model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(), LCP());
      double impulse = 0.;
      double deepest = 0.;
      std::size_t pushes = 0;
      simulation.run([&] {
        impulse += wall->lambda(1)(0);
        deepest = std::min(deepest, wall->y(0)(0));
        pushes += wall->isActive() ? 1 : 0;
      });
      EXPECT_NEAR(ball->velocity()(0), e, 1e-12) << "e = " << e << ", phase " << phase;
      EXPECT_NEAR(impulse, 2. * (1. + e), 1e-12);
      EXPECT_GE(deepest, -2. * e / (1. + e) * h - 1e-14);
      EXPECT_GE(pushes, 2U);
      EXPECT_TRUE(e == 0. || pushes <= 3U);
    }
  }
}

TEST(SchatzmanPaoliOSI, CarriesTheWeightOfABallThatRestsFromTheStart) {
  for (const double e : {0., 0.9, 1.}) {
    BouncingBall ball(0., 0., e, 0.1);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), SchatzmanPaoliOSI(), LCP());
    simulation.run([&] {
      ASSERT_NEAR(ball.ball->q()(0), 0., 1e-18);
      ASSERT_NEAR(ball.floor->lambda(0)(0), g, 1e-9);
      ASSERT_NEAR(ball.floor->lambda(1)(0), (simulation.stepIndex() == 1 ? 0.5 : 1.) * g * 1e-3, 1e-12);
      ASSERT_EQ(ball.ball->p()(0), ball.floor->lambda(1)(0));
      ASSERT_TRUE(ball.floor->isActive());
    });
  }
}

TEST(SchatzmanPaoliOSI, KeepsAContactAtRestWhenTheStepChanges) {
  std::vector<double> instants{0.};
  for (int k = 0; k < 1000; ++k) instants.push_back(instants.back() + (k % 3 == 0 ? 2e-3 : k % 3 == 1 ? 1e-3 : 5e-4));
  for (const double e : {0., 0.9}) {
    BouncingBall ball(0., 0., e, instants.back());
    TimeStepping simulation(ball.model, TimeDiscretisation(instants), SchatzmanPaoliOSI(), LCP());
    simulation.run([&] {
      ASSERT_NEAR(ball.ball->q()(0), 0., 1e-15);
      ASSERT_NEAR(ball.floor->lambda(0)(0), g, 1e-9);
    });
  }
}

TEST(SchatzmanPaoliOSI, FallsOnTheParabolaWithStepsOfAnySize) {
  std::vector<double> instants{0.};
  for (int k = 0; k < 60; ++k) instants.push_back(instants.back() + 1e-2 * (1. + 0.9 * std::sin(5. * k)));
  BouncingBall ball(100., 3., 0.9, instants.back());
  TimeStepping simulation(ball.model, TimeDiscretisation(instants), SchatzmanPaoliOSI(), LCP());
  simulation.run([&] {
    const double t = simulation.time();
    ASSERT_NEAR(ball.ball->q()(0), 100. + 3. * t - 0.5 * g * t * t, 1e-11);
  });
}

TEST(SchatzmanPaoliOSI, KeepsRestitutionWhenTheStepChangesBetweenTheTwoStepsOfAnImpact) {
  // q = 0.1 − t meets the wall at 0.1; the first step that pushes ends at 0.105 + …, after which h changes.
  for (const double ratio : {0.5, 0.8, 1.25, 2.}) {
    std::vector<double> instants;
    const double h = 0.01;
    for (int k = 0; k <= 11; ++k) instants.push_back(h * k);
    for (int k = 0; k < 10; ++k) instants.push_back(instants.back() + ratio * h);
    NonSmoothDynamicalSystem model(0., instants.back());
    const auto ball =
        std::make_shared<LagrangianLinearTIDS>(makeVector({0.0951}), makeVector({-1.}), makeMatrix({{1.}}));
    const auto wall = std::make_shared<Interaction>(NewtonImpactNSL(0.8), LagrangianLinearTIR(makeMatrix({{1.}})));
    model.insert(ball);
    model.link(wall, ball);
    TimeStepping simulation(model, TimeDiscretisation(instants), SchatzmanPaoliOSI(), LCP());
    while (!wall->isActive()) simulation.step();
    ASSERT_EQ(simulation.stepIndex(), 11U) << "the change of h is not between the two steps of the impact";
    simulation.run();
    EXPECT_NEAR(ball->velocity()(0), 0.8, 1e-12) << "ratio " << ratio;
  }
}

TEST(SchatzmanPaoliOSI, ImpactsOnAMovingWallReverseTheRelativeVelocity) {
  NonSmoothDynamicalSystem model(0., 0.3);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1}), makeVector({-1.}), makeMatrix({{1.}}));
  const auto wall = std::make_shared<Interaction>(
      NewtonImpactNSL(0.5),
      LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) { y(0) = q(0) - 0.4 * t; })));
  model.insert(ball);
  model.link(wall, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  simulation.run();
  EXPECT_NEAR(ball->velocity()(0), 0.4 + 0.5 * 1.4, 1e-10);
  EXPECT_NEAR(wall->y(1)(0), 0.5 * 1.4, 1e-10);
}

TEST(SchatzmanPaoliOSI, HoldsAJointOnThePositionWithoutDriftAndWithALossOfEnergyOfFirstOrder) {
  std::vector<double> losses;
  for (const double h : {1e-3, 5e-4}) {
    PlanarPendulum pendulum(2.);
    TimeStepping simulation(pendulum.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.), MLCP());
    simulation.run([&] { ASSERT_NEAR(pendulum.rod->y(0)(0), 0., 1e-12); });
    losses.push_back(-pendulum.energy());
  }
  // The force of the joint has the direction of the end of the step, and so a part along the motion.
  EXPECT_GT(losses[1], 0.);
  EXPECT_NEAR(losses[0] / losses[1], 2., 0.1);
}

TEST(SchatzmanPaoliOSI, TakesMixedComplementarity) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0., 1.}), Vector(2), identityMatrix(2));
  ball->setExternalForces(makeVector({3., -g}));
  const auto guide =
      std::make_shared<Interaction>(MixedComplementarityConditionNSL(2, 1), LagrangianLinearTIR(identityMatrix(2)));
  model.insert(ball);
  model.link(guide, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), MLCP());
  simulation.run([&] { ASSERT_NEAR(ball->q()(0), 0., 1e-14); });
  EXPECT_NEAR(ball->q()(1), 0., 1e-14);
  EXPECT_NEAR(guide->lambda(0)(0), -3., 1e-9);
  EXPECT_NEAR(guide->lambda(0)(1), g, 1e-9);
}

TEST(SchatzmanPaoliOSI, AnErrorInAStepLeavesModelAndMemoryAsTheyWere) {
  BouncingBall broken(1., 0., 0.8, 1.), whole(1., 0., 0.8, 1.);
  bool fails = false;
  broken.ball->setExternalForces([&](double, Vector& f) { f(0) = fails ? std::nan("") : -g; });
  broken.ball->setName("ball");
  TimeStepping first(broken.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  TimeStepping second(whole.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  while (second.hasNextStep()) {
    const double q = broken.ball->q()(0);
    const double v = broken.ball->velocity()(0);
    fails = second.stepIndex() % 7 == 0 || broken.floor->isActive();
    if (fails) expectError([&] { first.step(); }, {"'ball'", "F_ext", "nan"});
    ASSERT_EQ(broken.ball->q()(0), q);
    ASSERT_EQ(broken.ball->velocity()(0), v);
    fails = false;
    first.step();
    second.step();
    ASSERT_EQ(broken.ball->q()(0), whole.ball->q()(0)) << "step " << second.stepIndex();
  }
}

TEST(SchatzmanPaoliOSI, StartsAnewWhenTheUserSetsTheState) {
  BouncingBall reset(1., 0., 0.8, 0.4), anew(0.5, 1., 0.8, 0.2);
  TimeStepping first(reset.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  for (int k = 0; k < 20; ++k) first.step();
  reset.ball->setState(makeVector({0.5}), makeVector({1.}));
  TimeStepping second(anew.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  while (second.hasNextStep()) {
    first.step();
    second.step();
    ASSERT_NEAR(reset.ball->q()(0), anew.ball->q()(0), 1e-14);
    ASSERT_NEAR(reset.ball->velocity()(0), anew.ball->velocity()(0), 1e-13);
  }
}

TEST(SchatzmanPaoliOSI, RemembersItsStepsWhenTheModelChangesElsewhere) {
  BouncingBall changing(1., 0., 0.8, 1.), alone(1., 0., 0.8, 1.);
  TimeStepping first(changing.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  TimeStepping second(alone.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(), LCP());
  std::shared_ptr<LagrangianLinearTIDS> other;
  std::shared_ptr<Interaction> ground;
  while (second.hasNextStep()) {
    const std::size_t k = second.stepIndex();
    if (k % 5 == 1) {
      other = std::make_shared<LagrangianLinearTIDS>(makeVector({0.01}), makeVector({-1.}), makeMatrix({{1.}}));
      ground = std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}})));
      changing.model.insert(other);
      changing.model.link(ground, other);
    }
    if (k % 5 == 3) changing.model.remove(other);
    first.step();
    second.step();
    ASSERT_EQ(changing.ball->q()(0), alone.ball->q()(0)) << "step " << k;
  }
}

TEST(SchatzmanPaoliOSI, PassesTheLastStepThatIsShorter) {
  BouncingBall ball(1., 0., 0.9, 0.404);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.01), SchatzmanPaoliOSI(), LCP());
  simulation.run();
  EXPECT_NEAR(ball.ball->q()(0), 1. - 0.5 * g * 0.404 * 0.404, 1e-13);
}

TEST(SchatzmanPaoliOSI, IsTheSameUnderACopy) {
  const SchatzmanPaoliOSI scheme(0.3);
  BouncingBall a(1., 0., 0.9, 1.), b(1., 0., 0.9, 1.);
  TimeStepping(a.model, TimeDiscretisation(0., 0.01), scheme, LCP()).run();
  TimeStepping(b.model, TimeDiscretisation(0., 0.01), scheme, LCP()).run();
  EXPECT_EQ(a.ball->q()(0), b.ball->q()(0));
}

}  // namespace
