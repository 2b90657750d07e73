// SPDX-License-Identifier: Apache-2.0
//
// The two factorisations of matrices of any rank.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double rounding = 1e-10;  // of solves with the conditions that random factors have

TEST(SemidefiniteCholesky, FindsTheRankAndSolvesInTheRange) {
  Generator generator(21);
  for (const std::size_t n : {1U, 4U, 9U, 20U}) {
    for (std::size_t rank = 1; rank <= n; ++rank) {
      const Matrix A = randomSemidefinite(generator, n, rank);
      SemidefiniteCholesky factor;
      ASSERT_TRUE(factor.tryFactor(data(A), n));
      // Nearly square random factors may be as good as singular; not by so much that the answer misses.
      EXPECT_EQ(factor.rank(), rank);
      const Vector x = randomVector(generator, n);
      Vector b(n);
      multiply(1., A, x, 0., b);
      Vector answer = b;
      factor.solve(data(answer));
      Vector residual = b;
      multiply(-1., A, answer, 1., residual);
      EXPECT_LE(norm2(residual), rounding * norm2(b));
    }
  }
}

// The least of Σ A_ii x_i², which does not depend on units: rows scaled by s give unknowns divided by s.
TEST(SemidefiniteCholesky, GivesTheSolutionOfLeastWeightedNormInAllUnits) {
  const Matrix A = makeMatrix({{2., 2., 0.}, {2., 2., 0.}, {0., 0., 3.}});
  Vector x = makeVector({4., 4., 6.});
  SemidefiniteCholesky factor;
  ASSERT_TRUE(factor.tryFactor(data(A), 3));
  factor.solve(data(x));
  expectNear(x, makeVector({1., 1., 2.}), 1e-14);

  const Vector s = makeVector({1., 1e3, 1e-4});
  Matrix scaled = A;
  Vector y = makeVector({4., 4., 6.});
  for (std::size_t j = 0; j < 3; ++j) {
    y(j) *= s(j);
    for (std::size_t i = 0; i < 3; ++i) scaled(i, j) *= s(i) * s(j);
  }
  ASSERT_TRUE(factor.tryFactor(data(scaled), 3));
  EXPECT_EQ(factor.rank(), 2U);
  factor.solve(data(y));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(y(i) * s(i), x(i), 1e-12);
}

TEST(SemidefiniteCholesky, RefusesAMatrixWithNegativeCurvature) {
  SemidefiniteCholesky factor;
  const Matrix indefinite = makeMatrix({{1., 2.}, {2., 1.}});
  EXPECT_FALSE(factor.tryFactor(data(indefinite), 2));
  const Matrix saddle = makeMatrix({{1., 1.}, {1., 0.}});
  EXPECT_FALSE(factor.tryFactor(data(saddle), 2));
}

TEST(RankRevealingLU, FindsTheRankAndSolvesInTheRangeOfAnySquareMatrix) {
  Generator generator(22);
  for (const std::size_t n : {1U, 3U, 8U, 15U}) {
    for (std::size_t rank = 1; rank <= n; ++rank) {
      const Matrix A = product(randomMatrix(generator, n, rank), randomMatrix(generator, rank, n));
      RankRevealingLU factor;
      factor.factor(data(A), n);
      EXPECT_EQ(factor.rank(), rank);
      const Vector x = randomVector(generator, n);
      Vector b(n);
      multiply(1., A, x, 0., b);
      Vector answer = b;
      factor.solve(data(answer));
      Vector residual = b;
      multiply(-1., A, answer, 1., residual);
      EXPECT_LE(norm2(residual), rounding * (1. + norm2(b)));
    }
  }
}

TEST(RankRevealingLU, OfZeroGivesZero) {
  const Matrix zero(3, 3);
  RankRevealingLU factor;
  factor.factor(data(zero), 3);
  EXPECT_EQ(factor.rank(), 0U);
  Vector x = makeVector({1., 2., 3.});
  factor.solve(data(x));
  EXPECT_EQ(norm2(x), 0.);
}

TEST(RankRevealingLU, NullVectorsSpanTheNullSpace) {
  constexpr std::size_t n = 7;
  Generator generator(23);
  for (std::size_t rank = 1; rank <= n; ++rank) {
    const Matrix A = randomSemidefinite(generator, n, rank);
    RankRevealingLU factor;
    factor.factor(data(A), n);
    ASSERT_EQ(factor.rank(), rank);
    Matrix products(n - rank, n - rank);
    std::vector<Vector> basis(n - rank, Vector(n));
    for (std::size_t k = 0; k < basis.size(); ++k) {
      factor.nullVector(k, data(basis[k]));
      Vector image(n);
      multiply(1., A, basis[k], 0., image);
      EXPECT_LE(norm2(image), rounding * norm2(basis[k])) << rank << ' ' << k;
    }
    // Independent: their Gram matrix has full rank.
    for (std::size_t i = 0; i < basis.size(); ++i) {
      for (std::size_t j = 0; j < basis.size(); ++j) {
        products(i, j) = 0.;
        for (std::size_t k = 0; k < n; ++k) products(i, j) += basis[i](k) * basis[j](k);
      }
    }
    if (basis.empty()) continue;
    factor.factor(data(products), basis.size());
    EXPECT_EQ(factor.rank(), basis.size());
  }
}

}  // namespace
