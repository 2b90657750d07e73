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

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

TEST(TimeStepping, RefusesStepsBelowTheResolutionOfTime) {
  NonSmoothDynamicalSystem model(1e9, 1e9 + 1.);
  expectError([&] { TimeStepping(model, TimeDiscretisation(1e9, 1e-5), MoreauJeanOSI(), LCP()); },
              {"h = 1e-05", "too small"});
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

TEST(TimeStepping, RefusesADiscretisationThatDoesNotFitTheModel) {
  BouncingBall ball(1., 0., 0.9, 1.);
  expectError([&] { TimeStepping(ball.model, TimeDiscretisation(0.5, 0.1), MoreauJeanOSI(), LCP()); },
              {"starts at 0.5", "t0 = 0."});
  expectError(
      [&] {
        TimeStepping(ball.model, TimeDiscretisation(std::vector<double>{0., 2.}), MoreauJeanOSI(), LCP());
      },
      {"final time"});
  NonSmoothDynamicalSystem empty(0., 1.);
  TimeStepping simulation(empty, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"no dynamical system"});
  expectError([] { MoreauJeanOSI(1.5); }, {"theta", "[0, 1]", "1.5"});
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
  const StateHistory& history = ball.ball->history();
  ASSERT_EQ(history.size(), 4U);
  for (std::size_t back = 1; back <= 4; ++back) {
    EXPECT_EQ(history.at(back).q(0), heights[heights.size() - 1 - back]);
    EXPECT_EQ(history.at(back).time, 1. - 0.125 * static_cast<double>(back));
  }
}

TEST(TimeStepping, NanFromAUserFunctionAtStepThousandNamesItAndLeavesTheStateAlone) {
  BouncingBall ball(1., 0., 0.9, 10.);
  ball.ball->setName("ball");
  ball.ball->setExternalForces([](double t, Vector& f) { f(0) = t > 1.00049 ? nan : -9.81; });
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  double height = 0.;
  double velocity = 0.;
  expectError(
      [&] {
        simulation.run([&] {
          height = ball.ball->q()(0);
          velocity = ball.ball->velocity()(0);
        });
      },
      {"'ball'", "F_ext", "t = 1.001", "component 0", "nan"});
  EXPECT_EQ(simulation.stepIndex(), 1000U);
  EXPECT_EQ(simulation.time(), 1.);
  EXPECT_EQ(ball.ball->q()(0), height);
  EXPECT_EQ(ball.ball->velocity()(0), velocity);
  // The run goes on once the function is mended, as if nothing had happened.
  ball.ball->setExternalForces(makeVector({-9.81}));
  simulation.run();
  BouncingBall undisturbed(1., 0., 0.9, 10.);
  TimeStepping reference(undisturbed.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  reference.run();
  EXPECT_EQ(ball.ball->q()(0), undisturbed.ball->q()(0));
}

TEST(TimeStepping, NanFromARelationNamesTheInteraction) {
  BouncingBall ball(1., 0., 0.9, 1.);
  const auto moving = std::make_shared<Interaction>(
      NewtonImpactNSL(0.),
      LagrangianRheonomousR(1, differenced([](double t, const Vector& q, Vector& y) { y(0) = t > 0.5 ? nan : q(0); })));
  moving->setName("platform");
  ball.model.link(moving, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.run(); }, {"'platform'", "LagrangianRheonomousR", "t = 0.5"});
  EXPECT_NEAR(simulation.time(), 0.5, 0.011);
}

TEST(TimeStepping, NanFromAnActiveRelationNamesTheInteraction) {
  // The ball rests on the platform when its drift, its Jacobian or its output becomes NaN.
  for (const int bad : {0, 1, 2}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), identityMatrix(1));
    ball->setExternalForces(makeVector({-1.}));
    const auto platform = std::make_shared<Interaction>(
        NewtonImpactNSL(0.),
        LagrangianRheonomousR(
            1, withJacobians([bad](double t, const Vector& q, Vector& y) { y(0) = bad == 0 && t > 0.5 ? nan : q(0); },
                             [bad](double t, const Vector&, Matrix& G) { G(0, 0) = bad == 1 && t > 0.5 ? nan : 1.; },
                             [bad](double t, const Vector&, Vector& d) { d(0) = bad == 2 && t > 0.5 ? nan : 0.; })));
    platform->setName("platform");
    model.insert(ball);
    model.link(platform, ball);
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
    expectError([&] { simulation.run(); }, {"'platform'", "t = 0.51", "nan"});
    EXPECT_NEAR(simulation.time(), 0.5, 1e-12);
  }
}

