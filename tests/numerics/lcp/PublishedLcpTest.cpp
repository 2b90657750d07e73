// SPDX-License-Identifier: Apache-2.0
//
// Published LCPs, read from a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>

#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <string>
#include <support/PublishedProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

class PublishedLcp : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto path = publishedProblem("lcp", GetParam());
    if (!path) GTEST_SKIP() << "the published problem " << GetParam() << " is not there";
    problem_ = readLcp(*path);
  }
  LinearComplementarityProblem problem_;
};

TEST_P(PublishedLcp, IsSolvedByAutomaticToEveryToleranceInBothMeasures) {
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      AutomaticLcpOptions options;
      options.tolerance = tolerance;
      AutomaticLcpSolver solver(options);
      solver.setMeasure(measure);
      Vector z, w;
      const SolveReport report = solver.solve(problem_, z, w);
      EXPECT_TRUE(report.converged()) << report.summary() << ' ' << solver.lastSolver();
    }
  }
}

TEST_P(PublishedLcp, IsSolvedByLemkeToRounding) {
  if (GetParam() == std::string("lcp_CPS_3.dat"))
    GTEST_SKIP() << "a bimatrix game, on which Lemke's method ends on a ray";
  LemkeSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LT(publishedLcpError(problem_, z), 1e-8);
}

TEST_P(PublishedLcp, IsSolvedByEnumerationWhereItIsSmall) {
  if (problem_.size() > 16) GTEST_SKIP() << "too large to enumerate: " << problem_.size();
  EnumerationSolver solver;
  Vector z, w;
  EXPECT_TRUE(solver.solve(problem_, z, w).converged());
}

TEST(PublishedLcps, BimatrixGameEndsOnARayAndIsNotClaimed) {
  // Cottle, Pang, Stone, example 4.4.23: M is nonnegative with zero diagonal blocks, so z can only raise w.
  const Matrix M = makeMatrix({{0., 0., 10., 20.}, {0., 0., 30., 15.}, {10., 20., 0., 0.}, {30., 15., 0., 0.}});
  const LinearComplementarityProblem problem(M, makeVector({-1., -1., -1., -1.}));
  LemkeSolver solver;
  Vector z, w;
  EXPECT_EQ(solver.solve(problem, z, w).status, SolveStatus::infeasible);
  AutomaticLcpSolver automatic;
  EXPECT_TRUE(automatic.solve(problem, z, w).converged());
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedLcp,
                         testing::Values("lcp_trivial.dat", "lcp_deudeu.dat", "lcp_CPS_1.dat", "lcp_CPS_3.dat",
                                         "lcp_mmc.dat", "lcp_exp_murty.dat", "lcp_ortiz.dat"));

}  // namespace
