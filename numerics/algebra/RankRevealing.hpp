// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <vector>

namespace delassus {

/// P A Q = L U with complete pivoting of a small square matrix of any rank. Rows and columns are equilibrated by a
/// positive diagonal of A first, D⁻¹ᐟ² A D⁻¹ᐟ² with D_i = |A_ii| (1 where that is 0), so that units of the unknowns do
/// not change the rank. The factorisation ends when no remaining entry exceeds `rankTolerance` times the largest of
/// all. Plain loops, O(n³) with a search: for blocks and rare uses, not for speed. Refactoring at the same size does
/// not allocate. (Golub and Van Loan, Matrix Computations, section 3.4.)
class RankRevealingLU {
 public:
  /// Factors an n x n matrix, column-major; without D where its rows and columns are equilibrated already.
  void factor(const double* A, std::size_t n, double rankTolerance = 1e-11, bool isEquilibrated = false);

  /// Rows of the matrix that was factored last.
  std::size_t size() const { return rows_.size(); }
  /// Rank that the last factorisation found: the number of its pivots.
  std::size_t rank() const { return rank_; }

  /// x := a solution of A x = b for b = x, with zeros in the unknowns that A does not determine; where b is not in the
  /// range of A, it solves `rank` of the equations.
  void solve(double* x) const;

  /// x := one of size() − rank() vectors that together span the null space of A, number `k` from zero.
  void nullVector(std::size_t k, double* x) const;

 private:
  void solveUpper() const;
  void unscale(double* x) const;
  void swapRows(std::size_t a, std::size_t b);
  void swapColumns(std::size_t a, std::size_t b);

  std::size_t rank_ = 0;
  Matrix factors_;
  std::vector<double> scales_;  // D⁻¹ᐟ²
  std::vector<std::size_t> rows_, columns_;
  mutable std::vector<double> work_;
};

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
