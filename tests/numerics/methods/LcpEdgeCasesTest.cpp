// SPDX-License-Identifier: Apache-2.0
//
// LCPs at the edge of what rounding tells apart, with holes in their pattern, and limits of solvers.
#include <gtest/gtest.h>

#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(LcpsWithDefiniteMatricesThatAreNearlySingular, AreNeverSaidToHaveNoSolution) {
  for (const double shift : {1e-6, 1e-8, 1e-10, 1e-12}) {
    for (std::size_t seed = 0; seed < 25; ++seed) {
      Generator generator(seed);
      const Matrix M = randomSemidefinite(generator, 8, 4, shift);
      const LinearComplementarityProblem problem(M, randomVector(generator, 8));
      for (const auto& entry : solversFor<LinearComplementarityProblem>()) {
        if (entry.name != "automatic" && entry.name != "enumeration" && entry.name != "active_set" &&
            entry.name != "interior_point") {
          continue;
        }
        Vector z, w;
        const SolveReport report = entry.make({1e-8, 0})->solve(problem, z, w);
        EXPECT_NE(report.status, SolveStatus::infeasible) << entry.name << ", shift " << shift << ", seed " << seed;
      }
    }
  }
}

TEST(LcpsWithDiagonalBlocksThatAreNotStored, AreSolvedBySparseMethods) {
  for (const std::size_t missing : {0U, 1U}) {
    BlockSparseMatrix M;
    M.beginRow(1);
    if (missing != 0) M.addBlock(0);
    M.addBlock(1);
    M.beginRow(1);
    M.addBlock(0);
    if (missing != 1) M.addBlock(1);
    M.finish();
    // Semidefinite: no coupling beside a zero on the diagonal.
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) *M.block(k) = M.column(k) == row ? 1. : 0.;
    }
    M.touch();
    Vector q(2);
    q(missing) = 1.;
    q(1 - missing) = -1.;
    const LinearComplementarityProblem problem(M, q);
    for (const auto& entry : solversFor<LinearComplementarityProblem>()) {
      if (entry.name != "automatic" && entry.name != "block_pgs" && entry.name != "proximal" &&
          entry.name != "block_pivoting") {
        continue;
      }
      Vector z = makeVector({3., 3.});
      Vector w;
      const SolveReport report = entry.make({1e-8, 0})->solve(problem, z, w);
      if (entry.name == "block_pivoting" && !report.converged()) continue;  // for definite matrices only
      EXPECT_TRUE(report.converged()) << entry.name << ", " << missing << ": " << report.summary();
      EXPECT_NEAR(z(1 - missing), 1., 1e-6) << entry.name;
      EXPECT_NEAR(z(missing), 0., 1e-6) << entry.name;
    }
  }
}

TEST(AutomaticBoxSolver, PassesAnIterationLimitOn) {
  // Not symmetric, so that Lemke's method is the first; it takes many pivots here (Murty, 1988).
  const std::size_t n = 12;
  Matrix M(n, n);
  Vector q(n);
  for (std::size_t j = 0; j < n; ++j) {
    q(j) = -1.;
    M(j, j) = 1.;
    for (std::size_t i = 0; i < j; ++i) M(i, j) = 2.;
  }
  AutomaticBoxOptions options;
  options.maxIterations = 1;
  options.enumerateSize = 0;
  Vector z, w;
  const SolveReport report = AutomaticBoxSolver(options).solve(LinearComplementarityProblem{M, q}, z, w);
  EXPECT_LE(report.iterations, 1U);
  options.maxIterations = 0;
  EXPECT_GT(AutomaticBoxSolver(options).solve(LinearComplementarityProblem{M, q}, z, w).iterations, 1U);
}

TEST(BlockGaussSeidelSolver, DropsAStartThatAZeroOnTheDiagonalDoesNotAllow) {
  BlockSparseMatrix M;
  for (std::size_t i = 0; i < 2; ++i) {
    M.beginRow(1);
    M.addBlock(i);
  }
  M.finish();
  *M.block(0) = 2.;
  M.touch();
  BlockGaussSeidelSolver solver;
  Vector z = makeVector({0., 3.});
  Vector w;
  EXPECT_TRUE(solver.solve(LinearComplementarityProblem{M, makeVector({-1., 1.})}, z, w).converged());
  EXPECT_EQ(z(1), 0.);
}

}  // namespace
