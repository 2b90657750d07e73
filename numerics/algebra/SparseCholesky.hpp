// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// Sparse Cholesky factorisation (CHOLMOD) of the principal submatrix A_SS of a symmetric block-sparse matrix. The rows
/// outside S are replaced by multiples of rows of the identity, so that the symbolic analysis of A serves every S, and
/// it is repeated only when the pattern of A changes.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  /// Takes over the factor and the stored analysis; the other object is then empty.
  ///@{
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;
  ///@}

  /// Factors A_SS, `selected[i]` telling whether scalar row i is in S. False, leaving no usable
  /// factor, if it is not positive definite: a pivot l_jj² is at most n·ε·a_jj, as in CholeskyFactorization.
  bool tryFactor(const BlockSparseMatrix& A, const std::vector<char>& selected);

  /// x_S := A_SS⁻¹ x_S; entries outside S keep their values. Does not allocate after the first call.
  void solve(Vector& x);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace delassus
