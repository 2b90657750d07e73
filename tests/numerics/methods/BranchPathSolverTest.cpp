// SPDX-License-Identifier: Apache-2.0
//
// The path of solutions from a start.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/BranchPathSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector constant(std::size_t size, double value) {
  Vector v(size);
  for (double& entry : v.data()) entry = value;
  return v;
}

TEST(BranchPathSolver, FindsTheSolutionOfADefiniteProblemFromAnyStart) {
  for (std::size_t seed = 0; seed < 30; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 9;
    RelayProblem problem(randomPositiveDefinite(generator, n), 3. * randomVector(generator, n), constant(n, -1.),
                         constant(n, 0.5));
    if (seed % 3 == 0) problem.upper()(0) = infinity;
    if (seed % 3 == 1) {
      problem.lower()(0) = -infinity;
      problem.upper()(0) = infinity;
    }
    Vector expected, z = randomVector(generator, n), w;
    ASSERT_TRUE(BlockPivotingSolver().solve(problem, expected, w).converged()) << seed;
    const SolveReport report = BranchPathSolver().solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << seed << ": " << report.summary();
    expectNear(z, expected, 1e-9);
  }
}

// 0.5 z₀ is what drives the second one, too, which would stay by itself.
TEST(BranchPathSolver, GoesThroughTheBranchBetweenTwoThatHold) {
  RelayProblem problem(makeMatrix({{-0.5, 0.}, {0.5, -0.4}}), makeVector({0.6, 0.}), constant(2, -1.), constant(2, 1.));
  Vector z = makeVector({1., -1.}), w;
  const SolveReport report = BranchPathSolver().solve(problem, z, w);
  ASSERT_TRUE(report.converged()) << report.summary();
  // The first falls through 0.6/0.5 and its bounds, and lets the second one rise.
  EXPECT_EQ(z(0), -1.);
  EXPECT_EQ(z(1), 1.);
  EXPECT_GE(report.iterations, 2U);
  // Both may stay where they are.
  problem.q()(0) = 0.4;
  z = makeVector({1., -1.});
  problem.q()(1) = 0.;
  ASSERT_TRUE(BranchPathSolver().solve(problem, z, w).converged());
  EXPECT_EQ(z(0), 1.);
  EXPECT_EQ(z(1), -1.);
}

TEST(BranchPathSolver, SaysWhereAPathDoesNotEnd) {
  // No solution: w = −1 whatever z is.
  const RelayProblem ray(makeMatrix({{0.}}), makeVector({-1.}), makeVector({0.}), makeVector({infinity}));
  Vector z, w;
  EXPECT_EQ(BranchPathSolver().solve(ray, z, w).status, SolveStatus::numericalFailure);
  using Row = MixedLinearComplementarityProblem::Row;
  const MixedLinearComplementarityProblem singular(Matrix(1, 1), makeVector({1.}), {Row::equality});
  z = Vector();
  EXPECT_EQ(BranchPathSolver().solve(singular, z, w).status, SolveStatus::numericalFailure);
}

}  // namespace
