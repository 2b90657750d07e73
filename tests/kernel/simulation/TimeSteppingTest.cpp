// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(TimeStepping, EndsAtTheFinalTimeExactly) {
  for (const double h : {1e-3, 3e-3, 0.07}) {
    BouncingBall ball(1., 0., 0.9, 1., 1);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
    std::size_t calls = 0;
    simulation.run([&] { ++calls; });
    EXPECT_EQ(simulation.time(), 1.);
    EXPECT_EQ(calls, simulation.steps());
    EXPECT_EQ(calls, static_cast<std::size_t>(std::ceil(1. / h - 1e-9)));
    expectError([&] { simulation.step(); }, {"no step after the final time"});
  }
}

TEST(TimeStepping, TheShorterLastStepIsAsExactAsTheOthers) {
  // h does not divide T. Free fall is exact for any steps; with a spring the matrix of the last step is another.
  BouncingBall ball(10., 1., 0.9, 1.);
  TimeStepping falling(ball.model, TimeDiscretisation(0., 0.03), MoreauJeanOSI(), LCP());
  falling.run();
  EXPECT_NEAR(ball.ball->q()(0), 10. + 1. - 0.5 * 9.81, 1e-13);

  const auto oscillation = [](const TimeDiscretisation& grid) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                             makeMatrix({{30.}}), makeMatrix({{0.}}));
    const auto wall = std::make_shared<Interaction>(NewtonImpactNSL(1.), LagrangianLinearTIR(makeMatrix({{1.}})));
    model.insert(mass);
    model.link(wall, mass);
    TimeStepping simulation(model, grid, MoreauJeanOSI(), LCP());
    simulation.run();
    return mass->q()(0);
  };
  std::vector<double> instants;
  for (std::size_t k = 0; k <= 33; ++k) instants.push_back(0.03 * static_cast<double>(k));
  instants.push_back(1.);
  EXPECT_NEAR(oscillation(TimeDiscretisation(0., 0.03)), oscillation(TimeDiscretisation(instants)), 1e-12);
}

TEST(TimeStepping, RunsOnGivenInstantsLikeOnAUniformGrid) {
  BouncingBall uniform(0.4, 0., 0.9, 1., 1);
  BouncingBall given(0.4, 0., 0.9, 1., 1);
  std::vector<double> instants;
  for (std::size_t k = 0; k <= 128; ++k) instants.push_back(static_cast<double>(k) / 128.);
  TimeStepping first(uniform.model, TimeDiscretisation(0., 1. / 128.), MoreauJeanOSI(), LCP());
  TimeStepping second(given.model, TimeDiscretisation(instants), MoreauJeanOSI(), LCP());
  first.run();
  second.run();
  EXPECT_EQ(uniform.ball->q()(0), given.ball->q()(0));
}

TEST(TimeStepping, InitialiseMakesTheInitialOutputsReadable) {
  BouncingBall ball(1.25, -0.5, 0.9, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP());
  simulation.initialise();
  EXPECT_EQ(ball.floor->y(0)(0), 1.25);
  EXPECT_EQ(ball.floor->y(1)(0), -0.5);
}

TEST(TimeStepping, KeepsTheHistoryThatTheUserAskedFor) {
  BouncingBall ball(1., 0., 0.9, 1.);
  ball.ball->setHistoryDepth(4);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.125), MoreauJeanOSI(), LCP());
  std::vector<double> heights{1.};
  simulation.run([&] { heights.push_back(ball.ball->q()(0)); });
  const SecondOrderDS::History& history = ball.ball->history();
  ASSERT_EQ(history.size(), 4U);
  for (std::size_t back = 1; back <= 4; ++back) {
    EXPECT_EQ(history.at(back).q(0), heights[heights.size() - 1 - back]);
    EXPECT_EQ(history.at(back).time, 1. - 0.125 * static_cast<double>(back));
  }
}

TEST(TimeStepping, SeesAComplianceThatIsSetBetweenSteps) {
  NonSmoothDynamicalSystem model(0., 2.);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), identityMatrix(1));
  ball->setExternalForces(makeVector({-10.}));
  const auto relation = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  const auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.), relation);
  floor->setName("floor");
  model.insert(ball);
  model.link(floor, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP());
  simulation.step();
  EXPECT_EQ(ball->q()(0), 0.);
  relation->setD(makeMatrix({{1e-2}}));
  double deepest = 0.;
  while (simulation.time() < 1.) {
    simulation.step();
    deepest = std::min(deepest, ball->q()(0));
  }
  // From rest on a spring of stiffness 100 the weight 10 sinks by twice 0.1.
  EXPECT_NEAR(deepest, -0.2, 1e-3);
  relation->setD(Matrix(1, 1));
  while (simulation.hasNextStep()) simulation.step();
  EXPECT_NEAR(ball->velocity()(0), 0., 1e-12);
}

