// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>
#include <vector>

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

/// L Lᵀ of a symmetric positive definite matrix that grows and shrinks by one row and column at a time, as the free
/// set of an active-set method does: O(k²) for each change instead of O(k³).
/// (Gill, Golub, Murray, Saunders, Mathematics of Computation 28, 1974.)
class UpdatableCholesky {
 public:
  /// Empties the factor and makes room for `capacity` rows; allocates only beyond earlier capacities.
  void clear(std::size_t capacity);

  /// Rows that the factor has now.
  std::size_t size() const { return size_; }

  /// Appends the row (column, diagonal), `column` being its entries with the rows so far; false, changing nothing, if
  /// the pivot diagonal − columnᵀ A⁻¹ column is not above `leastPivot` (≥ 0).
  bool append(const double* column, double diagonal, double leastPivot);
  /// Removes row k; the rows after it move up.
  void remove(std::size_t k);

  /// x := A⁻¹ x
  void solve(double* x) const;

 private:
  double* row(std::size_t i) { return rows_.data() + i * capacity_; }
  const double* row(std::size_t i) const { return rows_.data() + i * capacity_; }
  void forward(double* x) const;

  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::vector<double> rows_;  // L row by row
};

}  // namespace delassus
