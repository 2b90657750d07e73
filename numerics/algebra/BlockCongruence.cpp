// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockCongruence.hpp>

#include <algorithm>
#include <cassert>
#include <delassus/numerics/algebra/DiagonalBlocks.hpp>

namespace delassus {
namespace {

// In its row: the block column, and the first of its values in the list of all.
struct Block {
  std::size_t column, firstValue;
};

// Columns of M⁻¹ H, one after the other.
class SolvedColumns {
 public:
  SolvedColumns(const SparseMatrix& H, const SparseInverse& inverse) : H_(H), inverse_(inverse), x_(H.size1()) {
    if (!inverse.isOfSmallBlocks()) return;
    ends_ = diagonalBlockEnds(inverse.matrix());
    // A block that is nearly singular may be definite for the sparse factor alone.
    if (!invertDiagonalBlocks(inverse.matrix(), blocks_)) ends_.clear();
    for (std::size_t block = 0, row = 0; block < ends_.size(); ++block) {
      for (; row < ends_[block]; ++row) blockOf_.push_back(block);
    }
  }

  // Calls visit(row, value) for the entries of a column that are not zero.
  template <class Visit>
  void visit(std::size_t column, const Visit& visit) {
    rows_.clear();
    ends_.empty() ? solve(column) : multiply(column);
    for (const std::size_t row : rows_) {
      if (x_[row] != 0.) visit(row, x_[row]);
      x_[row] = 0.;
    }
  }

 private:
  void solve(std::size_t column) {
    for (std::size_t k = columnStart(H_, column); k < columnStart(H_, column + 1); ++k)
      x_[rowOf(H_, k)] = valueOf(H_, k);
    inverse_.solve(x_.data());
    for (std::size_t row = 0; row < x_.size(); ++row) rows_.push_back(row);
  }

  void multiply(std::size_t column) {
    std::size_t last = ends_.size();
    for (std::size_t k = columnStart(H_, column); k < columnStart(H_, column + 1); ++k) {
      const std::size_t block = blockOf_[rowOf(H_, k)];
      const Matrix& inverse = blocks_[block];
      const std::size_t size = inverse.size1(), first = ends_[block] - size;
      const double* const from = data(inverse) + size * (rowOf(H_, k) - first);
      for (std::size_t i = 0; i < size; ++i) x_[first + i] += valueOf(H_, k) * from[i];
      if (block == last) continue;
      last = block;
      for (std::size_t i = 0; i < size; ++i) rows_.push_back(first + i);
    }
  }

  const SparseMatrix& H_;
  const SparseInverse& inverse_;
  std::vector<double> x_;
  std::vector<std::size_t> rows_;  // in which x may have entries
  std::vector<std::size_t> ends_, blockOf_;
  std::vector<Matrix> blocks_;  // of M⁻¹
};

}  // namespace

BlockSparseMatrix congruence(const SparseMatrix& H, const std::vector<std::size_t>& sizes,
                             const SparseInverse& inverse) {
  const SparseMatrix rows = transposed(H);
  std::vector<std::size_t> offsets(1, 0), blockOf;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    offsets.push_back(offsets.back() + sizes[block]);
    blockOf.insert(blockOf.end(), sizes[block], block);
  }
  assert(offsets.back() == H.size2());
  SolvedColumns columns(H, inverse);
  std::vector<std::vector<Block>> blocks(sizes.size());
  const std::size_t widest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  std::vector<double> values, strip(widest * H.size2());
  std::vector<std::size_t> met, metBy(sizes.size(), sizes.size());
  // Block column after block column, each the columns of H solved, then the rows of Hᵀ that meet their entries.
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    met.assign(1, block);
    metBy[block] = block;
    for (std::size_t j = 0; j < sizes[block]; ++j) {
      columns.visit(offsets[block] + j, [&](std::size_t row, double value) {
        for (std::size_t k = columnStart(rows, row); k < columnStart(rows, row + 1); ++k) {
          const std::size_t other = blockOf[rowOf(rows, k)];
          strip[j * H.size2() + rowOf(rows, k)] += valueOf(rows, k) * value;
          if (metBy[other] == block) continue;
          metBy[other] = block;
          met.push_back(other);
        }
      });
    }
    for (const std::size_t other : met) {
      blocks[other].push_back({block, values.size()});
      for (std::size_t j = 0; j < sizes[block]; ++j) {
        double* const from = strip.data() + j * H.size2() + offsets[other];
        values.insert(values.end(), from, from + sizes[other]);
        std::fill_n(from, sizes[other], 0.);
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
