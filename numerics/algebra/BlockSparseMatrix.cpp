// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>

#include <cblas.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <numeric>

namespace delassus {

BlockSparseMatrix::BlockSparseMatrix(const Matrix& dense) {
  requireSize(dense, dense.size1(), dense.size1(), "BlockSparseMatrix");
  clear();
  if (dense.size1() > 0) {
    beginRow(dense.size1());
    addBlock(0);
  }
  finish();
  std::copy(dense.data().begin(), dense.data().end(), values_.begin());
}

void BlockSparseMatrix::clear() {
  offsets_.assign(1, 0);
  rowStarts_.assign(1, 0);
  columns_.clear();
  valueStarts_.clear();
  values_.clear();
}

void BlockSparseMatrix::beginRow(std::size_t rows) {
  offsets_.push_back(offsets_.back() + rows);
  rowStarts_.push_back(columns_.size());
}

std::size_t BlockSparseMatrix::addBlock(std::size_t column) {
  columns_.push_back(column);
  rowStarts_.back() = columns_.size();
  return columns_.size() - 1;
}

void BlockSparseMatrix::finish() {
  valueStarts_.resize(columns_.size());
  std::size_t start = 0;
  longestRow_ = 0;
  isOfNumbers_ = true;
  for (std::size_t row = 0; row < blockRows(); ++row) {
    isOfNumbers_ = isOfNumbers_ && blockSize(row) == 1;
    std::size_t entries = 0;
    for (std::size_t k = rowBegin(row); k < rowEnd(row); ++k) {
      const bool ascending = k == rowBegin(row) || columns_[k - 1] < columns_[k];
      if (columns_[k] >= blockRows() || !ascending) {
        throw Error("BlockSparseMatrix",
                    "block row " + std::to_string(row) + " has block column " + std::to_string(columns_[k]) +
                        "; columns must be in ascending order and below the number of block rows, " +
                        std::to_string(blockRows()) + ".");
      }
      valueStarts_[k] = start;
      start += blockSize(row) * blockSize(columns_[k]);
      entries += blockSize(columns_[k]);
    }
    longestRow_ = std::max(longestRow_, entries);
  }
  values_.assign(start, 0.);
  touch();
}

void BlockSparseMatrix::setZero() {
  std::fill(values_.begin(), values_.end(), 0.);
}

void BlockSparseMatrix::touch() {
  stamp_ = newStamp();
}

void BlockSparseMatrix::multiply(const double* x, double* y) const {
  constexpr std::size_t rangeSize = 256;
  if (blockRows() <= rangeSize) return multiplyRows(0, blockRows(), x, y);
  forRanges(blockRows(), rangeSize, [&](std::size_t first, std::size_t last) { multiplyRows(first, last, x, y); });
}

void BlockSparseMatrix::multiplyNumbers(std::size_t begin, std::size_t end, const double* x, double* y) const {
  for (std::size_t row = begin; row < end; ++row) {
    double sum = 0.;
    for (std::size_t k = rowBegin(row); k < rowEnd(row); ++k) sum += values_[k] * x[columns_[k]];
    y[row] = sum;
  }
}

void BlockSparseMatrix::multiplyRows(std::size_t begin, std::size_t end, const double* x, double* y) const {
  if (isOfNumbers_) return multiplyNumbers(begin, end, x, y);
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t m = blockSize(row);
    double* const target = y + offsets_[row];
    const std::size_t first = rowBegin(row);
    if (first == rowEnd(row)) std::fill(target, target + m, 0.);
    for (std::size_t k = first; k < rowEnd(row); ++k) {
      const std::size_t n = blockSize(columns_[k]);
      const double* const from = x + offsets_[columns_[k]];
      if (m * n <= smallProduct) {
        detail::multiplySmall(1., block(k), m, n, from, k != first, target);
        continue;
      }
      cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(m), static_cast<int>(n), 1., block(k),
                  static_cast<int>(m), from, 1, k == first ? 0. : 1., target, 1);
    }
  }
}

