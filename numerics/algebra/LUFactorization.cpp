// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/LUFactorization.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr std::size_t plainSize = 16;

bool isDiagonal(const Matrix& A) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t i = 0; i < A.size1(); ++i) {
      if (i != j && A(i, j) != 0.) return false;
    }
  }
  return true;
}

}  // namespace

void LUFactorization::reserve(std::size_t n) {
  factors_.data().reserve(n * n);
  pivots_.reserve(n);
  columnScales_.reserve(n);
  inversePivots_.reserve(std::min(n, plainSize));
}

bool LUFactorization::tryFactor(const Matrix& A) {
  const std::size_t n = A.size1();
  size_ = n;
  regular_ = false;
  singularColumn_ = n;
  if (A.size2() != n || !allFinite(A)) return false;
  norm_ = norm1(A);
  diagonal_ = n <= plainSize && isDiagonal(A);
  if (diagonal_) {
    regular_ = invertDiagonal(A);
    return regular_;
  }
  if (factors_.size1() != n) factors_.resize(n, n, false);
  factors_.data() = A.data();
  pivots_.resize(n);
  columnScales_.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0.;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(A(i, j)));
    columnScales_[j] = largest;
  }
  if (n <= plainSize) {
    regular_ = factorSmall();
    return regular_;
  }
  LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, static_cast<int>(n), static_cast<int>(n), data(factors_), static_cast<int>(n),
                      pivots_.data());
  const double threshold = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  for (std::size_t j = 0; j < n; ++j) {
    if (std::abs(factors_(j, j)) > threshold * columnScales_[j]) continue;
    singularColumn_ = j;
    return false;
  }
  regular_ = true;
  return true;
}

// Any pivot but zero is usable.
bool LUFactorization::invertDiagonal(const Matrix& A) {
  inversePivots_.resize(size());
  for (std::size_t k = 0; k < size(); ++k) {
    if (A(k, k) == 0.) {
      singularColumn_ = k;
      return false;
    }
    inversePivots_[k] = 1. / A(k, k);
  }
  return true;
}

bool LUFactorization::factorSmall() {
  const std::size_t n = size();
  double* const a = data(factors_);
  const double threshold = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  inversePivots_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    double* const columnK = a + k * n;
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(columnK[i]) > std::abs(columnK[pivot])) pivot = i;
    }
    pivots_[k] = static_cast<int>(pivot + 1);
    if (!(std::abs(columnK[pivot]) > threshold * columnScales_[k])) {
      singularColumn_ = k;
      return false;
    }
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(a[k + j * n], a[pivot + j * n]);
    }
    const double inverse = inversePivots_[k] = 1. / columnK[k];
    for (std::size_t i = k + 1; i < n; ++i) columnK[i] *= inverse;
    for (std::size_t j = k + 1; j < n; ++j) {
      double* const columnJ = a + j * n;
      const double factor = columnJ[k];
      for (std::size_t i = k + 1; i < n; ++i) columnJ[i] -= factor * columnK[i];
    }
  }
  return true;
}

void LUFactorization::factor(const Matrix& A, std::string_view name) {
  requireSize(A, A.size1(), A.size1(), name);
  requireFinite(A, name);
  if (tryFactor(A)) return;
  throw Error(std::string(name), "the matrix is singular to working precision (no usable pivot in column " +
                                     std::to_string(singularColumn_) + " of " + std::to_string(A.size1()) + ").");
}

void LUFactorization::solveSmall(double* x) const {
  const std::size_t n = size();
  if (diagonal_) {
    for (std::size_t k = 0; k < n; ++k) x[k] *= inversePivots_[k];
    return;
  }
  const double* const a = data(factors_);
  for (std::size_t k = 0; k < n; ++k) {
    std::swap(x[k], x[static_cast<std::size_t>(pivots_[k] - 1)]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double factor = x[k];
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= factor * a[i + k * n];
  }
  for (std::size_t k = n; k-- > 0;) {
    x[k] *= inversePivots_[k];
    const double factor = x[k];
    for (std::size_t i = 0; i < k; ++i) x[i] -= factor * a[i + k * n];
  }
}

void LUFactorization::solve(double* x, std::size_t count) const {
  assert(regular_);
  const std::size_t n = size();
  if (n <= plainSize) {
    for (std::size_t j = 0; j < count; ++j) solveSmall(x + j * n);
    return;
  }
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', static_cast<int>(n), static_cast<int>(count), data(factors_),
                      static_cast<int>(n), pivots_.data(), x, static_cast<int>(n));
}

void LUFactorization::solveTransposed(double* x) const {
  assert(regular_);
  const std::size_t n = size();
  if (diagonal_) return solveSmall(x);
  if (n > plainSize) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', static_cast<int>(n), 1, data(factors_), static_cast<int>(n),
                        pivots_.data(), x, static_cast<int>(n));
    return;
  }
  const double* const a = data(factors_);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < k; ++i) x[k] -= a[i + k * n] * x[i];
    x[k] *= inversePivots_[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = k + 1; i < n; ++i) x[k] -= a[i + k * n] * x[i];
  }
  for (std::size_t k = n; k-- > 0;) std::swap(x[k], x[static_cast<std::size_t>(pivots_[k] - 1)]);
}

void LUFactorization::solve(Vector& x) const {
  assert(x.size() == size());
  solve(data(x));
}

void LUFactorization::solve(Matrix& X) const {
  assert(X.size1() == size());
  solve(data(X), X.size2());
}

int LUFactorization::determinantSign() const {
  constexpr double lost = 1e-12;  // of the largest pivot: the sign of a smaller one is that of rounding
  if (!regular_) return 0;
  bool isNegative = false;
  double least = std::numeric_limits<double>::infinity(), largest = 0.;
  for (std::size_t k = 0; k < size(); ++k) {
    const double pivot = diagonal_ ? inversePivots_[k] : factors_(k, k);
    least = std::min(least, std::abs(pivot));
    largest = std::max(largest, std::abs(pivot));
    const bool isExchanged = !diagonal_ && pivots_[k] != static_cast<int>(k + 1);
    isNegative = isNegative != ((pivot < 0.) != isExchanged);
  }
  if (size() > 0 && least < lost * largest) return 0;
  return isNegative ? -1 : 1;
}

double LUFactorization::reciprocalCondition() const {
  if (!regular_) return 0.;
  if (diagonal_) {
    double largest = 0.;
    for (const double inverse : inversePivots_) largest = std::max(largest, std::abs(inverse));
    return size() == 0 ? 1. : 1. / largest / norm_;
  }
  const int n = static_cast<int>(size());
  double estimate = 0.;
  LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, data(factors_), n, norm_, &estimate);
  return estimate;
}

}  // namespace delassus