TEST(TimeStepping, OutputsOfTheWrongSizeNameTheInteraction) {
  BouncingBall ball(0., 0., 0., 1.);
  const auto broken = std::make_shared<Interaction>(
      NewtonImpactNSL(0.),
      LagrangianScleronomousR(1, withJacobians([](const Vector& q, Vector& y) { y(0) = q(0); },
                                               [](const Vector&, Matrix& G) { G = Matrix(3, 3); })));
  broken->setName("broken");
  ball.model.link(broken, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'broken'", "Jacobian G", "1 x 1", "3 x 3"});
}

TEST(TimeStepping, AFailedRefreshOfOutputsIsMadeUpFor) {
  BouncingBall ball(1., 0., 1., 1.);
  bool fails = false;
  const auto second = std::make_shared<Interaction>(
      NewtonImpactNSL(1.),
      LagrangianScleronomousR(1,
                              withJacobians([&fails](const Vector& q, Vector& y) { y(0) = fails ? nan : q(0) - 0.2; },
                                            [](const Vector&, Matrix& G) { G(0, 0) = 1.; })));
  ball.model.link(second, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  ball.ball->setState(makeVector({0.2}), makeVector({-1.}));
  fails = true;
  EXPECT_THROW(simulation.step(), Error);
  fails = false;
  simulation.step();
  EXPECT_NEAR(ball.ball->velocity()(0), 1., 1e-12) << "the second contact was not seen";
}

TEST(TimeStepping, AModelThatChangesWithinAStepIsAnErrorAndNotACrash) {
  BouncingBall ball(0., 0., 0.5, 1.);
  bool remove = false;
  ball.ball->setExternalForces([&](double, Vector& f) {
    f(0) = -9.81;
    if (remove) {
      remove = false;
      ball.model.remove(ball.floor);
    }
  });
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  remove = true;
  expectError([&] { simulation.step(); }, {"removed during the step", "between two steps"});
  EXPECT_EQ(simulation.stepIndex(), 1U);
  simulation.run();
  EXPECT_LT(ball.ball->q()(0), -4.);
}

TEST(TimeStepping, AMassThatBecomesIndefiniteIsNamedInItsStep) {
  // With a stiff spring W stays regular.
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({-1.}));
  system->setName("arm");
  system->setMass([](const Vector& q, Matrix& M) { M(0, 0) = q(0) - 0.5; });
  system->setInternalForces(
      automatic([](const auto&, const auto& q, const auto&, auto& F) { F(0) = 1e6 * (q(0) - 1.); }));
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  EXPECT_NO_THROW(simulation.step());
  system->setState(makeVector({0.4}), makeVector({0.}));
  expectError([&] { simulation.step(); }, {"'arm'", "mass M", "t = 0.02", "positive definite"});
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
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
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

// A ball between two plates that close on each other: no velocity satisfies both.
struct ClosingPlates {
  ClosingPlates() : model(0., 1.) {
    ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.5}), makeVector({0.}), identityMatrix(1));
    model.insert(ball);
    const auto plate = [&](double sign, const char* name) {
      const auto contact = std::make_shared<Interaction>(
          NewtonImpactNSL(0.),
          LagrangianRheonomousR(
              1, withJacobians([sign](double t, const Vector& q, Vector& y) { y(0) = sign * (q(0) - 0.5) + 0.1 - t; },
                               [sign](double, const Vector&, Matrix& G) { G(0, 0) = sign; },
                               [](double, const Vector&, Vector& d) { d(0) = -1.; })));
      contact->setName(name);
      model.link(contact, ball);
    };
    plate(1., "lower plate");
    plate(-1., "upper plate");
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball;
};

TEST(TimeStepping, AnUnsolvableProblemSaysWhenWhatAndWithWhom) {
  ClosingPlates plates;
  TimeStepping simulation(plates.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(LemkeSolver{}));
  expectError([&] { simulation.run(); }, {"step", "from t = 0.", "MoreauJeanOSI", "LCP", "LemkeSolver", "ray",
                                          "'lower plate'", "'upper plate'", "setFailurePolicy"});
  EXPECT_LT(simulation.time(), 0.11);
  EXPECT_EQ(plates.ball->q()(0), 0.5);
}

