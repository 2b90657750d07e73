// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
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

/// LU factor of the principal submatrix A_SS of a block-sparse matrix that need not be symmetric, for solvers that
/// change S between solves: dense where A_SS is small or A nearly full, sparse otherwise. The factor is kept, and used
/// again, as long as the stamp of A and S stay the same. In a sparse factor the rows and columns outside S are those of
/// the identity, so that one symbolic analysis of A serves every S; each new factor allocates (UMFPACK).
class PrincipalLU {
 public:
  /// Whether A is factored dense, by way of a dense copy, whatever S.
  static bool isNearlyFull(const BlockSparseMatrix& A) { return 4 * A.storedEntries() > A.size() * A.size(); }

  /// Factors A_SS, `selected[i]` telling whether scalar row i is in S; false if A_SS is singular to working precision.
  bool factor(const BlockSparseMatrix& A, const std::vector<char>& selected);

  /// x_S := A_SS⁻¹ x_S and x := 0 outside S.
  void solve(Vector& x);

 private:
  bool factorDense(const BlockSparseMatrix& A);
  bool factorSparse(const BlockSparseMatrix& A);
  void layOut(const BlockSparseMatrix& A);

  MadeFrom<std::uint64_t> factorFrom_;  // with selected_
  std::vector<char> selected_;
  bool usable_ = false;
  bool isDense_ = false;
  std::vector<std::size_t> rows_;  // S, ascending
  MadeFrom<std::uint64_t> copyFrom_;
  Matrix copy_, submatrix_;
  std::vector<double> compressed_;
  LUFactorization dense_;
  MadeFrom<std::uint64_t> patternFrom_;
  std::vector<std::size_t> starts_, next_;  // of the columns of sparseMatrix_
  SparseMatrix sparseMatrix_;
  SparseLUFactorization sparse_;
};

}  // namespace delassus
