// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/PrincipalFactor.hpp>

#include <algorithm>
#include <limits>

namespace delassus {
namespace {

// Size at which both paths cost about the same on tridiagonal matrices, measured.
constexpr std::size_t fullSize = 24;

constexpr std::size_t notStored = static_cast<std::size_t>(-1);

// Scalar row by scalar row, so that the rows of a column come in ascending order, with the places of entries among the
// values. Zeros that blocks store are left out, but those of the diagonal, which is complete: a block of a few rows
// that hardly depend on each other does not fill the factor.
template <bool isLower, class Visit>
void visitEntries(const BlockSparseMatrix& A, Visit&& visit) {
  for (std::size_t blockRow = 0; blockRow < A.blockRows(); ++blockRow) {
    const std::size_t m = A.blockSize(blockRow);
    const bool hasDiagonal = A.diagonalBlock(blockRow) != nullptr;
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = A.offset(blockRow) + i;
      for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
        const std::size_t first = A.offset(A.column(k));
        const auto place = static_cast<std::size_t>(A.block(k) - A.values().data()) + i;
        for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
          if (isLower && first + j > row) break;
          if (A.values()[place + j * m] != 0. || first + j == row) visit(row, first + j, place + j * m);
        }
      }
      if (!hasDiagonal) visit(row, row, notStored);
    }
  }
}

}  // namespace

template <class Dense, class Sparse>
bool PrincipalFactor<Dense, Sparse>::isNearlyFull(const BlockSparseMatrix& A) {
  const std::size_t most = A.size() * A.size() / 4;
  if (A.storedEntries() <= most) return false;
  if (A.blockRows() == 1) return true;
  const auto zeros = std::count(A.values().begin(), A.values().end(), 0.);
  return A.storedEntries() - static_cast<std::size_t>(zeros) > most;
}

template <class Dense, class Sparse>
bool PrincipalFactor<Dense, Sparse>::factor(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  if (factorFrom_.isCurrent(A.stamp()) && selected_ == selected) return usable_;
  factorFrom_.forget();
  selected_ = selected;
  rows_.clear();
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] != 0) rows_.push_back(i);
  }
  fullFrom_.renew(A.stamp(), [&] { isFull_ = isNearlyFull(A); });
  isDense_ = rows_.size() <= fullSize || isFull_;
  usable_ = isDense_ ? factorDense(A) : factorSparse(A);
  factorFrom_.take(A.stamp());
  return usable_;
}

template <class Dense, class Sparse>
bool PrincipalFactor<Dense, Sparse>::factorDense(const BlockSparseMatrix& A) {
  const std::size_t n = rows_.size();
  submatrix_.resize(n, n, false);
  compressed_.resize(n);
  // A copy pays where most entries are taken: each one by itself is found by bisection.
  const bool isCopied = isFull_ && (!isSymmetric || 2 * n > A.size());
  if (isCopied) copyFrom_.renew(A.stamp(), [&] { A.toDense(copy_); });
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = isSymmetric ? j : 0; i < n; ++i) {
      submatrix_(i, j) = isCopied ? copy_(rows_[i], rows_[j]) : A.entry(rows_[i], rows_[j]);
      if (isSymmetric) submatrix_(j, i) = submatrix_(i, j);
    }
  }
  return dense_.tryFactor(submatrix_);
}

template <class Dense, class Sparse>
void PrincipalFactor<Dense, Sparse>::layOut(const BlockSparseMatrix& A) {
  SparsePart& s = *sparse_;
  std::vector<std::size_t>&starts = s.starts, &next = s.next, &pattern = s.pattern;
  s.before.swap(pattern);
  // The starts of the columns, then the rows of all entries.
  pattern.assign(A.size() + 1, 0);
  visitEntries<isSymmetric>(A, [&](std::size_t, std::size_t column, std::size_t) { ++pattern[column + 1]; });
  for (std::size_t j = 0; j < A.size(); ++j) pattern[j + 1] += pattern[j];
  starts = next = pattern;
  pattern.resize(starts.size() + starts.back());
  s.places.resize(starts.back());
  std::size_t* const rows = pattern.data() + starts.size();
  visitEntries<isSymmetric>(A, [&](std::size_t row, std::size_t column, std::size_t place) {
    s.places[next[column]] = place;
    rows[next[column]++] = row;
  });
  if (pattern != s.before) s.matrix = sparseWithPattern(A.size(), starts, {rows, rows + starts.back()});
}

template <class Dense, class Sparse>
bool PrincipalFactor<Dense, Sparse>::factorSparse(const BlockSparseMatrix& A) {
  if (!sparse_) sparse_ = std::make_unique<SparsePart>();
  SparsePart& s = *sparse_;
  s.patternFrom.renew(A.stamp(), [&] { layOut(A); });
  const std::size_t* const rows = s.pattern.data() + s.starts.size();
  const double* const stored = A.values().data();
  auto& values = s.matrix.value_data();
  for (std::size_t column = 0; column < A.size(); ++column) {
    for (std::size_t k = s.starts[column]; k < s.starts[column + 1]; ++k) {
      const std::size_t row = rows[k];
      const bool isKept = selected_[row] != 0 && selected_[column] != 0 && s.places[k] != notStored;
      const double outside = row == column && selected_[row] == 0 ? 1. : 0.;
      values[k] = isKept ? stored[s.places[k]] : outside;
    }
  }
  if (!s.factor.tryFactor(s.matrix)) return false;
  if constexpr (isSymmetric) {
    return true;
  } else {
    return s.factor.reciprocalCondition() > std::numeric_limits<double>::epsilon();
  }
}

template <class Dense, class Sparse>
void PrincipalFactor<Dense, Sparse>::solve(Vector& x) {
  if (!isDense_) {
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      if (selected_[i] == 0) x(i) = 0.;
    }
    sparse_->factor.solve(x);
    return;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) compressed_[k] = x(rows_[k]);
  if (!rows_.empty()) dense_.solve(compressed_.data());
  setZero(x);
  for (std::size_t k = 0; k < rows_.size(); ++k) x(rows_[k]) = compressed_[k];
}

template class PrincipalFactor<CholeskyFactorization, SparseCholeskyFactorization>;
template class PrincipalFactor<LUFactorization, SparseLUFactorization>;

}  // namespace delassus
