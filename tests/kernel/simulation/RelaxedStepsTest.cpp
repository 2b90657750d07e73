// SPDX-License-Identifier: Apache-2.0
//
// Steps that miss a tolerance by little, and Newton loops without a fixed point: a default run goes on, and tells.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/ProblemByLaws.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/SolverPolicy.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Log.hpp>
#include <string>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// Keeps the warnings of a test.
struct RelaxedStepsTest : testing::Test {
  RelaxedStepsTest() {
    sink = std::make_shared<FunctionSink>([this](LogLevel, std::string_view line) {
      if (line.find("at the start") != std::string_view::npos) return;  // columns begin deep, to have much to solve
      warnings.emplace_back(line);
    });
    Log::add(sink, LogLevel::warning);
  }
  ~RelaxedStepsTest() override { Log::remove(sink); }

  std::shared_ptr<FunctionSink> sink;
  std::vector<std::string> warnings;
};

void expectParts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

// A particle that falls into a groove |x| ≤ z, given as one contact with a kink: on the left its normal points to the
// right, and the other way round, so that whichever side a pass takes throws the particle to the other one.
struct Groove {
  Groove() : model(0., 1.) {
    particle =
        std::make_shared<LagrangianLinearTIDS>(makeVector({1e-6, 0.2}), makeVector({0., 0.}), diagonalMatrix({1., 1.}));
    particle->setExternalForces(makeVector({0., -9.81}));
    model.insert("particle", particle);
    model.link(
        "groove", NewtonImpactNSL(0.),
        LagrangianScleronomousR(1, withJacobians([](const Vector& q, Vector& y) { y(0) = q(1) - std::abs(q(0)); },
                                                 [](const Vector& q, Matrix& G) {
                                                   G(0, 0) = q(0) > 0. ? -1. : 1.;
                                                   G(0, 1) = 1.;
                                                 })),
        particle);
  }
  // Its energy falls.
  void run(TimeStepping& simulation) const {
    double energy = 9.81 * 0.2;
    simulation.run([&] {
      const Vector& v = particle->velocity();
      const double now = 0.5 * (v(0) * v(0) + v(1) * v(1)) + 9.81 * particle->q()(1);
      EXPECT_LE(now, energy + 1e-12);  // rounding of numbers of size 2
      energy = now;
    });
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> particle;
};

TEST_F(RelaxedStepsTest, ALoopBetweenTwoStatesEndsAtOneThatMeetsTheEquations) {
  Groove groove;
  TimeStepping simulation(groove.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), {.mostHalvings = 0});
  groove.run(simulation);
  const StepStatistics& statistics = simulation.statistics();
  EXPECT_EQ(statistics.steps, 1000U);
  EXPECT_GT(statistics.relaxed, 1U);
  EXPECT_EQ(statistics.acceptedFailures, 0U);
  EXPECT_EQ(simulation.counts().relaxed, statistics.relaxed);
  ASSERT_EQ(warnings.size(), 1U);
  expectParts(warnings[0], {"'particle'", "NewtonTest::residual", "relaxed tolerance"});
}

TEST_F(RelaxedStepsTest, ALoopBetweenTwoStatesIsAFailureWhereNothingIsRelaxed) {
  Groove groove;
  TimeSteppingOptions strict;
  strict.relaxation = 1.;
  strict.mostHalvings = 0;
  TimeStepping simulation(groove.model, 1e-3, strict);
  expectError([&] { simulation.run(); }, {"particle", "NewtonTest::residual"});
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(simulation.statistics().relaxed, 0U);
}

TEST_F(RelaxedStepsTest, ALoopBetweenTwoStatesIsFirstTriedInPieces) {
  Groove groove;
  TimeStepping simulation(groove.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure());
  groove.run(simulation);
  const StepStatistics& statistics = simulation.statistics();
  EXPECT_EQ(simulation.stepIndex(), 1000U);
  EXPECT_GT(statistics.divided, 0U);
  EXPECT_GT(statistics.steps, 1000U + statistics.divided);  // of pieces, two or more in each of these
  EXPECT_EQ(simulation.counts().divided, statistics.divided);
}

