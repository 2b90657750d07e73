// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockPatterns.hpp>

#include <algorithm>
#include <cassert>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>

namespace delassus {
namespace {

bool isParted(const BlockSparseMatrix& A, const std::vector<std::size_t>& sizes) {
  if (A.blockRows() != sizes.size()) return false;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    if (A.blockSize(part) != sizes[part]) return false;
  }
  return true;
}

// The blocks of A into `to`, which has the same partition and stores them, among others.
void copyBlocks(const BlockSparseMatrix& A, BlockSparseMatrix& to) {
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    std::size_t target = to.rowBegin(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      while (to.column(target) != A.column(k)) ++target;
      std::copy_n(A.block(k), A.blockSize(row) * A.blockSize(A.column(k)), to.block(target));
    }
  }
  to.touch();
}

// The next block row, of `rows` scalar rows, with blocks in these columns, to be sorted here.
void addRow(std::size_t rows, std::vector<std::size_t>& columns, BlockSparseMatrix& A) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  A.beginRow(rows);
  for (const std::size_t column : columns) A.addBlock(column);
}

}  // namespace

BlockSparseMatrix partedBy(const std::vector<std::size_t>& sizes, BlockSparseMatrix A) {
  if (isParted(A, sizes)) return A;
  std::vector<std::size_t> offsets(1, 0), partOf, columns;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    offsets.push_back(offsets.back() + sizes[part]);
    partOf.insert(partOf.end(), sizes[part], part);
  }
  assert(offsets.back() == A.size());
  BlockSparseMatrix parted;
  std::vector<double> strip, values;  // the rows of a part, column-major; all blocks
  std::size_t blockRow = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    const std::size_t height = sizes[part];
    strip.assign(height * A.size(), 0.);
    columns.assign(1, part);
    for (std::size_t i = 0; i < height; ++i) {
      while (A.offset(blockRow + 1) <= offsets[part] + i) ++blockRow;
      const std::size_t inBlock = offsets[part] + i - A.offset(blockRow);
      for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
        for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
          const std::size_t column = A.offset(A.column(k)) + j;
          const double entry = A.block(k)[inBlock + j * A.blockSize(blockRow)];
          strip[i + height * column] = entry;
          if (entry != 0. && columns.back() != partOf[column]) columns.push_back(partOf[column]);
        }
      }
    }
    addRow(height, columns, parted);
    for (const std::size_t column : columns) {
      const double* const from = strip.data() + height * offsets[column];
      values.insert(values.end(), from, from + height * sizes[column]);
    }
  }
  parted.finish();
  if (!values.empty()) std::copy(values.begin(), values.end(), parted.block(0));
  parted.touch();
  return parted;
}

void copyWithDiagonal(const BlockSparseMatrix& A, BlockSparseMatrix& copy) {
  copy.clear();
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    copy.beginRow(A.blockSize(row));
    std::size_t k = A.rowBegin(row);
    for (; k < A.rowEnd(row) && A.column(k) < row; ++k) copy.addBlock(A.column(k));
    copy.addBlock(row);
    if (k < A.rowEnd(row) && A.column(k) == row) ++k;
    for (; k < A.rowEnd(row); ++k) copy.addBlock(A.column(k));
  }
  copy.finish();
  copyBlocks(A, copy);
}

BlockSparseMatrix withMirrors(const BlockSparseMatrix& A) {
  std::vector<std::vector<std::size_t>> columns(A.blockRows());
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    columns[row].push_back(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      columns[row].push_back(A.column(k));
      columns[A.column(k)].push_back(row);
    }
  }
  BlockSparseMatrix complete;
  for (std::size_t row = 0; row < A.blockRows(); ++row) addRow(A.blockSize(row), columns[row], complete);
  complete.finish();
  copyBlocks(A, complete);
  return complete;
}

// Rows are met in ascending order, so the block (column, row) is the next one of its row that is not met yet.
std::size_t findMirrors(const BlockSparseMatrix& A, std::vector<std::size_t>& mirrors) {
  mirrors.resize(A.blockCount());
  std::vector<std::size_t> next(A.blockRows());
  for (std::size_t row = 0; row < A.blockRows(); ++row) next[row] = A.rowBegin(row);
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      std::size_t& mirror = next[A.column(k)];
      if (mirror == A.rowEnd(A.column(k)) || A.column(mirror) != row) return k;
      mirrors[k] = mirror++;
    }
  }
  return A.blockCount();
}

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

std::vector<std::size_t> diagonalBlockEnds(const SparseMatrix& M) {
  std::vector<std::size_t> ends;
  std::size_t reach = 0;
  for (std::size_t j = 0; j < M.size2(); ++j) {
    reach = std::max(reach, j);
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      reach = std::max(reach, rowOf(M, k));
      // An entry that only the upper triangle has joins the blocks before to this one.
      while (!ends.empty() && rowOf(M, k) < ends.back()) ends.pop_back();
    }
    if (reach == j) ends.push_back(j + 1);
  }
  return ends;
}

std::size_t largestDiagonalBlock(const SparseMatrix& M) {
  std::size_t largest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : diagonalBlockEnds(M)) {
    largest = std::max(largest, end - begin);
    begin = end;
  }
  return largest;
}

bool invertDiagonalBlocks(const SparseMatrix& M, std::vector<Matrix>& inverses) {
  inverses.clear();
  CholeskyFactorization factor;
  Matrix block;
  std::size_t begin = 0;
  for (const std::size_t end : diagonalBlockEnds(M)) {
    const std::size_t n = end - begin;
    assignZero(block, n, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = columnStart(M, begin + j); k < columnStart(M, begin + j + 1); ++k) {
        block(rowOf(M, k) - begin, j) = valueOf(M, k);
      }
    }
    if (!factor.tryFactor(block)) return false;
    inverses.push_back(identityMatrix(n));
    for (std::size_t j = 0; j < n; ++j) factor.solve(data(inverses.back()) + n * j);
    // Symmetric to the last bit, as it is in exact arithmetic.
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) inverses.back()(i, j) = inverses.back()(j, i);
    }
    begin = end;
  }
  return true;
}

}  // namespace delassus
