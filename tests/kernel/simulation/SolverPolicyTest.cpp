// SPDX-License-Identifier: Apache-2.0
//
// Fallback chains, relaxed tolerances, and problems that failed in files.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/RunSummary.hpp>
#include <delassus/kernel/simulation/SolverPolicy.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <filesystem>
#include <support/FallingBar.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A folder of its own for each test.
class SolverPolicyTest : public testing::Test {
 protected:
  SolverPolicyTest()
      : folder(std::filesystem::path(testing::TempDir()) /
               (std::string("delassus_policy_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder);
    sink = std::make_shared<FunctionSink>([this](LogLevel level, std::string_view line) {
      if (line.find("at the start") != std::string_view::npos) return;  // columns begin deep, to have much to solve
      (level == LogLevel::error ? errors : warnings).emplace_back(line);
    });
    Log::add(sink, LogLevel::warning);
  }
  ~SolverPolicyTest() override {
    Log::remove(sink);
    std::filesystem::remove_all(folder);
  }

  std::filesystem::path folder;
  std::shared_ptr<FunctionSink> sink;
  std::vector<std::string> warnings, errors;
};

// A solver that does not get far with a column of beads.
ProjectedGaussSeidelSolver lazySolver(std::size_t iterations, double tolerance = 1e-8) {
  numerics::ProjectedGaussSeidelOptions options;
  options.maxIterations = iterations;
  options.tolerance = tolerance;
  return ProjectedGaussSeidelSolver(options);
}

Matrix dense(const BlockSparseMatrix& M) {
  Matrix all;
  M.toDense(all);
  return all;
}

bool same(const Matrix& a, const Matrix& b) {
  return a.size1() == b.size1() && a.size2() == b.size2() &&
         std::equal(a.data().begin(), a.data().end(), b.data().begin());
}

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

TEST_F(SolverPolicyTest, FallsBackToTheSolversItNames) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(lazySolver(2)));
  SolverPolicyOptions options;
  options.fallback = {"pgs", "lemke"};
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.run();
  EXPECT_GT(policy.counts().recovered, 0U);
  EXPECT_EQ(policy.counts().failed, 0U);
  EXPECT_EQ(simulation.statistics().fallbacks, policy.counts().recovered);
  EXPECT_EQ(simulation.statistics().acceptedFailures, 0U);
  EXPECT_LE(simulation.statistics().worstError, 1e-8);
  EXPECT_NE(RunSummary::of(simulation).text().find("recovered by a further solver"), std::string::npos);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(SolverPolicyTest, RefusesSolversThatTheClassHasNot) {
  BouncingBall ball(1., 0., 0.5, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  SolverPolicyOptions options;
  options.fallback = {"nsgs"};
  expectError([&] { SolverPolicy(options).attach(simulation); }, {"no solver 'nsgs'", "lemke", "block_pivoting"});
  options.fallback.clear();
  options.relaxation = 0.5;
  expectError([&] { SolverPolicy policy(options); }, {"relaxation", "0.5"});
  options.relaxation = 1.;
  options.folder = "/proc/no/such";
  expectError([&] { SolverPolicy(options).attach(simulation); }, {"/proc/no/such", "cannot be made"});
}

// Sweeps that would go on for minutes: each step ends soon after its time, with an answer that the policy judges.
TEST_F(SolverPolicyTest, KeepsToTheTimeOfAStep) {
  const auto steps = [](double relaxation, FailureAction otherwise, SolverPolicyCounts& counts) {
    ColumnOfBeads column(40, 0.05, 0.19, 0., 3e-3);
    TimeSteppingOptions options;
    options.solveTime = 2e-3;
    TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(),
                            LCP(lazySolver(2000000000, 1e-300)), options);
    SolverPolicyOptions policyOptions;
    policyOptions.relaxation = relaxation;
    policyOptions.otherwise = otherwise;
    SolverPolicy policy(policyOptions);
    policy.attach(simulation);
    simulation.run();
    counts = policy.counts();
    return simulation.statistics();
  };
  SolverPolicyCounts counts;
  const StepStatistics relaxed = steps(1e300, FailureAction::raise, counts);
  EXPECT_EQ(relaxed.steps, 3U);
  EXPECT_GT(counts.relaxed, 0U);
  EXPECT_LT(relaxed.worstError, 1.);
  const StepStatistics accepted = steps(1., FailureAction::accept, counts);
  EXPECT_EQ(accepted.steps, 3U);
  EXPECT_EQ(accepted.acceptedFailures, counts.failed);
  EXPECT_GT(counts.failed, 0U);
  expectError([&] { steps(1., FailureAction::raise, counts); }, {"time limit", "ProjectedGaussSeidelSolver"});
}

// The time is that of all solvers together, and a solver's own limit, if shorter, stays in force.
TEST_F(SolverPolicyTest, GivesTheTimeThatIsLeftToTheNextSolver) {
  ColumnOfBeads column(40, 0.05, 0.19, 0., 2e-3);
  TimeSteppingOptions options;
  options.solveTime = 60.;
  ProjectedGaussSeidelSolver first = lazySolver(2000000000, 1e-8);
  first.setTimeLimit(1e-3);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(first, LemkeSolver{}),
                          options);
  simulation.run();
  EXPECT_EQ(simulation.statistics().steps, 2U);
  EXPECT_EQ(simulation.statistics().acceptedFailures, 0U);
  options.solveTime = 0.;
  expectError([&] { TimeStepping(column.model, TimeDiscretisation(0., 1e-3), options); }, {"time of the solves", "0"});
}

