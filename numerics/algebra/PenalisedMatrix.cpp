// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>

#include <algorithm>

namespace delassus::numerics {
namespace {

// Below this size the dense factor is faster, measured.
constexpr std::size_t denseSize = 48;

}  // namespace

bool PenalisedMatrix::hasPatternOf(const BlockSparseMatrix& W) const {
  if (patternRows_.size() != W.blockRows() + 1 || patternColumns_.size() != W.blockCount()) return false;
  for (std::size_t row = 0; row <= W.blockRows(); ++row) {
    const std::size_t end = row == 0 ? 0 : W.rowEnd(row - 1);
    const std::size_t offset = row == W.blockRows() ? W.size() : W.offset(row);
    if (patternRows_[row] != end || patternOffsets_[row] != offset) return false;
  }
  for (std::size_t k = 0; k < W.blockCount(); ++k) {
    if (patternColumns_[k] != W.column(k)) return false;
  }
  return true;
}

// Column j of the lower triangle is row j of the upper one.
void PenalisedMatrix::analyse(const BlockSparseMatrix& W) {
  patternRows_.assign(1, 0);
  patternOffsets_.assign(1, 0);
  patternColumns_.resize(W.blockCount());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    patternRows_.push_back(W.rowEnd(row));
    patternOffsets_.push_back(W.offset(row) + W.blockSize(row));
  }
  for (std::size_t k = 0; k < W.blockCount(); ++k) patternColumns_[k] = W.column(k);
  std::vector<std::size_t> starts(1, 0);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t i = W.offset(row); i < W.offset(row) + W.blockSize(row); ++i) {
      for (std::size_t j = i; j < W.offset(row) + W.blockSize(row); ++j) rows.push_back(j);
      for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
        if (W.column(k) <= row) continue;
        for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) rows.push_back(W.offset(W.column(k)) + j);
      }
      starts.push_back(rows.size());
    }
  }
  lower_ = sparseWithPattern(W.size(), starts, rows);
}

bool PenalisedMatrix::factor(const std::vector<double>& penalties) {
  const BlockSparseMatrix& W = *W_;
  if (factorFrom_.isCurrent(W.stamp(), penalties)) return true;
  factorFrom_.forget();
  isDense_ = W.size() <= denseSize;
  bool definite = false;
  if (isDense_) {
    definite = factorDense(W, penalties);
  } else {
    if (!hasPatternOf(W)) analyse(W);
    auto& values = lower_.value_data();
    std::size_t next = 0;
    for (std::size_t row = 0; row < W.blockRows(); ++row) {
      const std::size_t m = W.blockSize(row);
      for (std::size_t i = 0; i < m; ++i) {
        const std::size_t diagonal = next;
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(next), m - i, 0.);
        next += m - i;
        for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
          if (W.column(k) < row) continue;
          const double* const block = W.block(k);
          if (W.column(k) == row) {
            for (std::size_t j = i; j < m; ++j) values[diagonal + j - i] = block[i + j * m];
            continue;
          }
          for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) values[next++] = block[i + j * m];
        }
        values[diagonal] += penalties[W.offset(row) + i];
      }
    }
    definite = sparse_.tryFactor(lower_);
  }
  if (definite) factorFrom_.take(W.stamp(), penalties);
  return definite;
}

bool PenalisedMatrix::factorDense(const BlockSparseMatrix& W, const std::vector<double>& penalties) {
  W.toDense(full_);
  for (std::size_t i = 0; i < W.size(); ++i) full_(i, i) += penalties[i];
  // The upper triangle, as in the sparse form; the factorisation reads the lower one.
  for (std::size_t j = 0; j < W.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) full_(j, i) = full_(i, j);
  }
  return dense_.tryFactor(full_);
}

double PenalisedMatrix::work() const {
  const auto n = static_cast<double>(full_.size1());
  return 2. * static_cast<double>(W_->storedEntries()) +
         (isDense_ ? 2. * n * n : 4. * static_cast<double>(sparse_.entries()));
}

void PenalisedMatrix::solve(double* x) {
  if (isDense_) {
    dense_.solve(x);
  } else {
    sparse_.solve(x);
  }
}

}  // namespace delassus::numerics
