// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockPatterns.hpp>

#include <gtest/gtest.h>

#include <random>
#include <support/RandomProblems.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

using Places = std::vector<std::pair<std::size_t, std::size_t>>;

// A matrix of blocks of these sizes, stored at some places with random entries.
BlockSparseMatrix withBlocks(const std::vector<std::size_t>& sizes, const Places& places) {
  BlockSparseMatrix A;
  auto place = places.begin();
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    A.beginRow(sizes[row]);
    for (; place != places.end() && place->first == row; ++place) A.addBlock(place->second);
  }
  A.finish();
  Generator generator(1);
  std::uniform_real_distribution<double> uniform(1., 2.);
  for (std::size_t k = 0; k < A.storedEntries(); ++k) A.block(0)[k] = uniform(generator);
  A.touch();
  return A;
}

Places placesOf(const BlockSparseMatrix& A) {
  Places places;
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) places.emplace_back(row, A.column(k));
  }
  return places;
}

void expectSameEntries(const BlockSparseMatrix& A, const BlockSparseMatrix& B) {
  ASSERT_EQ(A.size(), B.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < A.size(); ++j) EXPECT_EQ(A.entry(i, j), B.entry(i, j)) << i << ' ' << j;
  }
  EXPECT_NE(A.stamp(), B.stamp());
}

TEST(BlockPatterns, PartsStoreTheirDiagonalAndWhatIsNotZero) {
  const BlockSparseMatrix A = withBlocks({2, 3, 1}, {{0, 0}, {0, 2}, {1, 0}, {2, 0}});
  // The first part has rows of two block rows; the columns of the third are nowhere but in row 5.
  const BlockSparseMatrix parted = partedBy({3, 1, 2}, A);
  expectSameEntries(parted, A);
  EXPECT_EQ(placesOf(parted), (Places{{0, 0}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 2}}));
  expectSameEntries(partedBy({2, 2, 2}, parted), A);
  expectSameEntries(partedBy({6}, A), A);
}

TEST(BlockPatterns, APartitionThatItHasLeavesAMatrixAsItIs) {
  const BlockSparseMatrix A = withBlocks({2, 3}, {{0, 1}});
  const BlockSparseMatrix same = partedBy({2, 3}, A);
  EXPECT_EQ(placesOf(same), placesOf(A));
  EXPECT_EQ(same.stamp(), A.stamp());
  EXPECT_EQ(partedBy({}, BlockSparseMatrix()).size(), 0U);
}

TEST(BlockPatterns, ACopyStoresEveryDiagonalBlock) {
  const BlockSparseMatrix A = withBlocks({2, 1, 3, 1}, {{0, 1}, {0, 3}, {1, 0}, {1, 1}, {3, 0}, {3, 1}});
  BlockSparseMatrix copy;
  for (int time = 0; time < 2; ++time) {
    copyWithDiagonal(A, copy);
    expectSameEntries(copy, A);
    EXPECT_EQ(placesOf(copy), (Places{{0, 0}, {0, 1}, {0, 3}, {1, 0}, {1, 1}, {2, 2}, {3, 0}, {3, 1}, {3, 3}}));
  }
}

TEST(BlockPatterns, MirrorsAreAddedAndFound) {
  const BlockSparseMatrix A = withBlocks({2, 1, 3}, {{0, 2}, {1, 0}, {1, 1}, {2, 2}});
  std::vector<std::size_t> mirrors;
  EXPECT_EQ(findMirrors(A, mirrors), 0U);  // (2, 0) is not stored
  const BlockSparseMatrix complete = withMirrors(A);
  expectSameEntries(complete, A);
  const Places places = placesOf(complete);
  EXPECT_EQ(places, (Places{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 2}}));
  ASSERT_EQ(findMirrors(complete, mirrors), complete.blockCount());
  for (std::size_t k = 0; k < places.size(); ++k) {
    EXPECT_EQ(places[mirrors[k]], std::make_pair(places[k].second, places[k].first)) << k;
  }
}

}  // namespace
