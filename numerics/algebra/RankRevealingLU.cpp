// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/RankRevealingLU.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace delassus {

void RankRevealingLU::swapRows(std::size_t a, std::size_t b) {
  if (a == b) return;
  for (std::size_t j = 0; j < size(); ++j) std::swap(factors_(a, j), factors_(b, j));
  std::swap(rows_[a], rows_[b]);
}

void RankRevealingLU::swapColumns(std::size_t a, std::size_t b) {
  if (a == b) return;
  for (std::size_t i = 0; i < size(); ++i) std::swap(factors_(i, a), factors_(i, b));
  std::swap(columns_[a], columns_[b]);
}

void RankRevealingLU::factor(const double* A, std::size_t n, double rankTolerance, bool isEquilibrated) {
  if (factors_.size1() != n) factors_.resize(n, n, false);
  scales_.resize(n);
  work_.resize(n);
  rows_.resize(n);
  columns_.resize(n);
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::iota(columns_.begin(), columns_.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = std::abs(A[i * (n + 1)]);
    scales_[i] = diagonal > 0. && !isEquilibrated ? 1. / std::sqrt(diagonal) : 1.;
  }
  double* const a = data(factors_);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) a[i + j * n] = scales_[i] * A[i + j * n] * scales_[j];
  }
  double first = 0.;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const std::size_t k = rank_;
    std::size_t row = k, column = k;
    for (std::size_t j = k; j < n; ++j) {
      for (std::size_t i = k; i < n; ++i) {
        if (!(std::abs(a[i + j * n]) > std::abs(a[row + column * n]))) continue;
        row = i;
        column = j;
      }
    }
    const double pivot = std::abs(a[row + column * n]);
    if (k == 0) first = pivot;
    if (!(pivot > rankTolerance * first)) return;
    swapRows(k, row);
    swapColumns(k, column);
    for (std::size_t i = k + 1; i < n; ++i) a[i + k * n] /= a[k + k * n];
    for (std::size_t j = k + 1; j < n; ++j) {
      const double factor = a[k + j * n];
      for (std::size_t i = k + 1; i < n; ++i) a[i + j * n] -= factor * a[i + k * n];
    }
  }
}

void RankRevealingLU::solve(double* x) const {
  const std::size_t n = size();
  const double* const a = data(factors_);
  for (std::size_t k = 0; k < n; ++k) work_[k] = scales_[rows_[k]] * x[rows_[k]];
  for (std::size_t k = 0; k < rank_; ++k) {
    for (std::size_t i = k + 1; i < rank_; ++i) work_[i] -= a[i + k * n] * work_[k];
  }
  for (std::size_t k = rank_; k < n; ++k) work_[k] = 0.;
  solveUpper();
  unscale(x);
}

void RankRevealingLU::nullVector(std::size_t k, double* x) const {
  const std::size_t n = size();
  const double* const column = data(factors_) + (rank_ + k) * n;
  for (std::size_t i = 0; i < rank_; ++i) work_[i] = -column[i];
  for (std::size_t i = rank_; i < n; ++i) work_[i] = i == rank_ + k ? 1. : 0.;
  solveUpper();
  unscale(x);
}

// The first `rank` unknowns from their right-hand side, in place.
void RankRevealingLU::solveUpper() const {
  const std::size_t n = size();
  const double* const a = data(factors_);
  for (std::size_t k = rank_; k-- > 0;) {
    work_[k] /= a[k + k * n];
    for (std::size_t i = 0; i < k; ++i) work_[i] -= a[i + k * n] * work_[k];
  }
}

void RankRevealingLU::unscale(double* x) const {
  for (std::size_t k = 0; k < size(); ++k) x[columns_[k]] = scales_[columns_[k]] * work_[k];
}

}  // namespace delassus
