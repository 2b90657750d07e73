// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/EqualityElimination.hpp>

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <functional>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr std::size_t smallSize = 48;
// A pivot below this fraction of its diagonal requires the pivoted method, which can tell a small pivot from zero.
constexpr double surePivot = 1e-7;
constexpr double symmetryTolerance = 1e-10;

// In one pass: the largest entry, and the largest difference of mirrored entries.
bool isSymmetric(const double* A, std::size_t n) {
  double largest = 0., difference = 0.;
  for (std::size_t j = 0; j < n; ++j) {
    largest = std::max(largest, std::abs(A[j * (n + 1)]));
    for (std::size_t i = j + 1; i < n; ++i) difference = std::max(difference, std::abs(A[i + j * n] - A[j + i * n]));
  }
  return difference <= symmetryTolerance * largest;
}

void mirrorLower(double* A, std::size_t n, std::size_t stride) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j + 1; i < n; ++i) A[j + i * stride] = A[i + j * stride];
  }
}

// Zeros for what rounding leaves in S of terms that are, for semidefinite A, at most (A_ii A_jj)^½.
void clearRounding(const Matrix& A, std::size_t equalities, double* S, std::size_t stride, std::vector<double>& roots) {
  const std::size_t rest = A.size1() - equalities;
  const double unit = 10. * static_cast<double>(A.size1()) * std::numeric_limits<double>::epsilon();
  roots.resize(rest);
  for (std::size_t i = 0; i < rest; ++i) roots[i] = std::sqrt(unit * std::abs(A(equalities + i, equalities + i)));
  for (std::size_t j = 0; j < rest; ++j) {
    double* const column = S + j * stride;
    for (std::size_t i = 0; i < rest; ++i) {
      if (std::abs(column[i]) <= roots[i] * roots[j]) column[i] = 0.;
    }
  }
}

// y −= factor x
void subtract(double factor, const double* x, std::size_t n, double* y) {
  if (factor == 0.) return;
  for (std::size_t i = 0; i < n; ++i) y[i] -= factor * x[i];
}

// One past the last nonzero entry of a column, above or at its diagonal k.
std::size_t endOf(const double* column, std::size_t k, std::size_t rows) {
  std::size_t end = rows;
  while (end > k + 1 && column[end - 1] == 0.) --end;
  return end;
}

}  // namespace

bool RegularElimination::factor(const Matrix& A, std::size_t equalities) {
  const std::size_t n = A.size1();
  if (!isSymmetric(data(A), n)) return false;
  size_ = n;
  equalities_ = equalities;
  if (L_.size1() != n) L_.resize(n, n, false);
  std::copy_n(data(A), n * n, data(L_));
  diagonal_.resize(equalities);
  inverse_.resize(equalities);
  ends_.assign(equalities, equalities);
  y_.resize(equalities);
  for (std::size_t k = 0; k < equalities; ++k) diagonal_[k] = A(k, k);
  if (!(n <= smallSize ? factorSmall() : factorLarge())) return false;
  double* const S = data(L_) + equalities_ * (n + 1);
  mirrorLower(S, n - equalities_, n);
  clearRounding(A, equalities_, S, n, rounding_);
  return true;
}

bool RegularElimination::factorSmall() {
  const std::size_t n = size_;
  double* const a = data(L_);
  for (std::size_t k = 0; k < equalities_; ++k) {
    double* const columnK = a + k * n;
    if (!(columnK[k] > surePivot * diagonal_[k])) return false;
    columnK[k] = std::sqrt(columnK[k]);
    const double inverse = inverse_[k] = 1. / columnK[k];
    for (std::size_t i = k + 1; i < n; ++i) columnK[i] *= inverse;
    const std::size_t end = ends_[k] = endOf(columnK, k, equalities_);
    for (std::size_t j = k + 1; j < end; ++j) {
      subtract(columnK[j], columnK + j, end - j, a + j * (n + 1));
      subtract(columnK[j], columnK + equalities_, n - equalities_, a + j * n + equalities_);
    }
    for (std::size_t j = equalities_; j < n; ++j) subtract(columnK[j], columnK + j, n - j, a + j * (n + 1));
  }
  return true;
}

bool RegularElimination::factorLarge() {
  const int n = static_cast<int>(size_);
  const int e = static_cast<int>(equalities_);
  const int rest = n - e;
  double* const a = data(L_);
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', e, a, n) != 0) return false;
  for (std::size_t k = 0; k < equalities_; ++k) {
    const double pivot = a[k * (size_ + 1)];
    if (!(pivot * pivot > surePivot * diagonal_[k])) return false;
    inverse_[k] = 1. / pivot;
  }
  if (rest == 0) return true;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rest, e, 1., a, n, a + e, n);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rest, e, -1., a + e, n, 1., a + equalities_ * (size_ + 1), n);
  return true;
}

void RegularElimination::forward(double* x) const {
  const double* const a = data(L_);
  for (std::size_t k = 0; k < equalities_; ++k) {
    const double value = x[k] *= inverse_[k];
    const double* const column = a + k * size_;
    for (std::size_t i = k + 1; i < ends_[k]; ++i) x[i] -= value * column[i];
  }
}

