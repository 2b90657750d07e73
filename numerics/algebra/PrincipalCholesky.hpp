// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <vector>

namespace delassus {

/// Factor of the principal submatrix A_SS of a symmetric block-sparse matrix, for solvers that change
/// S between solves: dense where A_SS is small or A nearly full, sparse otherwise. The factor is
/// kept, and used again, as long as the stamp of A and S stay the same.
class PrincipalCholesky {
 public:
  /// Factors A_SS, `selected[i]` telling whether scalar row i is in S; false if A_SS is not positive
  /// definite to working precision.
  bool factor(const BlockSparseMatrix& A, const std::vector<char>& selected);

  /// x_S := A_SS⁻¹ x_S and x := 0 outside S.
  void solve(Vector& x);

 private:
  bool factorDense(const BlockSparseMatrix& A);

  MadeFrom<std::uint64_t> factorFrom_;  // with selected_
  std::vector<char> selected_;
  bool usable_ = false;
  bool isDense_ = false;
  std::vector<std::size_t> rows_;  // S, ascending
  Matrix submatrix_;
  Vector compressed_;
  CholeskyFactorization dense_;
  SparseCholesky sparse_;
};

}  // namespace delassus