TEST_F(SolverPolicyTest, RelaxesTheToleranceWithAWarning) {
  ColumnOfBeads column(4, 0.05, 0.19, 0., 0.01);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(lazySolver(30, 1e-14)));
  SolverPolicyOptions options;
  options.relaxation = 1e13;
  options.mostWarnings = 3;
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.run();
  EXPECT_GT(policy.counts().relaxed, 3U);
  EXPECT_EQ(policy.counts().failed, 0U);
  EXPECT_EQ(simulation.statistics().relaxed, policy.counts().relaxed);
  EXPECT_EQ(simulation.statistics().acceptedFailures, 0U);
  EXPECT_GT(simulation.statistics().worstError, 1e-14);
  // Three, and that there will be no more.
  ASSERT_EQ(warnings.size(), 4U);
  for (const char* part : {"step 0 from t = 0", "LCP of 4 rows", "tolerance 1e-14", "relaxed tolerance "}) {
    EXPECT_NE(warnings[0].find(part), std::string::npos) << part << " is not in: " << warnings[0];
  }
  EXPECT_NE(warnings[3].find("level debug"), std::string::npos);
  EXPECT_NE(simulation.summary().find("at a relaxed tolerance"), std::string::npos);
}

TEST_F(SolverPolicyTest, SavesAnLcpThatFailedToTheLastBit) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(lazySolver(2)));
  SolverPolicyOptions options;
  options.folder = folder;
  SolverPolicy policy(options);
  policy.attach(simulation);
  expectError([&] { simulation.run(); }, {"step 0", "LCP"});
  ASSERT_EQ(policy.files().size(), 1U);
  EXPECT_EQ(policy.files()[0], folder / "LCP-step000000-t0.dat");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NE(errors[0].find("LCP-step000000-t0.dat"), std::string::npos);
  const auto& failed = dynamic_cast<const LCP&>(simulation.problem()).problem();
  const numerics::ProblemFile file = numerics::readProblem(policy.files()[0]);
  const auto& read = std::get<numerics::LinearComplementarityProblem>(file.problem);
  EXPECT_TRUE(same(dense(read.M()), dense(failed.M())));
  EXPECT_TRUE(same(read.q(), failed.q()));
  // The failure again, from the file.
  Vector z, w;
  EXPECT_FALSE(lazySolver(2).solve(read, z, w).converged());
}

TEST_F(SolverPolicyTest, SavesNoMoreThanItIsAllowed) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.02);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(lazySolver(2)));
  SolverPolicyOptions options;
  options.folder = folder;
  options.mostFiles = 3;
  options.otherwise = FailureAction::accept;
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.run();
  EXPECT_GT(policy.counts().failed, 3U);
  EXPECT_EQ(policy.counts().saved, 3U);
  EXPECT_EQ(simulation.statistics().acceptedFailures, policy.counts().failed);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 3U);
}

