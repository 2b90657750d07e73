// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>
#include <string_view>

namespace delassus {

/// P R A Q = L U (UMFPACK, rows scaled by R) of a sparse square matrix. The ordering and the symbolic analysis are kept
/// while the pattern of A stays the same. solve() does not allocate after the first call at a size; UMFPACK makes a new
/// numeric factor in every factorisation. (Davis, ACM Trans. Math. Softw. 30, 2004.)
class SparseLUFactorization {
 public:
  SparseLUFactorization();
  ~SparseLUFactorization();
  /// Takes over the factor and the stored analysis; the other object is then empty.
  ///@{
  SparseLUFactorization(SparseLUFactorization&&) noexcept;
  SparseLUFactorization& operator=(SparseLUFactorization&&) noexcept;
  ///@}

  /// Factors A; false, leaving no usable factor, if A is not square, not finite or singular: a pivot of exactly 0, or
  /// an estimated reciprocal condition (the ratio of the smallest to the largest pivot) below 1e-300.
  bool tryFactor(const SparseMatrix& A);

  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not finite or singular.
  void factor(const SparseMatrix& A, std::string_view name);

  /// Rows of the matrix that was factored last; 0 without a factor.
  std::size_t size() const;
  /// Ratio of the smallest to the largest pivot of U, a rough estimate of 1/κ; 0 without a factor.
  double reciprocalCondition() const;
  /// Floating point operations of the last factorisation, for methods that estimate its cost.
  double work() const;

  /// x := A⁻¹ x, with iterative refinement (up to two steps).
  ///@{
  void solve(double* x);
  void solve(Vector& x);
  ///@}
  void solveTransposed(double* x);  ///< x := A⁻ᵀ x, as solve()

 private:
  void solveWith(int system, double* x);

  struct Workspace;  // keeps UMFPACK's headers out of this one
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace delassus
