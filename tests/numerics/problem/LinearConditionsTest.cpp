// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>
#include <limits>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;
using Sign = LinearConditions::Sign;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool never() {
  return false;
}

TEST(LinearConditions, AreContradictoryWhereTwoEqualRowsAskTwoThings) {
  const Matrix M = makeMatrix({{1., 2.}, {1., 2.}});
  for (const double second : {-1., -1. - 1e-12, -1.5}) {
    const Vector q = makeVector({-1., second});
    LinearConditions conditions(M, q);
    conditions.require(0, Sign::zero);
    conditions.require(1, Sign::zero);
    EXPECT_EQ(conditions.areContradictory(), second == -1.5) << second;
    conditions.require(1, Sign::any);
    EXPECT_FALSE(conditions.areContradictory()) << second;
  }
}

TEST(LinearConditions, AreContradictoryWhereBoundsLeaveNoPoint) {
  const Matrix M = makeMatrix({{1., 1.}});
  const Vector q = makeVector({-3.});
  LinearConditions conditions(M, q);
  conditions.require(0, Sign::nonnegative);
  conditions.bound(0, 0., 1.);
  conditions.bound(1, -infinity, 1.5);
  EXPECT_TRUE(conditions.areContradictory());
  conditions.bound(1, -infinity, 2.);
  EXPECT_FALSE(conditions.areContradictory());
  conditions.require(0, Sign::nonpositive);
  conditions.bound(1, 2.5, infinity);
  EXPECT_FALSE(conditions.areContradictory());
  conditions.bound(0, 0.6, infinity);
  EXPECT_TRUE(conditions.areContradictory());
}

TEST(LinearConditions, TakeOnlyAProofThatHolds) {
  const Matrix M = makeMatrix({{1., 0.}, {-1., 0.}});
  const Vector q = makeVector({-2., 1.});
  LinearConditions conditions(M, q);
  conditions.require(0, Sign::nonnegative);
  conditions.require(1, Sign::nonnegative);
  EXPECT_TRUE(conditions.areContradictedBy(makeVector({1., 1.})));
  EXPECT_FALSE(conditions.areContradictedBy(makeVector({1., 0.9})));
  EXPECT_FALSE(conditions.areContradictedBy(makeVector({-1., -1.})));
  EXPECT_FALSE(conditions.areContradictedBy(makeVector({0., 0.})));
}

TEST(LinearConditions, WithAPointAreNeverContradictoryAndWithoutOneAreFound) {
  std::size_t found = 0, contradictory = 0;
  for (std::size_t seed = 0; seed < 400; ++seed) {
    Generator generator(seed);
    const std::size_t rows = 2 + seed % 9, columns = 1 + seed % 7;
    // Of low rank, with rows of very different size.
    const std::size_t rank = 1 + seed % 3;
    Matrix M = product(randomMatrix(generator, rows, rank), randomMatrix(generator, rank, columns));
    for (std::size_t i = 0; i < rows; ++i) {
      const double scale = std::pow(10., 6. * randomVector(generator, 1)(0));
      for (std::size_t j = 0; j < columns; ++j) M(i, j) *= scale;
    }
    const Vector z = randomVector(generator, columns);
    Vector q(rows);
    multiply(-1., M, z, 0., q);
    {
      LinearConditions conditions(M, q);
      for (std::size_t i = 0; i < rows; ++i) conditions.require(i, Sign::zero);
      EXPECT_FALSE(conditions.areContradictory()) << seed;
    }
    if (rows <= rank) continue;
    ++contradictory;
    q(0) += 0.5 * normInf(makeVector({M(0, 0), q(0)}));
    LinearConditions conditions(M, q);
    for (std::size_t i = 0; i < rows; ++i) conditions.require(i, Sign::zero);
    found += conditions.areContradictory() ? 1U : 0U;
  }
  // Where a row is independent of the others nothing is contradicted.
  EXPECT_GE(found, contradictory * 9 / 10);
}

TEST(LcpInfeasibility, IsNotSaidOfALargeProblemWithAModerateSolution) {
  // z = (51.5, 52.5, 0, …) solves it: δ grows with the size, and what qᵀ y must have grows with δ.
  const std::size_t n = 1000;
  Matrix M = identityMatrix(n);
  M(0, 1) = M(1, 0) = -1.;
  M(1, 1) = 1. + 4e-11;
  Vector q(n), y(n);
  q(0) = 1.;
  q(1) = -1. - 2.1e-9;
  y(0) = y(1) = 1.;
  EXPECT_FALSE(provesInfeasible(LinearComplementarityProblem(M, q), y));
}

TEST(EnumerationProof, FindsThatFeasibleConditionsHaveNoComplementaryPoint) {
  // w = (z₂ − 1, 1): z₂ ≥ 1 is feasible, but z₂ w₂ = 0 is not.
  const LinearComplementarityProblem problem(makeMatrix({{0., 1.}, {0., 0.}}), makeVector({-1., 1.}));
  DenseBox box;
  const BoxView view = *box.view(problem);
  EXPECT_FALSE(provesUnsolvable(view, never, 1));
  EXPECT_TRUE(provesUnsolvable(view, never));
  EXPECT_FALSE(provesUnsolvable(view, [] { return true; }));
  Vector z, w;
  EXPECT_EQ(EnumerationSolver().solve(problem, z, w).status, SolveStatus::infeasible);
}

TEST(LemkesMethod, SaysInfeasibleOnlyOfARayThatProvesIt) {
  // Solved by z = (0, 1) in the first and by nothing in the second.
  Vector z, w;
  const LinearComplementarityProblem solvable(makeMatrix({{-1., 2.}, {-1., 1.}}), makeVector({-1., -1.}));
  const SolveReport report = LemkeSolver().solve(solvable, z, w);
  EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
  const LinearComplementarityProblem unsolvable(makeMatrix({{0., 0.}, {0., 1.}}), makeVector({-1., -1.}));
  EXPECT_EQ(LemkeSolver().solve(unsolvable, z, w).status, SolveStatus::infeasible);
}

}  // namespace
