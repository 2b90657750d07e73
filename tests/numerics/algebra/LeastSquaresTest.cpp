// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(LeastSquares, FitsALineThroughPoints) {
  // y = 1 + 2 t with residuals (1, −2, 1)/6·k orthogonal to both columns.
  const Matrix a = makeMatrix({{1., 0.}, {1., 1.}, {1., 2.}});
  const LeastSquaresSolution fit = leastSquares(a, makeVector({2., 1., 6.}), "line");
  expectNear(fit.x, makeVector({1., 2.}), 1e-14);
  EXPECT_EQ(fit.rank, 2U);
  EXPECT_NEAR(fit.residual, std::sqrt(6.), 1e-14);
}

TEST(LeastSquares, ResidualIsOrthogonalToTheColumns) {
  Generator generator(7);
  const Matrix a = randomMatrix(generator, 30, 12);
  const Vector b = randomVector(generator, 30);
  Vector residual = b;
  multiply(1., a, leastSquares(a, b, "a").x, -1., residual);
  Vector gradient(12);
  multiplyTransposed(1., a, residual, 0., gradient);
  EXPECT_LT(normInf(gradient), 1e-13);
}

TEST(LeastSquares, GivesTheLeastNormWhereColumnsAreDependent) {
  // x₁ + x₂ = 2 twice: of all solutions (1, 1) is the shortest.
  const Matrix a = makeMatrix({{1., 1.}, {1., 1.}});
  const LeastSquaresSolution solution = leastSquares(a, makeVector({2., 2.}), "twice");
  EXPECT_EQ(solution.rank, 1U);
  expectNear(solution.x, makeVector({1., 1.}), 1e-14);
}

TEST(LeastSquares, NamesWhatDoesNotFit) {
  expectError([] { leastSquares(Matrix(3, 2), Vector(2), "the fit"); }, {"the fit", "size 3", "size 2"});
  Vector bad(3);
  bad(1) = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { leastSquares(Matrix(3, 2), bad, "the fit"); }, {"the fit", "component 1"});
}

}  // namespace
