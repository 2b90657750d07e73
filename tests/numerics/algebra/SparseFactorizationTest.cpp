// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace delassus {
namespace {

using test::Generator;

// Laplacian of a grid plus a random diagonal; `scale` changes values, never the pattern.
SparseMatrix gridMatrix(Generator& generator, std::size_t width, double scale) {
  std::uniform_real_distribution<double> some(0.1, 1.);
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < width * width; ++i) {
    entries.push_back({i, i, scale * (4. + some(generator))});
    if (i % width != 0) entries.push_back({i, i - 1, -scale}), entries.push_back({i - 1, i, -scale});
    if (i >= width) entries.push_back({i, i - width, -scale}), entries.push_back({i - width, i, -scale});
  }
  return sparseFromTriplets(width * width, width * width, entries);
}

template <class Factorization>
void expectSolves(Factorization& factor, const SparseMatrix& A, Generator& generator) {
  ASSERT_TRUE(factor.tryFactor(A));
  EXPECT_EQ(factor.size(), A.size1());
  const Vector expected = test::randomVector(generator, A.size1());
  Vector x(A.size1());
  multiply(1., A, expected, 0., x);
  factor.solve(x);
  addScaled(-1., expected, x);
  EXPECT_LT(normInf(x), 1e-12);  // condition below 1e2
}

// Several right-hand sides at once: multiples of one.
void expectSolvesForMany(SparseCholeskyFactorization& factor, const SparseMatrix& A, Generator& generator) {
  constexpr std::size_t count = 5;
  ASSERT_TRUE(factor.tryFactor(A));
  const std::size_t n = A.size1();
  const Vector expected = test::randomVector(generator, n);
  Vector right(n);
  multiply(1., A, expected, 0., right);
  std::vector<double> x;
  for (std::size_t k = 0; k < count; ++k) {
    for (const double entry : right) x.push_back(static_cast<double>(k) * entry);
  }
  factor.solve(x.data(), count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[k * n + i], static_cast<double>(k) * expected(i), 1e-12);
  }
}

TEST(SparseCholeskyFactorization, SolvesSimplicialAndSupernodal) {
  Generator generator(1);
  SparseCholeskyFactorization factor;
  for (const std::size_t width : {1u, 2u, 7u, 40u}) {
    expectSolves(factor, gridMatrix(generator, width, 1.), generator);
    expectSolves(factor, gridMatrix(generator, width, 10.), generator);
    expectSolvesForMany(factor, gridMatrix(generator, width, 1.), generator);
  }
  const Matrix dense = test::randomSemidefinite(generator, 150, 150, 5.);  // dense: supernodal
  expectSolves(factor, sparseFromDense(dense), generator);
  expectSolves(factor, sparseFromDense(dense), generator);
  expectSolvesForMany(factor, sparseFromDense(dense), generator);
}

TEST(SparseCholeskyFactorization, RefusesIndefiniteSingularAndNonFiniteMatricesAndRecovers) {
  SparseCholeskyFactorization factor;
  EXPECT_FALSE(factor.tryFactor(sparseFromDense(makeMatrix({{1., 2.}, {2., 1.}}))));
  EXPECT_FALSE(factor.tryFactor(sparseFromDense(makeMatrix({{1., 1.}, {1., 1.}}))));
  EXPECT_FALSE(factor.tryFactor(sparseFromDense(makeMatrix({{-1., 1.}, {1., 2.}}))));
  EXPECT_FALSE(factor.tryFactor(sparseFromTriplets(2, 2, {{0, 0, 1.}})));
  EXPECT_FALSE(factor.tryFactor(sparseFromTriplets(2, 3, {{0, 0, 1.}})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(factor.tryFactor(sparseFromTriplets(2, 2, {{0, 0, 1.}, {1, 1, nan}})));
  Generator generator(2);
  expectSolves(factor, sparseFromDense(makeMatrix({{2., 1.}, {1., 2.}})), generator);
  EXPECT_THROW(factor.factor(sparseFromDense(makeMatrix({{1., 2.}, {0., 1.}})), "A"), Error);
}

TEST(SparseCholeskyFactorization, RefusesSingularSupernodalMatrices) {
  Generator generator(3);
  SparseCholeskyFactorization factor;
  EXPECT_FALSE(factor.tryFactor(sparseFromDense(test::randomSemidefinite(generator, 120, 100))));
}

TEST(SparseLUFactorization, SolvesAndKeepsThePattern) {
  Generator generator(4);
  SparseLUFactorization factor;
  for (const std::size_t width : {1u, 2u, 7u, 40u}) {
    expectSolves(factor, gridMatrix(generator, width, 1.), generator);
    expectSolves(factor, gridMatrix(generator, width, 1e3), generator);
  }
  EXPECT_GT(factor.reciprocalCondition(), 1e-5);
  // A zero diagonal needs pivoting.
  const Matrix a = makeMatrix({{0., 1., 2.}, {1., 0., 0.}, {0., 3., 1.}});
  expectSolves(factor, sparseFromDense(a), generator);
  Vector x = makeVector({1., -2., 3.}), b(3);
  multiplyTransposed(1., a, x, 0., b);
  factor.solveTransposed(data(b));
  test::expectNear(b, x, 1e-14);
}

TEST(SparseLUFactorization, RefusesSingularMatricesAndRecovers) {
  SparseLUFactorization factor;
  EXPECT_FALSE(factor.tryFactor(sparseFromDense(makeMatrix({{1., 1.}, {1., 1.}}))));
  EXPECT_FALSE(factor.tryFactor(sparseFromTriplets(2, 2, {{0, 0, 1.}})));
  EXPECT_FALSE(factor.tryFactor(sparseFromTriplets(2, 3, {{0, 0, 1.}})));
  EXPECT_FALSE(
      factor.tryFactor(sparseFromDense(makeMatrix({{1., std::numeric_limits<double>::infinity()}, {1., 1.}}))));
  EXPECT_THROW(factor.factor(sparseFromDense(makeMatrix({{1., 1.}, {1., 1.}})), "A"), Error);
  Generator generator(5);
  expectSolves(factor, sparseFromDense(makeMatrix({{1., 1.}, {1., -1.}})), generator);
}

}  // namespace
}  // namespace delassus