// Of a column of beads, 350 sweeps leave an error of some 1e-6.
LCP shortOfSweeps(std::size_t sweeps) {
  numerics::ProjectedGaussSeidelOptions options;
  options.maxIterations = sweeps;
  return LCP(ProjectedGaussSeidelSolver(options));
}

TEST_F(RelaxedStepsTest, AnAnswerWithinTheStatedBoundIsTakenCountedAndTold) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), shortOfSweeps(350));
  simulation.run();
  EXPECT_EQ(simulation.statistics().relaxed, 1U);  // the others start from the answer of the step before
  EXPECT_GT(simulation.statistics().worstError, 1e-8);
  EXPECT_LE(simulation.statistics().worstError, 1e-4);
  EXPECT_EQ(simulation.problem().relaxations(), simulation.statistics().relaxed);
  ASSERT_EQ(warnings.size(), 1U);
  expectParts(warnings[0], {"ProjectedGaussSeidelSolver", "(tolerance 1e-08)", "relaxed tolerance"});
}

TEST_F(RelaxedStepsTest, AnAnswerBeyondTheBoundEndsTheRun) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), shortOfSweeps(2));
  expectError([&] { simulation.run(); }, {"step 0 from t = 0", "ProjectedGaussSeidelSolver", "(tolerance 1e-08)"});
}

// Solves, and errs by a millionth to either side in turn.
class Erring final : public numerics::Solver<numerics::ProblemOverSets> {
 public:
  std::string_view name() const override { return "Erring"; }
  double tolerance() const override { return exact_.tolerance(); }

 private:
  Outcome compute(const numerics::ProblemOverSets& problem, Vector& lambda) override {
    exact_.solve(problem, lambda, dual_);
    error_ = -error_;
    lambda *= 1. + error_;
    return {numerics::SolveStatus::inaccurate, 1, {}};
  }

  LemkeSolver exact_;
  Vector dual_;
  double error_ = 1e-6;
};

// A particle that slides in the bowl z = x²/2. What the passes of a loop get from such a solver differs by more than
// the tolerance of the loop, for ever.
TEST_F(RelaxedStepsTest, ALoopEndsWhereItsAnswersAreKnownNoBetter) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto particle =
      std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.5}), makeVector({0., 0.}), diagonalMatrix({1., 1.}));
  particle->setExternalForces(makeVector({0., -9.81}));
  model.insert("particle", particle);
  model.link(
      "bowl", NewtonImpactNSL(0.),
      LagrangianScleronomousR(1, withJacobians([](const Vector& q, Vector& y) { y(0) = q(1) - 0.5 * q(0) * q(0); },
                                               [](const Vector& q, Matrix& G) {
                                                 G(0, 0) = -q(0);
                                                 G(0, 1) = 1.;
                                               })),
      particle);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(Erring()));
  simulation.run();
  const StepStatistics& statistics = simulation.statistics();
  EXPECT_GT(statistics.relaxed, 1000U);
  EXPECT_LT(statistics.newtonIterations, 4000U);  // exact answers take 2 to 3 passes a step
  EXPECT_EQ(statistics.divided, 0U);
  EXPECT_LE(statistics.worstResidual, 1e-5);
}

TEST_F(RelaxedStepsTest, APolicyDecidesAlone) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), shortOfSweeps(350));
  simulation.setFailurePolicy(FailureAction::raise);
  EXPECT_THROW(simulation.run(), Error);
  SolverPolicy(SolverPolicyOptions{}).attach(simulation);
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_EQ(simulation.statistics().relaxed, 0U);
}