TEST_F(SolverPolicyTest, SavesProblemsThatWereRecoveredIfItIsAsked) {
  ColumnOfBeads column(8, 0.05, 0.19, 0., 0.002);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(),
                          LCP(lazySolver(2), LemkeSolver()));
  SolverPolicyOptions options;
  options.folder = folder;
  options.saveRecovered = true;
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.run();
  EXPECT_EQ(policy.counts().saved, policy.counts().recovered);
  EXPECT_GT(policy.counts().saved, 0U);
}

// Blocks on the ground in a row, pushed against each other: contacts with friction.
struct PushedBlocks {
  PushedBlocks() : model(0., 1.) {
    for (std::size_t k = 0; k < 4; ++k) {
      const auto block =
          std::make_shared<LagrangianLinearTIDS>(Vector(3), makeVector({-1., 1., -0.5}), diagonalMatrix({1., 1.5, 2.}));
      block->setExternalForces(makeVector({-9.81, 3., 0.1}));
      model.insert(block);
      blocks.push_back(block);
    }
    const NewtonImpactFrictionNSL law(0., 0., 0.3, 3);
    for (const auto& block : blocks) {
      model.link(std::make_shared<Interaction>(
                     law, LagrangianLinearTIR(makeMatrix({{1., 0.2, 0.1}, {0.1, 1., 0.3}, {0., 0.2, 1.}}))),
                 block);
    }
    for (std::size_t k = 0; k + 1 < blocks.size(); ++k) {
      model.link(std::make_shared<Interaction>(
                     law, LagrangianLinearTIR(makeMatrix(
                              {{-1., 0., 0., 1., 0., 0.1}, {0., -1., 0., 0., 1., 0.}, {0., 0., -1., 0., 0., 1.}}))),
                 blocks[k], blocks[k + 1]);
    }
  }
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> blocks;
};

numerics::NonsmoothGaussSeidelOptions oneSweep() {
  numerics::NonsmoothGaussSeidelOptions options;
  options.maxIterations = 1;
  options.tolerance = 1e-12;
  return options;
}

TEST_F(SolverPolicyTest, SavesFrictionAsFclib) {
  PushedBlocks pushed;
  TimeStepping simulation(pushed.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(),
                          FrictionContact(3, NonsmoothGaussSeidelSolver(oneSweep())));
  SolverPolicyOptions options;
  options.folder = folder;
  SolverPolicy policy(options);
  policy.attach(simulation);
  EXPECT_THROW(simulation.step(), Error);
  ASSERT_EQ(policy.files().size(), 1U);
  EXPECT_EQ(policy.files()[0].filename(), "FrictionContact-step000000-t0.hdf5");
  const auto& failed = dynamic_cast<const FrictionContact&>(simulation.problem()).problem();
  const numerics::ProblemFile file = numerics::readProblem(policy.files()[0]);
  EXPECT_EQ(file.format, numerics::FileFormat::fclib);
  const auto& read = std::get<numerics::FrictionContactProblem>(file.problem);
  EXPECT_TRUE(same(dense(*read.W().matrix()), dense(*failed.W().matrix())));
  EXPECT_TRUE(same(read.q(), failed.q()));
  EXPECT_TRUE(same(read.mu(), failed.mu()));
}

TEST_F(SolverPolicyTest, SavesMechanicalProblemsAsText) {
  PushedBlocks pushed;
  numerics::MechanicalGaussSeidelOptions lazy;
  lazy.maxIterations = 1;
  lazy.tolerance = 1e-12;
  TimeStepping simulation(pushed.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(),
                          GenericMechanical(numerics::MechanicalGaussSeidelSolver(lazy)));
  SolverPolicyOptions options;
  options.folder = folder;
  SolverPolicy policy(options);
  policy.attach(simulation);
  EXPECT_THROW(simulation.step(), Error);
  ASSERT_EQ(policy.files().size(), 1U);
  const auto& failed = dynamic_cast<const GenericMechanical&>(simulation.problem()).problem();
  const auto read = std::get<numerics::GenericMechanicalProblem>(numerics::readProblem(policy.files()[0]).problem);
  EXPECT_TRUE(same(dense(read.W()), dense(failed.W())));
  EXPECT_TRUE(same(read.q(), failed.q()));
  EXPECT_TRUE(same(read.lower(), failed.lower()));
  EXPECT_TRUE(same(read.upper(), failed.upper()));
  ASSERT_EQ(read.parts().size(), failed.parts().size());
  for (std::size_t k = 0; k < read.parts().size(); ++k) {
    EXPECT_EQ(read.set(k).name(), failed.set(k).name());
    EXPECT_EQ(read.set(k).coefficients(), failed.set(k).coefficients());
  }
}

