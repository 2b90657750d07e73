// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockPatterns.hpp>

#include <gtest/gtest.h>

#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(BlockCongruence, IsTheProductForMatricesThatAreNotSymmetric) {
  Generator generator(7);
  const Matrix M = randomPositiveDefinite(generator, 8);
  const Matrix H = randomMatrix(generator, 8, 6);
  LUFactorization factor;
  ASSERT_TRUE(factor.tryFactor(M));
  const SparseInverse inverse(sparseFromDense(M), "M");
  EXPECT_FALSE(inverse.isDefinite());
  const BlockSparseMatrix W = congruence(sparseFromDense(H), {2, 3, 1}, inverse);
  Matrix response = H;
  factor.solve(response);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0.;
      for (std::size_t k = 0; k < 8; ++k) sum += H(k, i) * response(k, j);
      EXPECT_NEAR(W.entry(i, j), sum, 1e-13) << i << ' ' << j;
    }
  }
  EXPECT_EQ(W.blockSize(1), 3U);
}

// Bodies of one freedom each: contacts 0 and 2 share one, contact 1 is at another, and nothing moves contact 3.
TEST(BlockCongruence, LeavesOutWhatHasNoBodyInCommon) {
  const SparseMatrix H = sparseFromTriplets(2, 4, {{0, 0, 1.}, {1, 1, 2.}, {0, 2, -1.}});
  const SparseInverse inverse(sparseFromTriplets(2, 2, {{0, 0, 4.}, {1, 1, 5.}}), "M");
  EXPECT_TRUE(inverse.isOfSmallBlocks());
  const BlockSparseMatrix W = congruence(H, {1, 1, 1, 1}, inverse);
  ASSERT_EQ(W.blockCount(), 6U);
  EXPECT_EQ(W.entry(0, 0), 0.25);
  EXPECT_EQ(W.entry(0, 2), -0.25);
  EXPECT_EQ(W.entry(2, 0), -0.25);
  EXPECT_NEAR(W.entry(1, 1), 0.8, 1e-15);
  ASSERT_NE(W.diagonalBlock(3), nullptr);
  EXPECT_EQ(*W.diagonalBlock(3), 0.);
}

}  // namespace
