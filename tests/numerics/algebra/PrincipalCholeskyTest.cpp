// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/PrincipalFactor.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Small (dense path) and large (sparse path) columns of beads.
class PrincipalCholeskyOfColumn : public testing::TestWithParam<std::size_t> {};

TEST_P(PrincipalCholeskyOfColumn, SolvesOnTheSelectedRowsAlone) {
  const std::size_t n = GetParam();
  const BlockSparseMatrix W = columnMatrix(n);
  Generator generator(n);
  PrincipalCholesky factor;
  for (int round = 0; round < 3; ++round) {
    std::vector<char> selected(n);
    for (char& flag : selected) flag = generator() % 3 != 0 ? 1 : 0;
    ASSERT_TRUE(factor.factor(W, selected));
    const Vector b = randomVector(generator, n);
    Vector x = b;
    factor.solve(x);
    Vector product(n);
    W.multiply(data(x), data(product));
    // The condition of the column is about n²; the residual is backward stable all the same.
    for (std::size_t i = 0; i < n; ++i) {
      if (selected[i] != 0) {
        EXPECT_NEAR(product(i), b(i), 1e-12 * static_cast<double>(n));
      } else {
        EXPECT_EQ(x(i), 0.);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PrincipalCholeskyOfColumn, testing::Values(1, 10, 100, 1000));

TEST(PrincipalCholesky, FollowsChangedValuesAndPatterns) {
  BlockSparseMatrix W = columnMatrix(100);
  PrincipalCholesky factor;
  const std::vector<char> all(100, 1);
  ASSERT_TRUE(factor.factor(W, all));
  for (std::size_t i = 0; i < 100; ++i) *W.block(W.rowBegin(i) + (i > 0 ? 1 : 0)) += 3.;
  W.touch();
  ASSERT_TRUE(factor.factor(W, all));
  Vector x(100);
  for (double& entry : x.data()) entry = 1.;
  Vector b(100);
  W.multiply(data(x), data(b));
  factor.solve(b);
  expectNear(b, x, 1e-13);
  W = columnMatrix(90);
  ASSERT_TRUE(factor.factor(W, std::vector<char>(90, 1)));
}

TEST(PrincipalCholesky, RefusesSingularAndIndefiniteMatrices) {
  for (const std::size_t n : {6U, 120U}) {
    // Without the ground contact the column can move as a whole: row sums are zero.
    BlockSparseMatrix W = columnMatrix(n);
    *W.block(W.rowEnd(n - 1) - 1) = 1.;
    W.touch();
    PrincipalCholesky factor;
    EXPECT_FALSE(factor.factor(W, std::vector<char>(n, 1))) << n;
    *W.block(0) = -1.;
    W.touch();
    EXPECT_FALSE(factor.factor(W, std::vector<char>(n, 1))) << n;
    std::vector<char> without(n, 1);
    without[0] = 0;
    EXPECT_TRUE(factor.factor(W, without)) << n;
  }
}

TEST(PrincipalCholesky, TakesDiagonalBlocksThatAreNotStoredAsZero) {
  // [0 1; 1 2] with the first diagonal block missing, and a diagonal: definite without the first row only.
  for (const std::size_t n : {2U, 60U}) {
    BlockSparseMatrix A;
    A.beginRow(1);
    A.addBlock(1);
    A.beginRow(1);
    A.addBlock(0);
    for (std::size_t i = 1; i < n; ++i) {
      if (i > 1) A.beginRow(1);
      A.addBlock(i);
    }
    A.finish();
    *A.block(0) = *A.block(1) = 1.;
    for (std::size_t i = 1; i < n; ++i) *A.block(i + 1) = 2.;
    A.touch();
    PrincipalCholesky factor;
    std::vector<char> selected(n, 1);
    EXPECT_FALSE(factor.factor(A, selected));
    selected[0] = 0;
    ASSERT_TRUE(factor.factor(A, selected));
    Vector x(n);
    x(0) = 7.;
    x(1) = 3.;
    factor.solve(x);
    EXPECT_EQ(x(0), 0.);
    EXPECT_DOUBLE_EQ(x(1), 1.5);
  }
}

}  // namespace
