// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/AssembledDelassus.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

template <std::size_t dimension>
void multiplyBlocks(const BlockSparseMatrix& W, const double* r, double* u) {
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    double sum[dimension] = {};
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const double* const block = W.block(k);
      const double* const from = r + dimension * W.column(k);
      for (std::size_t j = 0; j < dimension; ++j) {
        for (std::size_t i = 0; i < dimension; ++i) sum[i] += block[i + dimension * j] * from[j];
      }
    }
    for (std::size_t i = 0; i < dimension; ++i) u[dimension * row + i] = sum[i];
  }
}

template <std::size_t dimension>
class AssembledSweep final : public DelassusSweep {
 public:
  explicit AssembledSweep(const BlockSparseMatrix& W) : W_(W) {}

  void begin(const double* r) override { r_.assign(r, r + W_.size()); }

  void velocity(std::size_t contact, double* u) const override {
    double sum[dimension] = {};
    for (std::size_t k = W_.rowBegin(contact); k < W_.rowEnd(contact); ++k) {
      const double* const block = W_.block(k);
      const double* const from = r_.data() + dimension * W_.column(k);
      for (std::size_t j = 0; j < dimension; ++j) {
        for (std::size_t i = 0; i < dimension; ++i) sum[i] += block[i + dimension * j] * from[j];
      }
    }
    std::copy_n(sum, dimension, u);
  }

  void add(std::size_t contact, const double* change) override {
    for (std::size_t i = 0; i < dimension; ++i) r_[dimension * contact + i] += change[i];
  }

 private:
  const BlockSparseMatrix& W_;
  std::vector<double> r_;
};

bool isPartedByContacts(const BlockSparseMatrix& W, std::size_t dimension) {
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    if (W.blockSize(row) != dimension) return false;
  }
  return true;
}

// Contacts of a block row whose blocks are not zero, in the matrix split by contacts.
BlockSparseMatrix partByContacts(const BlockSparseMatrix& W, std::size_t dimension) {
  const std::size_t contacts = W.size() / dimension;
  std::vector<double> row(dimension * W.size());
  BlockSparseMatrix parted;
  std::vector<double> values;
  // One dense strip of d rows at a time.
  std::size_t blockRow = 0;
  for (std::size_t contact = 0; contact < contacts; ++contact) {
    std::fill(row.begin(), row.end(), 0.);
    for (std::size_t i = 0; i < dimension; ++i) {
      const std::size_t scalar = contact * dimension + i;
      while (W.offset(blockRow) + W.blockSize(blockRow) <= scalar) ++blockRow;
      const std::size_t inBlock = scalar - W.offset(blockRow);
      for (std::size_t k = W.rowBegin(blockRow); k < W.rowEnd(blockRow); ++k) {
        const std::size_t first = W.offset(W.column(k));
        for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
          row[i + dimension * (first + j)] = W.block(k)[inBlock + j * W.blockSize(blockRow)];
        }
      }
    }
    parted.beginRow(dimension);
    for (std::size_t other = 0; other < contacts; ++other) {
      const auto first = row.begin() + static_cast<std::ptrdiff_t>(other * dimension * dimension);
      const auto last = first + static_cast<std::ptrdiff_t>(dimension * dimension);
      if (other != contact && std::all_of(first, last, [](double x) { return x == 0.; })) continue;
      parted.addBlock(other);
      values.insert(values.end(), first, last);
    }
  }
  parted.finish();
  if (parted.blockCount() > 0) std::copy(values.begin(), values.end(), parted.block(0));
  parted.touch();
  return parted;
}

// Column blocks of each row such that the pattern is symmetric with a full diagonal.
std::vector<std::vector<std::size_t>> symmetricPattern(const BlockSparseMatrix& W) {
  std::vector<std::vector<std::size_t>> columns(W.blockRows());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    columns[row].push_back(row);
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      columns[row].push_back(W.column(k));
      columns[W.column(k)].push_back(row);
    }
  }
  for (std::vector<std::size_t>& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return columns;
}

