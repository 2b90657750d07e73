// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <vector>

namespace delassus {

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