double BlockSparseMatrix::rowDot(std::size_t blockRow, std::size_t rowInBlock, const double* x) const {
  const std::size_t m = blockSize(blockRow);
  double sum = 0.;
  for (std::size_t k = rowBegin(blockRow); k < rowEnd(blockRow); ++k) {
    const double* const a = block(k) + rowInBlock;
    const double* const from = x + offsets_[columns_[k]];
    const std::size_t n = blockSize(columns_[k]);
    for (std::size_t j = 0; j < n; ++j) sum += a[j * m] * from[j];
  }
  return sum;
}

double BlockSparseMatrix::entry(std::size_t i, std::size_t j) const {
  assert(i < size() && j < size());
  const auto blockOf = [this](std::size_t scalar) {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), scalar);
    return static_cast<std::size_t>(after - offsets_.begin()) - 1;
  };
  const std::size_t row = blockOf(i);
  const std::size_t column = blockOf(j);
  const auto first = columns_.begin() + static_cast<std::ptrdiff_t>(rowBegin(row));
  const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(rowEnd(row));
  const auto found = std::lower_bound(first, last, column);
  if (found == last || *found != column) return 0.;
  const double* const a = block(static_cast<std::size_t>(found - columns_.begin()));
  return a[(i - offsets_[row]) + (j - offsets_[column]) * blockSize(row)];
}

void BlockSparseMatrix::diagonal(double* d) const {
  for (std::size_t row = 0; row < blockRows(); ++row) {
    const std::size_t m = blockSize(row);
    double* const target = d + offsets_[row];
    const double* const own = diagonalBlock(row);
    for (std::size_t i = 0; i < m; ++i) target[i] = own != nullptr ? own[i * (m + 1)] : 0.;
  }
}

void BlockSparseMatrix::toDense(Matrix& dense) const {
  assignZero(dense, size(), size());
  for (std::size_t row = 0; row < blockRows(); ++row) {
    const std::size_t m = blockSize(row);
    for (std::size_t k = rowBegin(row); k < rowEnd(row); ++k) {
      const std::size_t n = blockSize(columns_[k]);
      for (std::size_t j = 0; j < n; ++j) {
        std::copy_n(block(k) + j * m, m, data(dense) + offsets_[row] + (offsets_[columns_[k]] + j) * size());
      }
    }
  }
}

bool BlockSparseMatrix::isSymmetric(double relativeTolerance) const {
  double largest = 0.;
  for (const double value : values_) largest = std::max(largest, std::abs(value));
  for (std::size_t row = 0; row < blockRows(); ++row) {
    const std::size_t m = blockSize(row);
    for (std::size_t k = rowBegin(row); k < rowEnd(row); ++k) {
      const std::size_t n = blockSize(columns_[k]);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < m; ++i) {
          const double mirrored =
              columns_[k] == row ? block(k)[j + i * m] : entry(offsets_[columns_[k]] + j, offsets_[row] + i);
          if (std::abs(block(k)[i + j * m] - mirrored) > relativeTolerance * largest) return false;
        }
      }
    }
  }
  return true;
}

std::size_t BlockSparseMatrix::independentGroups(std::vector<std::size_t>& group) const {
  DisjointSets sets(group, blockRows());
  for (std::size_t row = 0; row < blockRows(); ++row) {
    for (std::size_t k = rowBegin(row); k < rowEnd(row); ++k) sets.join(row, columns_[k]);
  }
  return sets.number();
}

void requireFinite(const BlockSparseMatrix& A, std::string_view what) {
  // The certificate needs the largest entry too; it was found for this stamp then.
  if (std::isfinite(detail::findLargestEntry(A.stamp(), A.values()))) return;
  for (const double entry : A.values()) {
    if (!std::isfinite(entry)) {
      throw Error(std::string(what), "expected finite numbers, but an entry is " + toText(entry) + ".");
    }
  }
}

}  // namespace delassus
