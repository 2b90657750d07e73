// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Block rows of 2, 1 and 3 scalars; blocks (0,0), (0,2), (1,1), (2,0), (2,2).
BlockSparseMatrix mixedBlocks(Generator& generator) {
  BlockSparseMatrix a;
  a.beginRow(2);
  a.addBlock(0);
  a.addBlock(2);
  a.beginRow(1);
  a.addBlock(1);
  a.beginRow(3);
  a.addBlock(0);
  a.addBlock(2);
  a.finish();
  std::uniform_real_distribution<double> uniform(-1., 1.);
  for (std::size_t k = 0; k < a.storedEntries(); ++k) a.block(0)[k] = uniform(generator);
  a.touch();
  return a;
}

TEST(BlockSparseMatrix, DenseCopyHoldsBlocksAndZeros) {
  Generator generator(1);
  const BlockSparseMatrix a = mixedBlocks(generator);
  Matrix dense;
  a.toDense(dense);
  ASSERT_EQ(dense.size1(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(dense(i, j), a.entry(i, j));
  }
  EXPECT_EQ(dense(0, 2), 0.);
  EXPECT_EQ(dense(1, 3), a.block(1)[1]);
  EXPECT_EQ(dense(5, 4), a.block(4)[2 + 3]);
}

TEST(BlockSparseMatrix, ProductRowsAndDiagonalAgreeWithTheDenseMatrix) {
  Generator generator(2);
  const BlockSparseMatrix a = mixedBlocks(generator);
  Matrix dense;
  a.toDense(dense);
  const Vector x = randomVector(generator, 6);
  Vector expected(6);
  multiply(1., dense, x, 0., expected);
  Vector y(6);
  a.multiply(data(x), data(y));
  expectNear(y, expected, 1e-15);
  EXPECT_NEAR(a.rowDot(2, 1, data(x)), expected(4), 1e-15);
  Vector d(6);
  a.diagonal(data(d));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(d(i), dense(i, i));
}

TEST(BlockSparseMatrix, OneLargeBlockIsADenseMatrix) {
  Generator generator(3);
  const Matrix dense = randomMatrix(generator, 40, 40);
  const BlockSparseMatrix a(dense);
  const Vector x = randomVector(generator, 40);
  Vector expected(40);
  multiply(1., dense, x, 0., expected);
  Vector y(40);
  a.multiply(data(x), data(y));
  expectNear(y, expected, 1e-13);
  expectError([] { BlockSparseMatrix(Matrix(2, 3)); }, {"BlockSparseMatrix", "2 x 2", "2 x 3"});
}

TEST(BlockSparseMatrix, RefusesColumnsOutOfOrderOrRange) {
  BlockSparseMatrix a;
  a.beginRow(1);
  a.addBlock(1);
  a.addBlock(0);
  a.beginRow(1);
  expectError([&] { a.finish(); }, {"block row 0", "ascending"});
  a.clear();
  a.beginRow(1);
  a.addBlock(1);
  expectError([&] { a.finish(); }, {"block row 0", "block column 1"});
}

TEST(BlockSparseMatrix, EveryContentHasItsOwnStamp) {
  BlockSparseMatrix a = columnMatrix(3);
  const BlockSparseMatrix copy = a;
  EXPECT_EQ(copy.stamp(), a.stamp());
  a.touch();
  EXPECT_NE(copy.stamp(), a.stamp());
  EXPECT_NE(columnMatrix(3).stamp(), columnMatrix(3).stamp());
}

TEST(BlockSparseMatrix, KnowsSymmetry) {
  BlockSparseMatrix a = columnMatrix(5);
  EXPECT_TRUE(a.isSymmetric(0.));
  *a.block(a.rowBegin(3)) = -0.5;
  EXPECT_FALSE(a.isSymmetric(1e-12));
  Generator generator(4);
  EXPECT_TRUE(BlockSparseMatrix(randomSemidefinite(generator, 6, 3)).isSymmetric(0.));
  EXPECT_FALSE(BlockSparseMatrix(randomPositiveDefinite(generator, 6)).isSymmetric(1e-12));
}

TEST(BlockSparseMatrix, PartsItsRowsIntoGroupsThatNoBlockJoins) {
  // Rows 0 and 3 are joined by 5, only from one side; 1 and 2 directly.
  BlockSparseMatrix a;
  const std::vector<std::vector<std::size_t>> columns{{0, 5}, {1, 2}, {2}, {3}, {4}, {3, 5}};
  for (const std::vector<std::size_t>& row : columns) {
    a.beginRow(1);
    for (const std::size_t column : row) a.addBlock(column);
  }
  a.finish();
  std::vector<std::size_t> group{7};
  EXPECT_EQ(a.independentGroups(group), 3U);
  EXPECT_EQ(group, (std::vector<std::size_t>{0, 1, 1, 0, 2, 0}));
  EXPECT_EQ(columnMatrix(5).independentGroups(group), 1U);
  EXPECT_EQ(BlockSparseMatrix().independentGroups(group), 0U);
}

}  // namespace
