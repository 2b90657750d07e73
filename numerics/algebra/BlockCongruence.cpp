// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockCongruence.hpp>

#include <algorithm>
#include <cassert>

namespace delassus {
namespace {

// In its row: the block column, and the first of its values in the list of all.
struct Block {
  std::size_t column, firstValue;
};

}  // namespace

BlockSparseMatrix congruence(const SparseMatrix& H, const std::vector<std::size_t>& sizes,
                             const std::function<void(double*)>& solve) {
  const SparseMatrix rows = transposed(H);
  std::vector<std::size_t> offsets(1, 0), blockOf;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    offsets.push_back(offsets.back() + sizes[block]);
    blockOf.insert(blockOf.end(), sizes[block], block);
  }
  assert(offsets.back() == H.size2());
  std::vector<std::vector<Block>> blocks(sizes.size());
  std::vector<double> values, x(H.size1()), strip;
  std::vector<std::size_t> met, metBy(sizes.size(), sizes.size());
  // Block column after block column, each the columns of H solved, then the rows of Hᵀ that meet their entries.
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    strip.assign(sizes[block] * H.size2(), 0.);
    met.assign(1, block);
    metBy[block] = block;
    for (std::size_t j = 0; j < sizes[block]; ++j) {
      const std::size_t column = offsets[block] + j;
      std::fill(x.begin(), x.end(), 0.);
      for (std::size_t k = columnStart(H, column); k < columnStart(H, column + 1); ++k) x[rowOf(H, k)] = valueOf(H, k);
      solve(x.data());
      for (std::size_t row = 0; row < x.size(); ++row) {
        if (x[row] == 0.) continue;
        for (std::size_t k = columnStart(rows, row); k < columnStart(rows, row + 1); ++k) {
          const std::size_t other = blockOf[rowOf(rows, k)];
          strip[j * H.size2() + rowOf(rows, k)] += valueOf(rows, k) * x[row];
          if (metBy[other] == block) continue;
          metBy[other] = block;
          met.push_back(other);
        }
      }
    }
    for (const std::size_t other : met) {
      blocks[other].push_back({block, values.size()});
      for (std::size_t j = 0; j < sizes[block]; ++j) {
        const double* const from = strip.data() + j * H.size2() + offsets[other];
        values.insert(values.end(), from, from + sizes[other]);
      }
    }
  }
  BlockSparseMatrix W;
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    W.beginRow(sizes[row]);
    for (const Block& block : blocks[row]) W.addBlock(block.column);
  }
  W.finish();
  std::size_t index = 0;
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    for (const Block& block : blocks[row]) {
      std::copy_n(values.data() + block.firstValue, sizes[row] * sizes[block.column], W.block(index++));
    }
  }
  W.touch();
  return W;
}

}  // namespace delassus
