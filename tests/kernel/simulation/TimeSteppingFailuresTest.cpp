// SPDX-License-Identifier: Apache-2.0
//
// Hostile input and failures: each ends in a message that says which object and what to do, and leaves the state alone.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(TimeSteppingFailures, RefusesStepsBelowTheResolutionOfTime) {
  NonSmoothDynamicalSystem model(1e9, 1e9 + 1.);
  expectError([&] { TimeStepping(model, TimeDiscretisation(1e9, 1e-5), MoreauJeanOSI(), LCP()); },
              {"h = 1e-05", "too small"});
}

TEST(TimeSteppingFailures, RefusesADiscretisationThatDoesNotFitTheModel) {
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

TEST(TimeSteppingFailures, NanFromAUserFunctionAtStepThousandNamesItAndLeavesTheStateAlone) {
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

TEST(TimeSteppingFailures, NanFromARelationNamesTheInteraction) {
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

TEST(TimeSteppingFailures, NanFromAnActiveRelationNamesTheInteraction) {
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
    // Derivatives are taken in the middle of the step.
    expectError([&] { simulation.run(); }, {"'platform'", bad == 0 ? "t = 0.51" : "t = 0.505", "nan"});
    EXPECT_NEAR(simulation.time(), 0.5, 1e-12);
  }
}

// In a user's program v(i) throws as v.at(i) does, which this one may omit.
TEST(TimeSteppingFailures, AnIndexBeyondTheCoordinatesNamesTheInteraction) {
  BouncingBall ball(1., 0., 0.9, 1.);
  ball.model.link("wall", NewtonImpactNSL(0.5),
                  LagrangianScleronomousR(1, differenced([](const Vector& q, Vector& y) { y(0) = q.at(2); })),
                  ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); },
              {"Interaction 'wall'", "LagrangianScleronomousR", "Vector", "index 2", "there are 1"});
}

TEST(TimeSteppingFailures, OutputsOfTheWrongSizeNameTheInteraction) {
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

TEST(TimeSteppingFailures, AFailedRefreshOfOutputsIsMadeUpFor) {
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

TEST(TimeSteppingFailures, AModelThatChangesWithinAStepIsAnErrorAndNotACrash) {
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

TEST(TimeSteppingFailures, AMassThatBecomesIndefiniteIsNamedInItsStep) {
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

TEST(TimeSteppingFailures, AnUnsolvableProblemSaysWhenWhatAndWithWhom) {
  ClosingPlates plates;
  TimeStepping simulation(plates.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(LemkeSolver{}));
  expectError([&] { simulation.run(); }, {"step", "from t = 0.", "MoreauJeanOSI", "LCP", "LemkeSolver", "ray",
                                          "'lower plate'", "'upper plate'", "setFailurePolicy"});
  EXPECT_LT(simulation.time(), 0.11);
  EXPECT_EQ(plates.ball->q()(0), 0.5);
}

TEST(TimeSteppingFailures, TheFailurePolicyDecidesAndAcceptedFailuresAreCounted) {
  ClosingPlates plates;
  TimeStepping simulation(plates.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  std::size_t calls = 0;
  simulation.setFailurePolicy([&](const StepReport& report, const TimeStepping& at) {
    ++calls;
    EXPECT_FALSE(report.solve.converged());
    EXPECT_EQ(report.failure, Failure::solve);
    EXPECT_EQ(report.problemSize, 2U);
    return at.time() < 0.5 ? FailureAction::accept : FailureAction::raise;
  });
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_GE(simulation.time(), 0.5);
  EXPECT_GT(calls, 1U);
  EXPECT_GT(simulation.statistics().acceptedFailures, 0U);
  EXPECT_NE(simulation.statistics().summary().find("WITHOUT certificate"), std::string::npos);
}

TEST(TimeSteppingFailures, APolicyIsToldOfASolveThatAFurtherSolverCertified) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  numerics::ProjectedGaussSeidelOptions few;  // sweeps do not get far with a column of beads
  few.maxIterations = 2;
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(),
                          LCP(ProjectedGaussSeidelSolver(few), LemkeSolver{}));
  std::size_t told = 0;
  simulation.setFailurePolicy([&told](const StepReport& report, const TimeStepping&) {
    EXPECT_EQ(report.failure, Failure::none);
    EXPECT_TRUE(report.solve.converged());
    EXPECT_EQ(report.solve.failedSolvers, 1U);
    ++told;
    return FailureAction::raise;  // of no effect
  });
  simulation.run();
  EXPECT_GT(told, 0U);
  EXPECT_EQ(simulation.statistics().fallbacks, told);
}

TEST(TimeSteppingFailures, RelaxTakesNoProofForAnAnswer) {
  ClosingPlates plates;
  TimeStepping simulation(plates.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  simulation.setFailurePolicy([](const StepReport& report, const TimeStepping&) {
    EXPECT_EQ(report.solve.status, numerics::SolveStatus::infeasible);
    return FailureAction::relax;
  });
  simulation.run();
  EXPECT_FALSE(simulation.lastStep().solve.converged());
  EXPECT_EQ(simulation.statistics().relaxed, 0U);
  EXPECT_GT(simulation.statistics().acceptedFailures, 0U);
}

TEST(TimeSteppingFailures, NewtonThatDoesNotConvergeIsAFailure) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}), identityMatrix(1));
  // A stiff force whose Jacobian is given with the wrong sign.
  system->setInternalForces(withJacobians([](double, const Vector& q, const Vector&, Vector& f) { f(0) = 1e5 * q(0); },
                                          [](double, const Vector&, const Vector&, Matrix& J) { J(0, 0) = -0.9e5; },
                                          [](double, const Vector&, const Vector&, Matrix&) {}));
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(), {.mostHalvings = 0});
  expectError([&] { simulation.run(); }, {"Newton's loop", "residual", "tolerance", "Jacobians"});
  EXPECT_EQ(simulation.lastStep().failure, Failure::newtonLoop);
  EXPECT_EQ(system->q()(0), 1.);
  TimeSteppingOptions checking;
  checking.checkJacobians = true;
  TimeStepping careful(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(), checking);
  expectError([&] { careful.run(); }, {"LagrangianDS 0", "F_int with respect to q", "(0, 0)", "-90000"});
}