TEST_F(RelaxedStepsTest, APolicyThatRelaxesTakesAnAnswerToTheErrorThatItHas) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), shortOfSweeps(350));
  std::size_t asked = 0;
  double worst = 0.;
  simulation.setFailurePolicy([&](const StepReport& report, const TimeStepping&) {
    EXPECT_EQ(report.failure, Failure::solve);
    EXPECT_GT(report.solve.error, report.solve.tolerance);
    ++asked;
    worst = std::max(worst, report.solve.error);
    return FailureAction::relax;
  });
  simulation.run();
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(simulation.statistics().relaxed, asked);
  EXPECT_EQ(simulation.problem().relaxations(), asked);
  EXPECT_EQ(simulation.statistics().worstError, worst);
}

TEST_F(RelaxedStepsTest, AWordSetsTheToleranceOfTheDefaultSolvers) {
  for (const Accuracy accuracy : {Accuracy::coarse, Accuracy::medium, Accuracy::normal, Accuracy::high}) {
    ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
    TimeStepping simulation(column.model, 1e-3, {.accuracy = accuracy});
    simulation.step();
    EXPECT_EQ(simulation.lastStep().solve.tolerance, toleranceOf(accuracy));
  }
}

TEST_F(RelaxedStepsTest, AWordDoesNotTouchSolversThatWereGiven) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  const TimeDiscretisation grid(0., 1e-3);
  EXPECT_NO_THROW(TimeStepping(column.model, grid, MoreauJeanOSI(), LCP(LemkeSolver{})));
  expectError(
      [&] { TimeStepping(column.model, grid, MoreauJeanOSI(), LCP(LemkeSolver{}), {.accuracy = Accuracy::high}); },
      {"LCP", "solvers were given", "1e-10"});
}

// Each problem makes its own solvers anew.
TEST_F(RelaxedStepsTest, EveryProblemTakesTheTolerance) {
  const auto toleranceIn = [](OneStepNSProblem&& problem) {
    problem.setTolerance(1e-3);
    const Settings settings = problem.settings();
    for (const Setting& setting : settings.list()) {
      if (setting.name.ends_with("tolerance") && setting.value != "0.001") return setting.name + " = " + setting.value;
    }
    return std::string();
  };
  EXPECT_EQ(toleranceIn(LCP()), "");
  EXPECT_EQ(toleranceIn(MLCP()), "");
  EXPECT_EQ(toleranceIn(Relay()), "");
  EXPECT_EQ(toleranceIn(GenericMechanical()), "");
  EXPECT_EQ(toleranceIn(FrictionContact(3)), "");
  EXPECT_EQ(toleranceIn(GlobalFrictionContact(3)), "");
  expectError([] { ProblemByLaws().setTolerance(0.); }, {"ProblemByLaws", "tolerance", "0"});
}

TEST_F(RelaxedStepsTest, SolversThatWereAddedByNameTakeALaterTolerance) {
  const auto expectTheSameEitherWay = [](OneStepNSProblem&& later, OneStepNSProblem&& first, const std::string& name) {
    later.addSolver(name);
    later.setTolerance(1e-3);
    first.setTolerance(1e-3);
    first.addSolver(name);
    EXPECT_EQ(later.settings(), first.settings());
  };
  expectTheSameEitherWay(FrictionContact(3), FrictionContact(3), "nsgs");
  expectTheSameEitherWay(GlobalFrictionContact(3), GlobalFrictionContact(3), "admm");
}

TEST_F(RelaxedStepsTest, ARefusedToleranceLeavesTheSolvers) {
  LCP problem;
  const Settings before = problem.settings();
  EXPECT_THROW(problem.setTolerance(-1.), Error);
  EXPECT_EQ(problem.settings(), before);
}

TEST_F(RelaxedStepsTest, RefusesARelaxationBelowOne) {
  ColumnOfBeads column(2, 0.05, 0.19, 0., 0.02);
  TimeSteppingOptions options;
  options.relaxation = 0.5;
  expectError([&] { TimeStepping(column.model, 1e-3, options); }, {"TimeStepping", "relaxation", "0.5"});
}

}  // namespace
