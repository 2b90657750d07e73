// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// P A = L U with partial pivoting, of a square matrix. Plain loops up to size 16, LAPACK (dgetrf)
/// beyond. Refactoring a matrix of the same size does not allocate.
///
/// A is called singular when a pivot is at most n·ε times the largest magnitude of its column of A;
/// this test does not change when columns are rescaled, so badly scaled but regular matrices pass.
class LUFactorization {
 public:
  /// Room for factors of up to n rows.
  void reserve(std::size_t n);

  /// Factors A (n x n); false, leaving no usable factor, if A is singular or not finite.
  bool tryFactor(const Matrix& A);

  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not
  /// finite or singular.
  void factor(const Matrix& A, std::string_view name);

  /// Rows of the matrix that was factored last.
  std::size_t size() const { return size_; }

  /// x := A⁻¹ x, for `count` right-hand sides stored one after the other, as the columns of X.
  ///@{
  void solve(double* x, std::size_t count = 1) const;
  void solve(Vector& x) const;
  void solve(Matrix& X) const;
  ///@}
  void solveTransposed(double* x) const;  ///< x := A⁻ᵀ x

  /// Estimate of 1 / (‖A‖₁ ‖A⁻¹‖₁) (dgecon); 0 for a singular matrix.
  double reciprocalCondition() const;
  /// The sign of det A, 1 or −1; 0 for a singular matrix.
  int determinantSign() const;

 private:
  bool invertDiagonal(const Matrix& A);
  bool factorSmall();
  void solveSmall(double* x) const;

  std::size_t size_ = 0;
  Matrix factors_;           // not of a small diagonal matrix
  std::vector<int> pivots_;  // LAPACK's row interchanges, 1-based
  std::vector<double> columnScales_;
  std::vector<double> inversePivots_;  // of a small factor: a solve then has no division
  bool diagonal_ = false;              // of a small diagonal matrix, as many bodies have: the inverse pivots are all
  double norm_ = 0.;
  std::size_t singularColumn_ = 0;
  bool regular_ = false;
};

}  // namespace delassus