TEST(TimeStepping, RedundantContactsGiveTheMotionOfOne) {
  BouncingBall single(0.3, 0., 0.6, 2.);
  BouncingBall twice(0.3, 0., 0.6, 2.);
  const auto again = std::make_shared<Interaction>(NewtonImpactNSL(0.6), LagrangianLinearTIR(makeMatrix({{1.}})));
  twice.model.link(again, twice.ball);
  TimeStepping one(single.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  TimeStepping two(twice.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  while (one.hasNextStep()) {
    one.step();
    two.step();
    ASSERT_NEAR(single.ball->q()(0), twice.ball->q()(0), 1e-13);
    ASSERT_NEAR(single.floor->lambda(1)(0), twice.floor->lambda(1)(0) + again->lambda(1)(0), 1e-13);
  }
}

TEST(TimeStepping, FollowsInsertionAndRemovalBetweenSteps) {
  // The floor is taken away at 0.5 and the ball falls freely on; another ball comes in at 0.5.
  BouncingBall ball(0.1, 0., 0., 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  while (simulation.time() < 0.5 - 1e-9) simulation.step();
  const double rest = ball.ball->q()(0);
  EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-14);
  ball.model.remove(ball.floor);
  const auto other = std::make_shared<LagrangianLinearTIDS>(makeVector({2.}), makeVector({0.}), identityMatrix(1));
  ball.model.insert(other);
  simulation.run();
  EXPECT_NEAR(ball.ball->q()(0), rest - 0.5 * 9.81 * 0.25, 1e-12);
  EXPECT_EQ(other->q()(0), 2.);
}

TEST(TimeStepping, SeesAStateThatTheUserSetBetweenSteps) {
  BouncingBall ball(1., 0., 0.5, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  // Put on the floor with a downward velocity, it must bounce in the next step.
  ball.ball->setState(makeVector({0.}), makeVector({-2.}));
  simulation.step();
  EXPECT_NEAR(ball.ball->velocity()(0), 1., 1e-14);
}

TEST(TimeStepping, SeesParametersOfARelationThatChangedBetweenSteps) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({-2.}), identityMatrix(1));
  auto relation = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  relation->setFz(makeMatrix({{1.}}), makeVector({0.}));
  const auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(1.), relation);
  model.insert(ball);
  model.link(floor, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  EXPECT_EQ(ball->velocity()(0), -2.);
  relation->setZ(makeVector({-1.}));  // the floor is lifted by 1 m
  simulation.step();
  EXPECT_EQ(ball->velocity()(0), 2.);
}

// A pushed mass presses a second one, without a force of its own, against a wall: the impulses on it cancel to
// rounding. A pendulum makes the model nonlinear.
void squeeze(double scale, double push) {
  NonSmoothDynamicalSystem model(0., 0.05);
  const auto squeezed = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{3.}}));
  const auto pushed = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{0.7}}));
  pushed->setExternalForces(makeVector({-push}));
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = sin(q(0));
  }));
  const NewtonImpactNSL law(0.);
  const auto wall = std::make_shared<Interaction>(law, LagrangianLinearTIR(makeMatrix({{scale}})));
  const auto between = std::make_shared<Interaction>(law, LagrangianLinearTIR(makeMatrix({{-0.7, 0.7}})));
  model.insert(squeezed);
  model.insert(pushed);
  model.insert(pendulum);
  model.link(wall, squeezed);
  model.link(between, squeezed, pushed);
  const double h = 1e-3;
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
  simulation.run([&] { ASSERT_LE(simulation.lastStep().newtonIterations, 4U); });
  EXPECT_NEAR(wall->lambda(1)(0), push * h / scale, 1e-14);
  // Gaps of rounding open for a step now and then, and the masses move freely for that step.
  EXPECT_NEAR(squeezed->q()(0), 0., 10. * push / 3.7 * h * h);
}

TEST(TimeStepping, NewtonConvergesForABodyThatIsOnlySqueezed) {
  for (int k = 0; k < 30; ++k) squeeze(0.3 + 0.037 * k, 1.3 + 0.11 * k);
}

TEST(TimeStepping, StiffBodiesWithSeveralStopsStayWithTheFastSolver) {
  // W is ill-conditioned, and so W⁻¹Gᵀ symmetric to rounding times its condition only.
  const std::size_t n = 8;
  NonSmoothDynamicalSystem model(0., 0.05);
  Matrix K(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    K(i, i) = 2e12;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1e12;
  }
  const auto chain = std::make_shared<LagrangianLinearTIDS>(Vector(n), Vector(n), identityMatrix(n), K, Matrix(n, n));
  Vector load(n);
  for (double& f : load.data()) f = -1.;
  chain->setExternalForces(load);
  model.insert(chain);
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(identityMatrix(n))), chain);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.run([&] {
    if (simulation.lastStep().problemSize < n) return;
    ASSERT_EQ(simulation.lastStep().solve.solver, "BlockPivotingSolver");
  });
}

TEST(TimeStepping, TheSameProgramGivesTheSameBits) {
  const auto run = [] {
    ColumnOfBeads column(12, 1., 0.25, 0.9, 1.5);
    TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(), LCP());
    simulation.run();
    std::vector<double> state;
    for (const auto& bead : column.beads) state.push_back(bead->q()(0));
    return state;
  };
  EXPECT_EQ(run(), run());
}

TEST(TimeStepping, AllSolversGiveTheSameMotion) {
  const auto run = [](LCP problem) {
    ColumnOfBeads column(5, 1., 0.25, 0.9, 0.6);
    TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(), std::move(problem));
    simulation.run();
    return column.beads.back()->q()(0);
  };
  const double expected = run(LCP());
  EXPECT_NEAR(run(LCP(LemkeSolver())), expected, 1e-12);
  EXPECT_NEAR(run(LCP(EnumerationSolver())), expected, 1e-12);
  numerics::ProjectedGaussSeidelOptions tight;
  tight.tolerance = 1e-13;
  EXPECT_NEAR(run(LCP(ProjectedGaussSeidelSolver(tight))), expected, 1e-9);
}

TEST(TimeStepping, FallsBackToTheNextSolverOfAChain) {
  numerics::ProjectedGaussSeidelOptions few;
  few.maxIterations = 1;
  ColumnOfBeads column(5, 0.1, 0.2, 0., 0.1);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(),
                          LCP(ProjectedGaussSeidelSolver(few), LemkeSolver()));
  simulation.step();
  EXPECT_EQ(simulation.lastStep().solve.solver, "LemkeSolver");
  EXPECT_TRUE(simulation.lastStep().solve.converged());
}

}  // namespace
