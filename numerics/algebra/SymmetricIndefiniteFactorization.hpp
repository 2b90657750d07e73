// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// P A Pᵀ = L D Lᵀ (Bunch–Kaufman, dsytrf) of a symmetric matrix that need not be definite, such as
/// the saddle-point matrix of a constrained system. Only the lower triangle is read.
class SymmetricIndefiniteFactorization {
 public:
  /// Factors A; false, leaving no usable factor, if A is singular (estimated 1/κ₁ below n·ε) or
  /// not finite.
  bool tryFactor(const Matrix& A);

  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not
  /// finite, not symmetric or singular.
  void factor(const Matrix& A, std::string_view name);

  /// Rows of the matrix that was factored last.
  std::size_t size() const { return factor_.size1(); }

  /// x := A⁻¹ x
  void solve(Vector& x) const;

  /// Number of negative eigenvalues of A, by Sylvester's law from the blocks of D.
  std::size_t negativeEigenvalues() const;

  /// Estimate of 1 / (‖A‖₁ ‖A⁻¹‖₁) (dsycon).
  double reciprocalCondition() const { return reciprocalCondition_; }

 private:
  Matrix factor_;
  std::vector<int> pivots_;
  double reciprocalCondition_ = 0.;
  bool regular_ = false;
};

}  // namespace delassus
