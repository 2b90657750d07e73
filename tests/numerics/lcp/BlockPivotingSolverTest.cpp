// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(BlockPivotingSolver, AgreesWithLemkeOnSparseProblemsOfAllActiveSets) {
  BlockPivotingSolver pivoting;
  LemkeSolver lemke;
  for (std::size_t seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const std::size_t n = 40 + 5 * seed;
    const LinearComplementarityProblem problem(columnMatrix(n), randomVector(generator, n));
    Vector z, expected, w;
    const SolveReport report = pivoting.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    ASSERT_TRUE(lemke.solve(problem, expected, w).converged());
    double scale = 0.;
    for (const double entry : expected.data()) scale = std::max(scale, entry);
    // κ(M) is about n²: n² ε relative to the largest.
    expectNear(z, expected, 1e-10 * scale);
  }
}

TEST(BlockPivotingSolver, NeedsOneIterationFromTheRightActiveSet) {
  Generator generator(3);
  LinearComplementarityProblem problem(columnMatrix(200), randomVector(generator, 200));
  BlockPivotingSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  problem.q() *= 1.001;
  EXPECT_EQ(solver.solve(problem, z, w).iterations, 1U);
}

TEST(BlockPivotingSolver, EndsByMurtysRuleWhenBlockExchangesDoNot) {
  BlockPivotingOptions options;
  options.patience = 0;
  BlockPivotingSolver solver(options);
  for (std::size_t seed = 0; seed < 50; ++seed) {
    Generator generator(seed);
    Vector z, w;
    const SolveReport report =
        solver.solve({randomSemidefinite(generator, 12, 12, 1e-3), randomVector(generator, 12)}, z, w);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

TEST(BlockPivotingSolver, SaysThatASingularActiveSetIsNotForIt) {
  BlockPivotingSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve({makeMatrix({{1., 1.}, {1., 1.}}), makeVector({-1., -1.})}, z, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_EQ(report.reason, "M is not positive definite on an active set");
}

}  // namespace