void RegularElimination::backward(double* x) const {
  const double* const a = data(L_);
  for (std::size_t k = equalities_; k-- > 0;) {
    const double* const column = a + k * size_;
    double sum = x[k];
    for (std::size_t i = k + 1; i < ends_[k]; ++i) sum -= column[i] * x[i];
    x[k] = sum * inverse_[k];
  }
}

void RegularElimination::reduce(const double* q, double* rest) {
  std::copy_n(q, equalities_, y_.data());
  forward(y_.data());
  const std::size_t count = size_ - equalities_;
  std::copy_n(q + equalities_, count, rest);
  const double* const a = data(L_);
  for (std::size_t k = 0; k < equalities_; ++k) {
    const double* const column = a + k * size_ + equalities_;
    for (std::size_t i = 0; i < count; ++i) rest[i] -= column[i] * y_[k];
  }
}

void RegularElimination::expand(const double* rest, double* lambdaE) {
  const std::size_t count = size_ - equalities_;
  const double* const a = data(L_);
  for (std::size_t k = 0; k < equalities_; ++k) {
    const double* const column = a + k * size_ + equalities_;
    double sum = y_[k];
    for (std::size_t i = 0; i < count; ++i) sum += column[i] * rest[i];
    lambdaE[k] = -sum;
  }
  backward(lambdaE);
}

void RegularElimination::solve(double* x) {
  forward(x);
  backward(x);
}

template <class Across>
void ResponseElimination<Across>::resize(std::size_t equalities, std::size_t rest) {
  free_.resize(equalities);
  assignZero(response_, equalities, rest);
  assignZero(S_, rest, rest);
}

template <class Across>
void ResponseElimination<Across>::eliminate() {
  for (std::size_t j = 0; j < S_.size1(); ++j) solve(data(response_) + j * free_.size());
  product_.add(-1., across_, response_, S_);
}

template <class Across>
void ResponseElimination<Across>::reduce(const double* q, double* rest) {
  std::copy_n(q, free_.size(), free_.data());
  solve(free_.data());
  std::copy_n(q + free_.size(), S_.size1(), rest);
  multiply(-1., across_, free_.data(), 1., rest);
}

template <class Across>
void ResponseElimination<Across>::expand(const double* rest, double* lambdaE) {
  std::transform(free_.begin(), free_.end(), lambdaE, std::negate<>());
  multiply(-1., response_, rest, 1., lambdaE);
}

template class ResponseElimination<Matrix>;
template class ResponseElimination<SparseMatrix>;

void SingularElimination::factor(const Matrix& A, std::size_t equalities) {
  const std::size_t n = A.size1();
  const std::size_t rest = n - equalities;
  resize(equalities, rest);
  if (block_.size1() != equalities) block_.resize(equalities, equalities, false);
  if (across_.size1() != rest || across_.size2() != equalities) across_.resize(rest, equalities, false);
  for (std::size_t j = 0; j < n; ++j) {
    const double* const column = data(A) + j * n;
    const bool isEquality = j < equalities;
    const std::size_t k = isEquality ? j : j - equalities;
    std::copy_n(column, equalities, data(isEquality ? block_ : response_) + k * equalities);
    std::copy_n(column + equalities, rest, data(isEquality ? across_ : S_) + k * rest);
  }
  semidefinite_ = isSymmetric(data(A), n) && cholesky_.tryFactor(data(block_), equalities, rankTolerance_);
  if (!semidefinite_) lu_.factor(data(block_), equalities, rankTolerance_);
  const bool isDoubtful = rank() < equalities && !semidefinite_;
  if (isDoubtful) {
    given_ = response_;
    sizes_.resize(n);
    for (std::size_t i = 0; i < n; ++i) sizes_[i] = std::sqrt(std::abs(A(i, i)));
  }
  eliminate();
  // The bound holds for semidefinite A.
  if (semidefinite_) clearRounding(A, equalities, data(S_), rest, rounding_);
  keepsRange_ = !isDoubtful || isRangeKept();
}

// For A of LU: whether A_ER − A_EE A_EE⁺ A_ER, and A_RE times the null space of A_EE, are zero. What is farther off
// than this is left to other methods: the error of the answer would be of that size.
bool SingularElimination::isRangeKept() {
  constexpr double negligible = 1e-8;
  const std::size_t equalities = block_.size1(), rest = sizes_.size() - equalities;
  const auto isSmall = [&](const double* sizes, std::size_t count, double unit) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!(std::abs(sums_[i]) <= negligible * sizes[i] * unit)) return false;
    }
    return true;
  };
  sums_.resize(sizes_.size());
  for (std::size_t k = 0; k < rest; ++k) {
    std::copy_n(data(given_) + k * equalities, equalities, sums_.data());
    multiply(-1., block_, data(response_) + k * equalities, 1., sums_.data());
    if (!isSmall(sizes_.data(), equalities, sizes_[equalities + k])) return false;
  }
  null_.resize(equalities);
  for (std::size_t k = 0; k < equalities - lu_.rank(); ++k) {
    lu_.nullVector(k, null_.data());
    double unit = 0.;
    for (std::size_t j = 0; j < equalities; ++j) unit = std::max(unit, sizes_[j] * std::abs(null_[j]));
    multiply(1., across_, null_.data(), 0., sums_.data());
    if (!isSmall(sizes_.data() + equalities, rest, unit)) return false;
  }
  return true;
}

}  // namespace delassus::numerics