TEST_F(SolverPolicyTest, TakesGlobalProblemsToo) {
  PushedBlocks pushed;
  numerics::AdmmOptions lazy;
  lazy.maxIterations = 1;
  lazy.tolerance = 1e-12;
  TimeStepping simulation(pushed.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(),
                          GlobalFrictionContact(3, numerics::AdmmSolver(lazy)));
  SolverPolicyOptions options;
  options.folder = folder;
  options.fclib = false;
  options.saveRecovered = true;
  options.fallback = {"automatic"};
  options.relaxation = 1e6;
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.step();
  EXPECT_EQ(policy.counts().recovered + policy.counts().relaxed, 1U);
  ASSERT_EQ(policy.files().size(), 1U);
  const auto& failed = dynamic_cast<const GlobalFrictionContact&>(simulation.problem()).problem();
  const auto read = numerics::readGlobalFriction(policy.files()[0]);
  EXPECT_TRUE(same(read.b(), failed.b()));
}

TEST_F(SolverPolicyTest, RelaxesNewtonsTolerance) {
  NonSmoothDynamicalSystem model(0., 0.1);
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}), identityMatrix(1));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = 50. * sin(q(0));
  }));
  model.insert(pendulum);
  TimeSteppingOptions lazy;
  lazy.newtonMaxIterations = 1;
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(), lazy);
  SolverPolicyOptions options;
  options.newtonRelaxation = 1e11;
  SolverPolicy policy(options);
  policy.attach(simulation);
  simulation.run();
  EXPECT_GT(policy.counts().relaxed, 0U);
  EXPECT_EQ(simulation.statistics().relaxed, policy.counts().relaxed);
  EXPECT_EQ(simulation.statistics().acceptedFailures, 0U);
  EXPECT_NE(warnings.front().find("Newton"), std::string::npos);
}

TEST_F(SolverPolicyTest, HelpsImpactsOfEventDrivenSimulations) {
  const auto run = [&](const SolverPolicyOptions& options) {
    FallingBar bar(0.5);
    EventDriven simulation(bar.model, TimeDiscretisation(0., 1e-2), LCP(lazySolver(1, 1e-13)));
    SolverPolicy policy(options);
    policy.attach(simulation);
    simulation.run();
    return simulation.counts();
  };
  SolverPolicyOptions options;
  options.folder = folder;
  EXPECT_THROW(run(options), Error);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  options.fallback = {"lemke"};
  EXPECT_GT(run(options).fallbacks, 0U);
}

TEST_F(SolverPolicyTest, NeverTakesAnImpactBeyondItsRelaxation) {
  FallingBar bar(0.5);
  EventDriven simulation(bar.model, TimeDiscretisation(0., 1e-2), LCP(lazySolver(1, 1e-13)));
  SolverPolicyOptions options;
  options.otherwise = FailureAction::relax;
  SolverPolicy(options).attach(simulation);
  EXPECT_THROW(simulation.run(), Error);
}

TEST(EventDrivenFailures, APolicyDecidesAboutImpacts) {
  for (const FailureAction action : {FailureAction::relax, FailureAction::accept, FailureAction::raise}) {
    FallingBar bar(0.5);
    EventDriven simulation(bar.model, TimeDiscretisation(0., 1e-2), LCP(lazySolver(1, 1e-13)));
    std::size_t asked = 0;
    simulation.setFailurePolicy([&](const StepReport& report, const EventDriven&) {
      EXPECT_EQ(report.failure, Failure::solve);
      EXPECT_GT(report.problemSize, 0U);
      ++asked;
      return action;
    });
    if (action == FailureAction::relax) {
      simulation.run();
      EXPECT_EQ(simulation.counts().relaxed, asked);
    } else {
      EXPECT_THROW(simulation.run(), Error);
    }
    EXPECT_GT(asked, 0U);
  }
}

}  // namespace
