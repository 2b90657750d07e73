// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <memory>
#include <type_traits>
#include <vector>

namespace delassus {

/// Factor of the principal submatrix A_SS of a block-sparse matrix, for solvers that change S between solves: dense
/// where A_SS is small or A nearly full, sparse otherwise. The factor is kept, and used again, as long as the stamp of
/// A and S stay the same. In a sparse factor the rows and columns outside S are those of the identity, so that one
/// symbolic analysis of A serves every S; a new sparse factor may allocate.
template <class Dense, class Sparse>
class PrincipalFactor {
 public:
  /// Whether A is factored dense, whatever S: it is one block, or has many entries that are not zero.
  static bool isNearlyFull(const BlockSparseMatrix& A);

  /// Factors A_SS, `selected[i]` telling whether scalar row i is in S; false if A_SS is singular, or not positive
  /// definite, to working precision.
  bool factor(const BlockSparseMatrix& A, const std::vector<char>& selected);

  /// x_S := A_SS⁻¹ x_S and x := 0 outside S.
  void solve(Vector& x);

 private:
  // Only the lower triangle is read.
  static constexpr bool isSymmetric = std::is_same_v<Dense, CholeskyFactorization>;

  bool factorDense(const BlockSparseMatrix& A);
  bool factorSparse(const BlockSparseMatrix& A);
  void layOut(const BlockSparseMatrix& A);

  MadeFrom<std::uint64_t> factorFrom_;  // with selected_
  std::vector<char> selected_;
  bool usable_ = false;
  MadeFrom<std::uint64_t> fullFrom_;
  bool isFull_ = false;  // isNearlyFull(A)
  bool isDense_ = false;
  std::vector<std::size_t> rows_;     // S, ascending
  MadeFrom<std::uint64_t> copyFrom_;  // of an A that is nearly full and not symmetric
  Matrix copy_, submatrix_;
  std::vector<double> compressed_;
  Dense dense_;

  // Made when a factor is sparse: what is solved cold is mostly small.
  struct SparsePart {
    MadeFrom<std::uint64_t> patternFrom;
    std::vector<std::size_t> starts, next, pattern, before;
    std::vector<std::size_t> places;  // of the entries of `matrix` among the values of A
    SparseMatrix matrix;
    Sparse factor;
  };
  std::unique_ptr<SparsePart> sparse_;
};

/// For A that is symmetric; false where A_SS is not positive definite.
using PrincipalCholesky = PrincipalFactor<CholeskyFactorization, SparseCholeskyFactorization>;
/// For A that need not be symmetric.
using PrincipalLU = PrincipalFactor<LUFactorization, SparseLUFactorization>;

}  // namespace delassus
