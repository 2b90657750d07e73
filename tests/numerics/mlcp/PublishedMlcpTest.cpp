// SPDX-License-Identifier: Apache-2.0
//
// Published MLCPs, read from a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>

#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <support/PublishedProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

class PublishedMlcp : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto path = publishedProblem("mlcp", GetParam());
    if (!path) GTEST_SKIP() << "the published problem " << GetParam() << " is not there";
    problem_ = readMlcp(*path);
  }
  MixedLinearComplementarityProblem problem_;
};

TEST_P(PublishedMlcp, IsSolvedByAutomaticToEveryToleranceInBothMeasures) {
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      AutomaticMlcpOptions options;
      options.tolerance = tolerance;
      AutomaticMlcpSolver solver(options);
      solver.setMeasure(measure);
      Vector z, w;
      const SolveReport report = solver.solve(problem_, z, w);
      EXPECT_TRUE(report.converged()) << report.summary() << ' ' << solver.lastSolver();
      EXPECT_EQ(solver.lastSolver(), "MlcpDirectSolver");
    }
  }
}

TEST_P(PublishedMlcp, IsNotSaidToHaveNoSolutionBelowRounding) {
  for (const auto& entry : solversFor<MixedLinearComplementarityProblem>()) {
    Vector z, w;
    const SolveReport report = entry.make({1e-17, 200})->solve(problem_, z, w);
    EXPECT_NE(report.status, SolveStatus::infeasible) << entry.name << ": " << report.summary();
  }
}

TEST_P(PublishedMlcp, IsSolvedByEliminationAlone) {
  MlcpReductionSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

TEST_P(PublishedMlcp, IsSolvedByEnumeration) {
  MlcpEnumerationSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedMlcp,
                         testing::Values("diodeBridge_mlcp.dat", "relay2_mlcp.dat", "RLCD_mlcp.dat", "PD_mlcp.dat",
                                         "m2n1_mlcp.dat", "RCD_mlcp.dat", "BuckConverter_mlcp.dat"));

}  // namespace
