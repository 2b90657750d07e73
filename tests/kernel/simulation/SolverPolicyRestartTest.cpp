// SPDX-License-Identifier: Apache-2.0
//
// Counts of failures in runs that go on from a checkpoint are those of an uninterrupted one.
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/SolverPolicy.hpp>
#include <delassus/numerics/Log.hpp>
#include <support/FallingBar.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

ProjectedGaussSeidelSolver lazySolver(std::size_t iterations, double tolerance) {
  numerics::ProjectedGaussSeidelOptions options;
  options.maxIterations = iterations;
  options.tolerance = tolerance;
  return ProjectedGaussSeidelSolver(options);
}

class SolverPolicyRestart : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(restartFolder());
    Log::setTerminal(LogLevel::none);
  }
  void TearDown() override {
    Log::reset();
    std::filesystem::remove_all(restartFolder());
  }
  std::filesystem::path path() const { return restartFolder() / "policy.checkpoint"; }
};

// Beads that fall on each other; the first solver does a few sweeps only.
struct Beads {
  explicit Beads(const SolverPolicyOptions& options, std::size_t iterations = 2)
      : column(4, 0.12, 0.21, 0.6, 0.5),
        simulation(column.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(lazySolver(iterations, 1e-14))),
        policy(options) {
    policy.attach(simulation);
  }
  void go(std::size_t steps) {
    for (std::size_t k = 0; k < steps; ++k) simulation.step();
  }
  ColumnOfBeads column;
  TimeStepping simulation;
  SolverPolicy policy;
};

void expectSameCounts(const Beads& run, const Beads& whole) {
  const SolverPolicyCounts& here = run.policy.counts();
  const SolverPolicyCounts& there = whole.policy.counts();
  EXPECT_EQ(here.recovered, there.recovered);
  EXPECT_EQ(here.relaxed, there.relaxed);
  EXPECT_EQ(here.failed, there.failed);
  EXPECT_EQ(here.saved, there.saved);
  EXPECT_EQ(run.policy.files().size(), whole.policy.files().size());
  const RunCounts counts = run.simulation.counts();
  EXPECT_EQ(counts.fallbacks, whole.simulation.counts().fallbacks);
  EXPECT_EQ(counts.relaxed, whole.simulation.counts().relaxed);
  EXPECT_EQ(counts.rejectedSteps, whole.simulation.counts().rejectedSteps);
  EXPECT_EQ(run.simulation.problem().fallbacks(), whole.simulation.problem().fallbacks());
  EXPECT_EQ(run.simulation.problem().relaxations(), whole.simulation.problem().relaxations());
  EXPECT_EQ(run.simulation.summary(), whole.simulation.summary());
}

TEST_F(SolverPolicyRestart, CountsRelaxedSolvesOfTheWholeRun) {
  SolverPolicyOptions options;
  options.relaxation = 1e15;
  Beads whole(options);
  whole.go(50);
  ASSERT_GT(whole.policy.counts().relaxed, 10U);
  Beads first(options);
  first.go(25);
  ASSERT_GT(first.policy.counts().relaxed, 0U);
  saveCheckpoint(first.simulation, path());
  Beads second(options);
  restoreCheckpoint(second.simulation, path());
  expectSameCounts(second, first);
  second.go(25);
  expectSameCounts(second, whole);
}

TEST_F(SolverPolicyRestart, CountsFallbacksAndFilesOfTheWholeRun) {
  SolverPolicyOptions options;
  options.fallback = {"lemke"};
  options.saveRecovered = true;
  options.mostFiles = 6;
  options.folder = restartFolder() / "whole";
  Beads whole(options);
  whole.go(50);
  ASSERT_EQ(whole.policy.counts().saved, 6U);
  ASSERT_GT(whole.policy.counts().recovered, 6U);
  options.folder = restartFolder() / "parts";
  Beads first(options);
  first.go(25);
  saveCheckpoint(first.simulation, path());
  Beads second(options);
  restoreCheckpoint(second.simulation, path());
  ASSERT_FALSE(first.policy.files().empty());
  EXPECT_EQ(second.policy.files(), first.policy.files());
  second.go(25);
  expectSameCounts(second, whole);
}

TEST_F(SolverPolicyRestart, CountsStepsThatWereRejected) {
  Beads first(SolverPolicyOptions{}, 1);
  EXPECT_THROW(first.simulation.run(), Error);
  ASSERT_EQ(first.simulation.counts().rejectedSteps, 1U);
  ASSERT_GT(first.policy.counts().failed, 0U);
  saveCheckpoint(first.simulation, path());
  Beads second(SolverPolicyOptions{}, 1);
  restoreCheckpoint(second.simulation, path());
  expectSameCounts(second, first);
}

TEST_F(SolverPolicyRestart, MayBeginWithACheckpointThatHasNoPolicy) {
  SolverPolicyOptions options;
  options.relaxation = 1e15;
  Beads first(options);
  first.go(25);
  const std::size_t relaxed = first.simulation.counts().relaxed;
  saveCheckpoint(first.simulation, path());
  // Without a policy, then with one again.
  ColumnOfBeads column(4, 0.12, 0.21, 0.6, 0.5);
  TimeStepping alone(column.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(lazySolver(2, 1e-14)));
  restoreCheckpoint(alone, path());
  EXPECT_EQ(alone.counts().relaxed, relaxed);
  saveCheckpoint(alone, path());
  Beads second(options);
  restoreCheckpoint(second.simulation, path());
  EXPECT_EQ(second.simulation.counts().relaxed, relaxed);
  EXPECT_EQ(second.policy.counts().relaxed, 0U);
}

TEST_F(SolverPolicyRestart, TakesThePlaceOfThePolicyBefore) {
  SolverPolicyOptions options;
  options.relaxation = 1e15;
  Beads run(options);
  const SolverPolicy other(options);
  other.attach(run.simulation);
  EXPECT_EQ(run.simulation.statisticsStates().size(), 1U);
  run.go(25);
  EXPECT_GT(other.counts().relaxed, 0U);
  saveCheckpoint(run.simulation, path());
  Beads second(options);
  restoreCheckpoint(second.simulation, path());
  EXPECT_EQ(second.policy.counts().relaxed, other.counts().relaxed);
}

TEST_F(SolverPolicyRestart, CountsImpactsOfEventDrivenRuns) {
  // The first solver does one sweep.
  struct Bar : FallingBar {
    Bar() : FallingBar(0.6) {
      SolverPolicyOptions options;
      options.fallback = {"lemke"};
      policy = std::make_unique<SolverPolicy>(options);
      simulation = std::make_unique<EventDriven>(model, TimeDiscretisation(0., 0.05), LCP(lazySolver(1, 1e-13)));
      policy->attach(*simulation);
    }
    std::unique_ptr<SolverPolicy> policy;
    std::unique_ptr<EventDriven> simulation;
  };
  Bar first;
  first.simulation->run();
  ASSERT_GT(first.simulation->counts().fallbacks, 0U);
  saveCheckpoint(*first.simulation, path());
  Bar second;
  restoreCheckpoint(*second.simulation, path());
  EXPECT_EQ(second.simulation->counts().fallbacks, first.simulation->counts().fallbacks);
  EXPECT_EQ(second.policy->counts().recovered, first.policy->counts().recovered);
}

}  // namespace
