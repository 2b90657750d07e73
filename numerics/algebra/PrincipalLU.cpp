// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/PrincipalLU.hpp>
#include <limits>

namespace delassus {
namespace {

// As in PrincipalCholesky.
constexpr std::size_t fullSize = 24;

// Scalar row by scalar row, so that the rows of a column come in ascending order; with a zero on the diagonal where
// none is stored.
template <class Visit>
void visitEntries(const BlockSparseMatrix& A, Visit&& visit) {
  for (std::size_t blockRow = 0; blockRow < A.blockRows(); ++blockRow) {
    const std::size_t m = A.blockSize(blockRow);
    const bool hasDiagonal = A.diagonalBlock(blockRow) != nullptr;
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = A.offset(blockRow) + i;
      if (!hasDiagonal) visit(row, row, 0.);
      for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
        const std::size_t first = A.offset(A.column(k));
        for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) visit(row, first + j, A.block(k)[i + j * m]);
      }
    }
  }
}

}  // namespace

bool PrincipalLU::factor(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  if (factorFrom_.isCurrent(A.stamp()) && selected_ == selected) return usable_;
  factorFrom_.forget();
  selected_ = selected;
  rows_.clear();
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] != 0) rows_.push_back(i);
  }
  isDense_ = rows_.size() <= fullSize || isNearlyFull(A);
  usable_ = isDense_ ? factorDense(A) : factorSparse(A);
  factorFrom_.take(A.stamp());
  return usable_;
}

bool PrincipalLU::factorDense(const BlockSparseMatrix& A) {
  const std::size_t n = rows_.size();
  submatrix_.resize(n, n, false);
  compressed_.resize(n);
  double* target = data(submatrix_);
  if (!isNearlyFull(A)) {
    for (const std::size_t j : rows_) {
      for (const std::size_t i : rows_) *target++ = A.entry(i, j);
    }
    return dense_.tryFactor(submatrix_);
  }
  copyFrom_.renew(A.stamp(), [&] { A.toDense(copy_); });
  for (const std::size_t j : rows_) {
    const double* const column = data(copy_) + j * A.size();
    for (const std::size_t i : rows_) *target++ = column[i];
  }
  return dense_.tryFactor(submatrix_);
}

void PrincipalLU::layOut(const BlockSparseMatrix& A) {
  starts_.assign(A.size() + 1, 0);
  visitEntries(A, [&](std::size_t, std::size_t column, double) { ++starts_[column + 1]; });
  for (std::size_t j = 0; j < A.size(); ++j) starts_[j + 1] += starts_[j];
  next_ = starts_;
  std::vector<std::size_t> rows(starts_.back());
  visitEntries(A, [&](std::size_t row, std::size_t column, double) { rows[next_[column]++] = row; });
  sparseMatrix_ = sparseWithPattern(A.size(), starts_, rows);
}

bool PrincipalLU::factorSparse(const BlockSparseMatrix& A) {
  patternFrom_.renew(A.stamp(), [&] { layOut(A); });
  next_ = starts_;
  auto& values = sparseMatrix_.value_data();
  visitEntries(A, [&](std::size_t row, std::size_t column, double value) {
    const bool kept = selected_[row] != 0 && selected_[column] != 0;
    const double outside = row == column && selected_[row] == 0 ? 1. : 0.;
    values[next_[column]++] = kept ? value : outside;
  });
  return sparse_.tryFactor(sparseMatrix_) && sparse_.reciprocalCondition() > std::numeric_limits<double>::epsilon();
}

void PrincipalLU::solve(Vector& x) {
  if (!isDense_) {
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      if (selected_[i] == 0) x(i) = 0.;
    }
    sparse_.solve(x);
    return;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) compressed_[k] = x(rows_[k]);
  if (!rows_.empty()) dense_.solve(compressed_.data());
  setZero(x);
  for (std::size_t k = 0; k < rows_.size(); ++k) x(rows_[k]) = compressed_[k];
}

}  // namespace delassus
