// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <vector>

namespace delassus {

/// P A Pᵀ = L Lᵀ with diagonal pivoting of a symmetric positive semidefinite matrix of any rank, such as W_EE of
/// redundant constraints. A is equilibrated first, D⁻¹ᐟ² A D⁻¹ᐟ² with its diagonal D, so that the rank does not depend
/// on the units of the rows; the factorisation ends when no remaining pivot exceeds `rankTolerance`. Refactoring at the
/// same size does not allocate. (Higham, Accuracy and Stability of Numerical Algorithms, section 10.3.)
class SemidefiniteCholesky {
 public:
  /// Factors the n x n matrix A, column-major; false, leaving no usable factor, if it is not semidefinite to working
  /// precision or not finite. Reads all of A, which must be symmetric.
  bool tryFactor(const double* A, std::size_t n, double rankTolerance = 1e-11);

  /// Rows of the matrix that was factored last.
  std::size_t size() const { return order_.size(); }
  /// Rank that the last factorisation found: the number of its pivots.
  std::size_t rank() const { return rank_; }

  /// x := the solution of A x = b, b = x, with the least Σ A_ii x_i², which is one norm whatever the units of x. Where
  /// b is not in the range of A, only as many equations as the rank hold.
  void solve(double* x) const;

 private:
  void swap(std::size_t a, std::size_t b);
  bool restIsZero(double tolerance) const;
  void prepareNullSpace();

  std::size_t rank_ = 0;
  Matrix factor_;
  std::vector<double> scales_;      // D⁻¹ᐟ²
  std::vector<std::size_t> order_;  // row of A at each place
  Matrix dependence_;               // T: the rows left over are T times those of the basis
  Matrix gram_;
  CholeskyFactorization gramFactor_;  // of 1 + T Tᵀ
  mutable std::vector<double> work_, multipliers_;
};

}  // namespace delassus
