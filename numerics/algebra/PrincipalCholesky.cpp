// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/PrincipalCholesky.hpp>

#include <algorithm>

namespace delassus {
namespace {

// Size at which both paths cost about the same on tridiagonal matrices, measured.
constexpr std::size_t denseSize = 24;

}  // namespace

bool PrincipalCholesky::factor(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  if (factorFrom_.isCurrent(A.stamp()) && selected_ == selected) return usable_;
  factorFrom_.forget();
  selected_ = selected;
  rows_.clear();
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] != 0) rows_.push_back(i);
  }
  const bool nearlyFull = 4 * A.storedEntries() > A.size() * A.size();
  isDense_ = rows_.size() <= denseSize || nearlyFull;
  usable_ = isDense_ ? factorDense(A) : sparse_.tryFactor(A, selected_);
  factorFrom_.take(A.stamp());
  return usable_;
}

bool PrincipalCholesky::factorDense(const BlockSparseMatrix& A) {
  const std::size_t n = rows_.size();
  submatrix_.resize(n, n, false);
  compressed_.resize(n, false);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) submatrix_(i, j) = submatrix_(j, i) = A.entry(rows_[i], rows_[j]);
  }
  return dense_.tryFactor(submatrix_);
}

void PrincipalCholesky::solve(Vector& x) {
  if (!isDense_) {
    sparse_.solve(x);
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      if (selected_[i] == 0) x(i) = 0.;
    }
    return;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) compressed_(k) = x(rows_[k]);
  dense_.solve(compressed_);
  setZero(x);
  for (std::size_t k = 0; k < rows_.size(); ++k) x(rows_[k]) = compressed_(k);
}

}  // namespace delassus
