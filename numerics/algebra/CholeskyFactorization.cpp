// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr std::size_t smallSize = 16;

}  // namespace

bool CholeskyFactorization::tryFactor(const Matrix& A) {
  const std::size_t n = A.size1();
  definite_ = false;
  badRow_ = n;
  if (A.size2() != n || !allFinite(A)) return false;
  if (factor_.size1() != n) {
    factor_.resize(n, n, false);
    diagonal_.resize(n, false);
  }
  factor_.data() = A.data();
  for (std::size_t j = 0; j < n; ++j) diagonal_(j) = A(j, j);
  if (n <= smallSize) {
    definite_ = factorSmall();
    return definite_;
  }
  norm_ = norm1(A);
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(n), data(factor_), static_cast<int>(n));
  if (info != 0) {
    badRow_ = info > 0 ? static_cast<std::size_t>(info - 1) : 0;
    return false;
  }
  const double threshold = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  for (std::size_t j = 0; j < n; ++j) {
    if (factor_(j, j) * factor_(j, j) > threshold * diagonal_(j)) continue;
    badRow_ = j;
    return false;
  }
  definite_ = true;
  return true;
}

bool CholeskyFactorization::factorSmall() {
  const std::size_t n = size();
  double* const a = data(factor_);
  const double threshold = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  norm_ = norm1(factor_);
  for (std::size_t k = 0; k < n; ++k) {
    double* const columnK = a + k * n;
    if (!(columnK[k] > threshold * diagonal_(k))) {
      badRow_ = k;
      return false;
    }
    const double root = std::sqrt(columnK[k]);
    for (std::size_t i = k; i < n; ++i) columnK[i] /= root;
    for (std::size_t j = k + 1; j < n; ++j) {
      double* const columnJ = a + j * n;
      const double factor = columnK[j];
      for (std::size_t i = j; i < n; ++i) columnJ[i] -= factor * columnK[i];
    }
  }
  return true;
}

void CholeskyFactorization::factor(const Matrix& A, std::string_view name) {
  requireSymmetric(A, name);
  requireFinite(A, name);
  if (tryFactor(A)) return;
  throw Error(std::string(name), "the matrix is not positive definite to working precision (row " +
                                     std::to_string(badRow_) + " of " + std::to_string(A.size1()) +
                                     " gives no positive pivot).");
}

void CholeskyFactorization::solveSmall(double* x) const {
  const std::size_t n = size();
  const double* const a = data(factor_);
  for (std::size_t k = 0; k < n; ++k) {
    x[k] /= a[k + k * n];
    const double factor = x[k];
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= factor * a[i + k * n];
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = x[k];
    for (std::size_t i = k + 1; i < n; ++i) sum -= a[i + k * n] * x[i];
    x[k] = sum / a[k + k * n];
  }
}

void CholeskyFactorization::solve(double* x) const {
  assert(definite_);
  if (size() <= smallSize) {
    solveSmall(x);
    return;
  }
  const int n = static_cast<int>(size());
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, data(factor_), n, x, n);
}

void CholeskyFactorization::solve(Vector& x) const {
  assert(x.size() == size());
  solve(data(x));
}

double CholeskyFactorization::reciprocalCondition() const {
  if (!definite_) return 0.;
  const int n = static_cast<int>(size());
  double estimate = 0.;
  LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, data(factor_), n, norm_, &estimate);
  return estimate;
}

void UpdatableCholesky::clear(std::size_t capacity) {
  capacity_ = capacity;
  size_ = 0;
  if (rows_.size() < capacity * capacity) rows_.resize(capacity * capacity);
}

void UpdatableCholesky::forward(double* x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* const entries = row(i);
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= entries[j] * x[j];
    x[i] = sum / entries[i];
  }
}

bool UpdatableCholesky::append(const double* column, double diagonal, double leastPivot) {
  assert(size_ < capacity_);
  double* const added = row(size_);
  for (std::size_t j = 0; j < size_; ++j) added[j] = column[j];
  forward(added);
  for (std::size_t j = 0; j < size_; ++j) diagonal -= added[j] * added[j];
  if (!(diagonal > leastPivot)) return false;
  added[size_] = std::sqrt(diagonal);
  ++size_;
  return true;
}

// Without row k, row i ≥ k has an entry right of the diagonal; rotations of neighbouring columns remove these entries
// in turn.
void UpdatableCholesky::remove(std::size_t k) {
  assert(k < size_);
  for (std::size_t i = k; i + 1 < size_; ++i) {
    for (std::size_t j = 0; j <= i + 1; ++j) row(i)[j] = row(i + 1)[j];
  }
  --size_;
  for (std::size_t j = k; j < size_; ++j) {
    const double a = row(j)[j];
    const double b = row(j)[j + 1];
    const double length = std::hypot(a, b);
    const double cosine = a / length;
    const double sine = b / length;
    for (std::size_t i = j; i < size_; ++i) {
      double* const entries = row(i);
      const double left = entries[j];
      const double right = entries[j + 1];
      entries[j] = cosine * left + sine * right;
      entries[j + 1] = cosine * right - sine * left;
    }
  }
}

void UpdatableCholesky::solve(double* x) const {
  forward(x);
  for (std::size_t i = size_; i-- > 0;) {
    const double* const entries = row(i);
    x[i] /= entries[i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= entries[j] * x[i];
  }
}

}  // namespace delassus
