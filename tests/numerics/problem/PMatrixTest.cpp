// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/problem/UniqueSolution.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// By elimination with partial pivoting, independent of the library.
double determinant(Matrix A) {
  const std::size_t n = A.size1();
  double product = 1.;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    if (A(pivot, k) == 0.) return 0.;
    if (pivot != k) {
      product = -product;
      for (std::size_t j = 0; j < n; ++j) std::swap(A(k, j), A(pivot, j));
    }
    product *= A(k, k);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A(i, k) / A(k, k);
      for (std::size_t j = k; j < n; ++j) A(i, j) -= factor * A(k, j);
    }
  }
  return product;
}

double minorOf(const Matrix& M, const std::vector<std::size_t>& rows) {
  Matrix part(rows.size(), rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) part(i, j) = M(rows[i], rows[j]);
  }
  return determinant(part);
}

double smallestMinor(const Matrix& M) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t set = 1; set < std::size_t{1} << M.size1(); ++set) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < M.size1(); ++i) {
      if ((set >> i & 1) != 0) rows.push_back(i);
    }
    smallest = std::min(smallest, minorOf(M, rows));
  }
  return smallest;
}

// Identity plus a random matrix whose size is such that about half of them are P-matrices.
TEST(PMatrixTest, AgreesWithAllMinorsOnRandomMatrices) {
  Generator generator(1);
  PMatrixTest test;
  std::size_t positive = 0;
  std::size_t compared = 0;
  for (int k = 0; k < 600; ++k) {
    const std::size_t n = 1 + static_cast<std::size_t>(k) % 7;
    Matrix M = randomMatrix(generator, n, n);
    M *= 1.6 / std::sqrt(static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) M(i, i) += 1.;
    const double smallest = smallestMinor(M);
    if (std::abs(smallest) < 1e-9) continue;
    ++compared;
    EXPECT_EQ(test.holds(M), smallest > 0.) << "matrix " << k << " with smallest minor " << smallest;
    if (smallest > 0.) {
      ++positive;
      EXPECT_TRUE(test.minor().empty());
    } else {
      EXPECT_LE(minorOf(M, test.minor()), 0.);
    }
  }
  EXPECT_GT(positive, compared / 5);
  EXPECT_LT(positive, 4 * compared / 5);
}

TEST(PMatrixTest, DoesNotDependOnUnits) {
  Generator generator(2);
  PMatrixTest test;
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 2 + static_cast<std::size_t>(k) % 5;
    Matrix M = randomMatrix(generator, n, n);
    for (std::size_t i = 0; i < n; ++i) M(i, i) += 0.9;
    const bool before = test.holds(M);
    const Vector rows = randomVector(generator, n);
    const Vector columns = randomVector(generator, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) M(i, j) *= std::pow(10., 9. * rows(i) + 9. * columns(j));
    }
    EXPECT_EQ(test.holds(M), before) << "matrix " << k;
  }
}

TEST(PMatrixTest, KnowsDefiniteSkewAndSingularMatrices) {
  Generator generator(3);
  PMatrixTest test;
  EXPECT_TRUE(test.holds(Matrix(0, 0)));
  EXPECT_TRUE(test.holds(randomPositiveDefinite(generator, 8)));
  EXPECT_TRUE(hasDefiniteSymmetricPart(randomPositiveDefinite(generator, 8)));
  // A P-matrix that is not definite.
  const Matrix triangular = makeMatrix({{1., -10.}, {0., 1.}});
  EXPECT_TRUE(test.holds(triangular));
  EXPECT_FALSE(hasDefiniteSymmetricPart(triangular));
  EXPECT_FALSE(test.holds(makeMatrix({{0., 1.}, {-1., 0.}})));
  EXPECT_EQ(test.minor(), std::vector<std::size_t>{0});
  // Singular up to rounding, which must not decide.
  const Matrix rankOne = makeMatrix({{0.1, 0.3}, {0.2, 0.6 + 1e-16}});
  EXPECT_FALSE(test.holds(rankOne));
  EXPECT_EQ(test.minor(), (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(hasDefiniteSymmetricPart(randomSemidefinite(generator, 6, 4)));
  EXPECT_FALSE(test.holds(randomSemidefinite(generator, 6, 4)));
  EXPECT_TRUE(test.holds(randomSemidefinite(generator, 6, 4, 1e-6)));
}

TEST(PMatrixTest, TakesTwentyRowsAndRefusesMore) {
  Matrix M = identityMatrix(20);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = i + 1; j < 20; ++j) M(i, j) = -2.;
  }
  PMatrixTest test;
  EXPECT_TRUE(test.holds(M));
  M(19, 0) = -1.;
  EXPECT_FALSE(test.holds(M));
  EXPECT_LE(minorOf(M, test.minor()), 0.);
  expectError([&] { test.holds(identityMatrix(21)); }, {"PMatrixTest", "at most 20 rows", "got 21"});
  expectError([&] { test.holds(Matrix(2, 3)); }, {"PMatrixTest: M", "2 x 2", "2 x 3"});
  Matrix bad(1, 1);
  bad(0, 0) = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { test.holds(bad); }, {"PMatrixTest: M", "nan"});
}

}  // namespace
