// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Residual of a solve relative to what rounding leaves: backward stability makes it a small multiple of n ε.
double backwardError(const Matrix& a, const Vector& x, const Vector& b) {
  Vector residual = b;
  multiply(1., a, x, -1., residual);
  return normInf(residual) / (normInf(a) * normInf(x) + normInf(b));
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Sizes on both sides of the switch from loops to LAPACK.
class Factorizations : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t n_ = GetParam();
  Generator generator_{n_};
  double tolerance_ = 10. * static_cast<double>(n_) * epsilon;
};

TEST_P(Factorizations, LuSolvesGeneralSystems) {
  const Matrix a = randomMatrix(generator_, n_, n_);
  const Vector b = randomVector(generator_, n_);
  LUFactorization lu;
  lu.factor(a, "a");
  Vector x = b;
  lu.solve(x);
  EXPECT_LT(backwardError(a, x, b), tolerance_);
  EXPECT_GT(lu.reciprocalCondition(), 0.);
  x = b;
  lu.solveTransposed(data(x));
  EXPECT_LT(backwardError(Matrix(boost::numeric::ublas::trans(a)), x, b), tolerance_);
}

TEST_P(Factorizations, LuSolvesSeveralRightHandSides) {
  const Matrix a = randomMatrix(generator_, n_, n_);
  const Matrix b = randomMatrix(generator_, n_, 3);
  LUFactorization lu;
  ASSERT_TRUE(lu.tryFactor(a));
  Matrix x = b;
  lu.solve(x);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LT(
        backwardError(a, Vector(boost::numeric::ublas::column(x, j)), Vector(boost::numeric::ublas::column(b, j))),
        tolerance_);
  }
}

TEST_P(Factorizations, CholeskySolvesDefiniteSystems) {
  const Matrix a = randomSemidefinite(generator_, n_, n_, 0.1);
  const Vector b = randomVector(generator_, n_);
  CholeskyFactorization cholesky;
  cholesky.factor(a, "a");
  Vector x = b;
  cholesky.solve(x);
  EXPECT_LT(backwardError(a, x, b), tolerance_);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Factorizations, testing::Values(1, 2, 5, 16, 17, 60));

TEST(LUFactorization, NamesASingularMatrix) {
  for (const std::size_t n : {3U, 30U}) {
    Generator generator(n);
    const Matrix a = randomSemidefinite(generator, n, n - 1);
    LUFactorization lu;
    EXPECT_FALSE(lu.tryFactor(a)) << n;
    EXPECT_EQ(lu.reciprocalCondition(), 0.);
    expectError([&] { lu.factor(a, "the iteration matrix"); }, {"the iteration matrix", "singular"});
  }
}

TEST(LUFactorization, TakesBadlyScaledButRegularMatrices) {
  LUFactorization lu;
  EXPECT_TRUE(lu.tryFactor(diagonalMatrix({1e12, 1e-12})));
  Vector x = makeVector({1e12, 1e-12});
  lu.solve(x);
  expectNear(x, makeVector({1., 1.}), 4. * epsilon);
}

TEST(LUFactorization, RefusesNanAndRectangles) {
  LUFactorization lu;
  Matrix a = identityMatrix(2);
  a(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lu.tryFactor(a));
  expectError([&] { lu.factor(a, "W"); }, {"W", "(1, 0)"});
  expectError([&] { lu.factor(Matrix(2, 3), "W"); }, {"W", "2 x 2", "2 x 3"});
}

TEST(LUFactorization, PivotsWhereTheDiagonalIsZero) {
  LUFactorization lu;
  ASSERT_TRUE(lu.tryFactor(makeMatrix({{0., 1.}, {2., 0.}})));
  Vector x = makeVector({3., 4.});
  lu.solve(x);
  expectNear(x, makeVector({2., 3.}), 0.);
}

TEST(LUFactorization, KnowsTheSignOfTheDeterminant) {
  LUFactorization lu;
  lu.factor(makeMatrix({{2., 0.}, {0., -3.}}), "diagonal");
  EXPECT_EQ(lu.determinantSign(), -1);
  lu.factor(makeMatrix({{0., 1.}, {1., 0.}}), "exchange");
  EXPECT_EQ(lu.determinantSign(), -1);
  lu.factor(makeMatrix({{0., 1., 0.}, {0., 0., 1.}, {1., 0., 0.}}), "cycle");
  EXPECT_EQ(lu.determinantSign(), 1);
  EXPECT_FALSE(lu.tryFactor(makeMatrix({{1., 1.}, {1., 1.}})));
  EXPECT_EQ(lu.determinantSign(), 0);
  // By LAPACK: rows shifted by one are a cycle of 20, which is odd.
  Matrix shifted(20, 20);
  for (std::size_t i = 0; i < 20; ++i) shifted(i, (i + 1) % 20) = 1. + static_cast<double>(i);
  lu.factor(shifted, "shifted");
  EXPECT_EQ(lu.determinantSign(), -1);
}

TEST(LUFactorization, KnowsTheConditionOfADiagonalMatrix) {
  LUFactorization lu;
  ASSERT_TRUE(lu.tryFactor(diagonalMatrix({1., 1e-6})));
  EXPECT_NEAR(lu.reciprocalCondition(), 1e-6, 1e-15);
}

TEST(LUFactorization, EstimatesTheCondition) {
  LUFactorization lu;
  // ‖A‖₁ = 2, ‖A⁻¹‖₁ = 10⁶ + 1. LAPACK bounds the latter from below, by less than a third of it only in rare cases.
  const double exact = 0.5 / (1e6 + 1.);
  ASSERT_TRUE(lu.tryFactor(makeMatrix({{1., 0.}, {1., 1e-6}})));
  EXPECT_GE(lu.reciprocalCondition(), exact * (1. - 1e-9));
  EXPECT_LE(lu.reciprocalCondition(), 3. * exact);
}

TEST(CholeskyFactorization, SaysWhyItRefuses) {
  CholeskyFactorization cholesky;
  expectError(
      [&] {
        cholesky.factor(diagonalMatrix({1., -1.}), "the mass");
      },
      {"the mass", "positive definite", "row 1"});
  expectError([&] { cholesky.factor(diagonalMatrix({1., 0.}), "the mass"); }, {"the mass", "positive definite"});
  expectError([&] { cholesky.factor(makeMatrix({{1., 0.5}, {0., 1.}}), "the mass"); }, {"the mass", "symmetric"});
}

TEST(CholeskyFactorization, SeesSingularityHiddenByRounding) {
  for (const std::size_t n : {4U, 40U}) {
    Generator generator(n);
    EXPECT_FALSE(CholeskyFactorization().tryFactor(randomSemidefinite(generator, n, n / 2))) << n;
  }
}

TEST(CholeskyFactorization, TakesBadlyScaledButDefiniteMatrices) {
  EXPECT_TRUE(CholeskyFactorization().tryFactor(diagonalMatrix({1e10, 1e-10})));
}

}  // namespace
