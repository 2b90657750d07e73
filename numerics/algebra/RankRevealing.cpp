// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/RankRevealing.hpp>

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

namespace {

// The negative pivot that rounding may leave in an equilibrated semidefinite matrix, with a margin for its assembly.
constexpr double leastPivot = -1e-9;

}  // namespace

void SemidefiniteCholesky::swap(std::size_t a, std::size_t b) {
  if (a == b) return;
  for (std::size_t j = 0; j < size(); ++j) std::swap(factor_(a, j), factor_(b, j));
  for (std::size_t i = 0; i < size(); ++i) std::swap(factor_(i, a), factor_(i, b));
  std::swap(order_[a], order_[b]);
}

bool SemidefiniteCholesky::restIsZero(double tolerance) const {
  for (std::size_t j = rank_; j < size(); ++j) {
    if (!(factor_(j, j) >= leastPivot)) return false;
    for (std::size_t i = rank_; i < size(); ++i) {
      // |a_ij| ≤ (a_ii a_jj)^½ for a semidefinite remainder.
      if (!(std::abs(factor_(i, j)) <= std::max(1e2 * tolerance, -leastPivot))) return false;
    }
  }
  return true;
}

bool SemidefiniteCholesky::tryFactor(const double* A, std::size_t n, double rankTolerance) {
  if (factor_.size1() != n) factor_.resize(n, n, false);
  scales_.resize(n);
  work_.resize(n);
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) scales_[i] = A[i * (n + 1)] > 0. ? 1. / std::sqrt(A[i * (n + 1)]) : 1.;
  double* const a = data(factor_);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) a[i + j * n] = scales_[i] * A[i + j * n] * scales_[j];
  }
  if (!allFinite(factor_)) return false;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const std::size_t k = rank_;
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i * (n + 1)] > a[pivot * (n + 1)]) pivot = i;
    }
    if (!(a[pivot * (n + 1)] > rankTolerance)) break;
    swap(k, pivot);
    const double root = std::sqrt(a[k * (n + 1)]);
    a[k * (n + 1)] = root;
    for (std::size_t i = k + 1; i < n; ++i) a[i + k * n] /= root;
    for (std::size_t j = k + 1; j < n; ++j) {
      const double factor = a[j + k * n];
      for (std::size_t i = k + 1; i < n; ++i) a[i + j * n] -= factor * a[i + k * n];
    }
  }
  if (!restIsZero(rankTolerance)) return false;
  prepareNullSpace();
  return true;
}

// T = L₂₁ L₁₁⁻¹, column by column from the last; (−T, 1)ᵀ spans the null space.
void SemidefiniteCholesky::prepareNullSpace() {
  const std::size_t r = rank_;
  const std::size_t missing = size() - r;
  if (missing == 0) return;
  if (dependence_.size1() != missing || dependence_.size2() != r) dependence_.resize(missing, r, false);
  multipliers_.resize(missing);
  for (std::size_t k = r; k-- > 0;) {
    for (std::size_t i = 0; i < missing; ++i) {
      double sum = factor_(r + i, k);
      for (std::size_t j = k + 1; j < r; ++j) sum -= dependence_(i, j) * factor_(j, k);
      dependence_(i, k) = sum / factor_(k, k);
    }
  }
  if (gram_.size1() != missing) gram_.resize(missing, missing, false);
  for (std::size_t j = 0; j < missing; ++j) {
    for (std::size_t i = 0; i < missing; ++i) {
      double sum = i == j ? 1. : 0.;
      for (std::size_t k = 0; k < r; ++k) sum += dependence_(i, k) * dependence_(j, k);
      gram_(i, j) = sum;
    }
  }
  gramFactor_.tryFactor(gram_);
}

void SemidefiniteCholesky::solve(double* x) const {
  const std::size_t n = size();
  const std::size_t r = rank_;
  const double* const a = data(factor_);
  for (std::size_t k = 0; k < r; ++k) work_[k] = scales_[order_[k]] * x[order_[k]];
  for (std::size_t k = 0; k < r; ++k) {
    work_[k] /= a[k * (n + 1)];
    for (std::size_t i = k + 1; i < r; ++i) work_[i] -= a[i + k * n] * work_[k];
  }
  for (std::size_t k = r; k-- > 0;) {
    double sum = work_[k];
    for (std::size_t i = k + 1; i < r; ++i) sum -= a[i + k * n] * work_[i];
    work_[k] = sum / a[k * (n + 1)];
  }
  // Off the null space: x − N (NᵀN)⁻¹ Nᵀ x with N = (−T, 1)ᵀ.
  const std::size_t missing = n - r;
  for (std::size_t i = 0; i < missing; ++i) {
    double sum = 0.;
    for (std::size_t k = 0; k < r; ++k) sum += dependence_(i, k) * work_[k];
    multipliers_[i] = sum;
  }
  if (missing > 0) gramFactor_.solve(multipliers_.data());
  for (std::size_t i = 0; i < missing; ++i) {
    for (std::size_t k = 0; k < r; ++k) work_[k] -= dependence_(i, k) * multipliers_[i];
    work_[r + i] = multipliers_[i];
  }
  for (std::size_t k = 0; k < n; ++k) x[order_[k]] = scales_[order_[k]] * work_[k];
}

}  // namespace delassus
