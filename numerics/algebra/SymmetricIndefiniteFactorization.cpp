// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SymmetricIndefiniteFactorization.hpp>

#include <lapacke.h>

#include <cassert>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

bool SymmetricIndefiniteFactorization::tryFactor(const Matrix& A) {
  const std::size_t n = A.size1();
  regular_ = false;
  reciprocalCondition_ = 0.;
  if (A.size2() != n || !allFinite(A)) return false;
  if (factor_.size1() != n) factor_.resize(n, n, false);
  factor_.data() = A.data();
  pivots_.resize(n);
  if (n == 0) return regular_ = true;
  const double norm = norm1(A);
  const int order = static_cast<int>(n);
  const int info = LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', order, data(factor_), order, pivots_.data());
  if (info != 0) return false;
  LAPACKE_dsycon(LAPACK_COL_MAJOR, 'L', order, data(factor_), order, pivots_.data(), norm, &reciprocalCondition_);
  regular_ = reciprocalCondition_ > static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  return regular_;
}

void SymmetricIndefiniteFactorization::factor(const Matrix& A, std::string_view name) {
  requireSymmetric(A, name);
  requireFinite(A, name);
  if (tryFactor(A)) return;
  throw Error(std::string(name), "the matrix is singular to working precision (estimated reciprocal condition " +
                                     toText(reciprocalCondition_) + ").");
}

void SymmetricIndefiniteFactorization::solve(Vector& x) const {
  assert(regular_ && x.size() == size());
  const int n = static_cast<int>(size());
  if (n == 0) return;
  LAPACKE_dsytrs_work(LAPACK_COL_MAJOR, 'L', n, 1, data(factor_), n, pivots_.data(), data(x), n);
}

std::size_t SymmetricIndefiniteFactorization::negativeEigenvalues() const {
  assert(regular_);
  std::size_t count = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (pivots_[k] > 0) {
      if (factor_(k, k) < 0.) ++count;
    } else {
      // A 2 x 2 block of D is indefinite in Bunch–Kaufman pivoting: one eigenvalue of each sign.
      ++count;
      ++k;
    }
  }
  return count;
}

}  // namespace delassus