// Rows are met in ascending order, so the block (column, row) is the next one of its row that is not met yet.
bool hasCompletePattern(const BlockSparseMatrix& W) {
  std::vector<std::size_t> next(W.blockRows());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    if (W.diagonalBlock(row) == nullptr) return false;
    next[row] = W.rowBegin(row);
  }
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      std::size_t& mirrored = next[W.column(k)];
      if (mirrored == W.rowEnd(W.column(k)) || W.column(mirrored) != row) return false;
      ++mirrored;
    }
  }
  return true;
}

// Solvers rely on a block (j, i) for every block (i, j), and on all (i, i).
void completePattern(BlockSparseMatrix& W) {
  const std::vector<std::vector<std::size_t>> columns = symmetricPattern(W);
  std::size_t count = 0;
  for (const std::vector<std::size_t>& row : columns) count += row.size();
  if (count == W.blockCount()) return;
  BlockSparseMatrix complete;
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    complete.beginRow(W.blockSize(row));
    for (const std::size_t column : columns[row]) complete.addBlock(column);
  }
  complete.finish();
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    std::size_t from = W.rowBegin(row);
    for (std::size_t k = complete.rowBegin(row); k < complete.rowEnd(row) && from < W.rowEnd(row); ++k) {
      if (W.column(from) != complete.column(k)) continue;
      std::copy_n(W.block(from), W.blockSize(row) * W.blockSize(W.column(from)), complete.block(k));
      ++from;
    }
  }
  complete.touch();
  W = std::move(complete);
}

}  // namespace

AssembledDelassus::AssembledDelassus(std::size_t dimension, BlockSparseMatrix W) : dimension_(dimension) {
  if (dimension != 2 && dimension != 3) {
    throw Error("AssembledDelassus", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  if (W.size() % dimension != 0) {
    throw Error("AssembledDelassus", "expected a matrix whose size is a multiple of the dimension " +
                                         std::to_string(dimension) + ", got " + std::to_string(W.size()) + ".");
  }
  own_ = isPartedByContacts(W, dimension) ? std::move(W) : partByContacts(W, dimension);
  completePattern(own_);
}

std::shared_ptr<AssembledDelassus> AssembledDelassus::referringTo(std::size_t dimension, const BlockSparseMatrix& W) {
  if (!hasCompletePattern(W)) return std::make_shared<AssembledDelassus>(dimension, W);
  auto referring = std::make_shared<AssembledDelassus>(dimension, BlockSparseMatrix());
  referring->matrix_ = &W;
  return referring;
}

void AssembledDelassus::multiply(const double* r, double* u) const {
  dimension_ == 2 ? multiplyBlocks<2>(*matrix_, r, u) : multiplyBlocks<3>(*matrix_, r, u);
}

void AssembledDelassus::addExtended(const double* r, long double* u) const {
  delassus::addExtended(*matrix_, r, u);
}

void AssembledDelassus::addRounding(const double* r, double* bound) const {
  delassus::addRounding(*matrix_, r, bound);
}

void AssembledDelassus::diagonalBlock(std::size_t contact, double* block) const {
  const std::size_t entries = dimension_ * dimension_;
  std::fill_n(block, entries, 0.);
  for (std::size_t k = matrix_->rowBegin(contact); k < matrix_->rowEnd(contact); ++k) {
    if (matrix_->column(k) == contact) std::copy_n(matrix_->block(k), entries, block);
  }
}

std::unique_ptr<DelassusSweep> AssembledDelassus::sweep() const {
  if (dimension_ == 2) return std::make_unique<AssembledSweep<2>>(*matrix_);
  return std::make_unique<AssembledSweep<3>>(*matrix_);
}

void AssembledDelassus::validate() const {
  requireFinite(*matrix_, "FrictionContactProblem: W");
}

}  // namespace delassus::numerics