TEST(TimeStepping, TheFailurePolicyDecidesAndAcceptedFailuresAreCounted) {
  ClosingPlates plates;
  TimeStepping simulation(plates.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  std::size_t calls = 0;
  simulation.setFailurePolicy([&](const StepReport& report, const TimeStepping& at) {
    ++calls;
    EXPECT_FALSE(report.solve.converged());
    return at.time() < 0.5 ? FailureAction::accept : FailureAction::raise;
  });
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_GE(simulation.time(), 0.5);
  EXPECT_GT(calls, 1U);
  EXPECT_GT(simulation.statistics().acceptedFailures, 0U);
  EXPECT_NE(simulation.statistics().summary().find("WITHOUT certificate"), std::string::npos);
}

TEST(TimeStepping, NewtonThatDoesNotConvergeIsAFailure) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}), identityMatrix(1));
  // A stiff force whose Jacobian is given with the wrong sign.
  system->setInternalForces(withJacobians([](double, const Vector& q, const Vector&, Vector& f) { f(0) = 1e5 * q(0); },
                                          [](double, const Vector&, const Vector&, Matrix& J) { J(0, 0) = -0.9e5; },
                                          [](double, const Vector&, const Vector&, Matrix&) {}));
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.run(); }, {"Newton's loop", "residual", "tolerance", "Jacobians"});
  EXPECT_EQ(system->q()(0), 1.);
  TimeSteppingOptions checking;
  checking.checkJacobians = true;
  TimeStepping careful(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(), checking);
  expectError([&] { careful.run(); }, {"LagrangianDS 0", "F_int with respect to q", "(0, 0)", "-90000"});
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

TEST(TimeStepping, ASingularMassIsNamedBeforeTheFirstStep) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<LagrangianDS>(Vector(2), Vector(2));
  system->setName("arm");
  system->setMass([](const Vector&, Matrix& M) { M(0, 0) = 1.; });
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'arm'", "mass M", "positive definite", "row 1"});
}

TEST(TimeStepping, AMassThatBecomesSingularIsNamedInItsStep) {
  NonSmoothDynamicalSystem model(0., 10.);
  const auto system = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({-1.}));
  system->setName("arm");
  system->setMass([](const Vector& q, Matrix& M) { M(0, 0) = q(0) > 0.5 ? q(0) : 0.; });
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.run(); }, {"'arm'", "mass M", "positive definite", "t = "});
}

TEST(TimeStepping, ASingularIterationMatrixIsNamedInItsStep) {
  // W = M + h² θ² K = 0 for K = −4 M / h².
  const double h = 0.5;
  NonSmoothDynamicalSystem model(0., 10.);
  const auto system = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                             makeMatrix({{-4. / (h * h)}}), makeMatrix({{0.}}));
  system->setName("arm");
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.run(); }, {"'arm'", "iteration matrix W", "singular", "t = 0.5"});
}

// A law that LCP does not take.
class GlueNSL final : public NonSmoothLaw {
 public:
  std::string_view className() const override { return "GlueNSL"; }
  std::size_t size() const override { return 1; }
  MultiplierSet multiplierSet() const override { return MultiplierSet::free; }
};

TEST(TimeStepping, AnUnsupportedLawIsRefusedByNameBeforeTheFirstStep) {
  BouncingBall ball(1., 0., 0.9, 1.);
  const auto glue = std::make_shared<Interaction>(GlueNSL(), LagrangianLinearTIR(makeMatrix({{1.}})));
  glue->setName("glue");
  ball.model.link(glue, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'glue'", "LCP", "GlueNSL", "equality"});
}

TEST(TimeStepping, CompliantRelationsWithRestitutionAreRefused) {
  BouncingBall ball(1., 0., 0.9, 1.);
  LagrangianLinearTIR soft(makeMatrix({{1.}}));
  soft.setD(makeMatrix({{1e-3}}));
  const auto cushion = std::make_shared<Interaction>(NewtonImpactNSL(0.5), soft);
  cushion->setName("cushion");
  ball.model.link(cushion, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'cushion'", "restitution"});
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
