// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <string_view>

namespace delassus {

/// A = L Lᵀ of a symmetric positive definite matrix, of which only the lower triangle is read.
/// Plain loops up to size 16, LAPACK (dpotrf) beyond; refactoring at the same size does not allocate.
///
/// A is called not positive definite when a pivot l_jj² is at most n·ε·a_jj, a test that symmetric
/// rescaling (D A D) does not change.
class CholeskyFactorization {
 public:
  /// Factors A; false, leaving no usable factor, if A is not positive definite or not finite.
  bool tryFactor(const Matrix& A);

  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not
  /// finite, not symmetric or not positive definite.
  void factor(const Matrix& A, std::string_view name);

  /// Rows of the matrix that was factored last.
  std::size_t size() const { return factor_.size1(); }

  /// x := A⁻¹ x
  ///@{
  void solve(double* x) const;
  void solve(Vector& x) const;
  ///@}

  /// Estimate of 1 / (‖A‖₁ ‖A⁻¹‖₁) (dpocon); 0 without a factor.
  double reciprocalCondition() const;

 private:
  bool factorSmall();
  void solveSmall(double* x) const;

  Matrix factor_;
  Vector diagonal_;  // of A
  double norm_ = 0.;
  std::size_t badRow_ = 0;
  bool definite_ = false;
};

}  // namespace delassus
