// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
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
    const SolveReport report = solver.solve(
        LinearComplementarityProblem{randomSemidefinite(generator, 12, 12, 1e-3), randomVector(generator, 12)}, z, w);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

TEST(BlockPivotingSolver, SaysThatASingularActiveSetIsNotForIt) {
  BlockPivotingSolver solver(BlockPivotingOptions::ofDefinite());
  Vector z, w;
  const SolveReport report =
      solver.solve(LinearComplementarityProblem{makeMatrix({{1., 1.}, {1., 1.}}), makeVector({-1., -1.})}, z, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_EQ(report.reason, "M is not positive definite on an active set");
}

TEST(BlockPivotingSolver, FactorsLargeMatricesThatAreNotSymmetricSparse) {
  for (const std::size_t n : {101U, 2000U, 6000U}) {
    Generator generator(n);
    const BlockSparseMatrix M = randomTridiagonal(generator, n);
    Vector z(n), w(n), q(n);
    for (std::size_t i = 0; i < n; ++i) (generator() % 2 == 0 ? z : w)(i) = 1.;
    M.multiply(data(z), data(q));
    const LinearComplementarityProblem problem(M, Vector(w - q));
    AutomaticBoxSolver solver;
    Vector found, dual;
    const SolveReport report = solver.solve(problem, found, dual);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_EQ(report.solver, "BlockPivotingSolver");
    // Conditions are below a hundred.
    expectNear(found, z, 1e-12);
    EXPECT_EQ(solver.solve(problem, found, dual).iterations, 1U);
  }
}

TEST(BlockPivotingSolver, SolvesALadderOfDiodes) {
  // Stage i: a diode with current z in series with the node before it, voltage w, and a load at each node: monotone and
  // skew in the couplings, as a circuit in the mixed variables of its parts.
  const std::size_t n = 1000;
  BlockSparseMatrix M;
  for (std::size_t i = 0; i < n; ++i) {
    M.beginRow(2);
    if (i > 0) M.addBlock(i - 1);
    M.addBlock(i);
    if (i + 1 < n) M.addBlock(i + 1);
  }
  M.finish();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = M.rowBegin(i); k < M.rowEnd(i); ++k) {
      double* const block = M.block(k);  // column-major 2 x 2
      if (M.column(k) == i) {
        block[0] = 0.1;
        block[1] = 1.;
        block[2] = -1.;
        block[3] = 0.5;
      } else {
        block[M.column(k) > i ? 2 : 1] = M.column(k) > i ? 0.3 : -0.3;
      }
    }
  }
  M.touch();
  Generator generator(2);
  LinearComplementarityProblem problem(M, randomVector(generator, 2 * n));
  AutomaticBoxSolver solver;
  Vector z, w;
  for (int step = 0; step < 5; ++step) {
    problem.q() = randomVector(generator, 2 * n);
    const SolveReport report = solver.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_EQ(report.solver, "BlockPivotingSolver");
    EXPECT_LT(report.error, 1e-13);
  }
}

}  // namespace