TEST(TimeSteppingFailures, ASingularMassIsNamedBeforeTheFirstStep) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<LagrangianDS>(Vector(2), Vector(2));
  system->setName("arm");
  system->setMass([](const Vector&, Matrix& M) { M(0, 0) = 1.; });
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'arm'", "mass M", "positive definite", "row 1"});
}

TEST(TimeSteppingFailures, AMassThatBecomesSingularIsNamedInItsStep) {
  NonSmoothDynamicalSystem model(0., 10.);
  const auto system = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({-1.}));
  system->setName("arm");
  system->setMass([](const Vector& q, Matrix& M) { M(0, 0) = q(0) > 0.5 ? q(0) : 0.; });
  model.insert(system);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.run(); }, {"'arm'", "mass M", "positive definite", "t = "});
}

TEST(TimeSteppingFailures, ASingularIterationMatrixIsNamedInItsStep) {
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

// A mesh of 60 coordinates, two of which have [1 a; b 1] with a b = 1 in W: Cholesky's factors do not exist, nor do
// LU's. (W is I + h² θ² K for mechanics, I − h θ A for flows; with h = ½ and θ = ½ all numbers are powers of two.)
TEST(TimeSteppingFailures, ASparseSingularIterationMatrixIsNamedInItsStep) {
  constexpr std::size_t n = 60;
  std::vector<Triplet> unit;
  for (std::size_t i = 0; i < n; ++i) unit.push_back({i, i, 1.});
  const SparseMatrix I = sparseFromTriplets(n, n, unit);
  for (const double a : {1., 2.}) {
    const auto pair = [a](double scale) {
      return sparseFromTriplets(n, n, {{30, 31, a / scale}, {31, 30, 1. / (a * scale)}});
    };
    const auto expectNamed = [](const std::shared_ptr<DynamicalSystem>& system, const auto& scheme) {
      NonSmoothDynamicalSystem model(0., 10.);
      system->setName("mesh");
      model.insert(system);
      TimeStepping simulation(model, TimeDiscretisation(0., 0.5), scheme, LCP());
      expectError([&] { simulation.step(); }, {"'mesh'", "iteration matrix W", "singular", "t = 0.5"});
      EXPECT_EQ(simulation.time(), 0.);
    };
    const auto mesh = [&](double scale) {
      return std::make_shared<LagrangianLinearTIDS>(Vector(n), Vector(n, 1.),
                                                    LagrangianLinearTIDS::Matrices{.M = I, .K = pair(scale)});
    };
    expectNamed(mesh(1. / 16.), MoreauJeanOSI());
    expectNamed(mesh(1. / 8.), SchatzmanPaoliOSI(0.5));
    expectNamed(std::make_shared<FirstOrderLinearDS>(Vector(n, 1.), pair(-0.25)), EulerMoreauOSI(0.5));
  }
}

// A law that LCP does not take.
class GlueNSL final : public NonSmoothLaw {
 public:
  GlueNSL() : NonSmoothLaw(std::make_shared<numerics::FreeSpace>()) {}
  std::string_view className() const override { return "GlueNSL"; }
  std::size_t size() const override { return 1; }
  bool actsOnVelocities() const override { return true; }
};

TEST(TimeSteppingFailures, AnUnsupportedLawIsRefusedByNameBeforeTheFirstStep) {
  BouncingBall ball(1., 0., 0.9, 1.);
  const auto glue = std::make_shared<Interaction>(GlueNSL(), LagrangianLinearTIR(makeMatrix({{1.}})));
  glue->setName("glue");
  ball.model.link(glue, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'glue'", "LCP", "GlueNSL", "equality"});
}

TEST(TimeSteppingFailures, CompliantRelationsWithRestitutionAreRefused) {
  BouncingBall ball(1., 0., 0.9, 1.);
  LagrangianLinearTIR soft(makeMatrix({{1.}}));
  soft.setD(makeMatrix({{1e-3}}));
  const auto cushion = std::make_shared<Interaction>(NewtonImpactNSL(0.5), soft);
  cushion->setName("cushion");
  ball.model.link(cushion, ball.ball);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  expectError([&] { simulation.step(); }, {"'cushion'", "restitution"});
}

}  // namespace
