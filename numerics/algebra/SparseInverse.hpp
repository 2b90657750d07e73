// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/SparseCholeskyFactorization.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// M⁻¹ of a sparse regular matrix, by one factorisation: Cholesky where M is symmetric positive definite, LU where it
/// is not. Not to be used from several threads at once.
class SparseInverse {
 public:
  /// Of no rows.
  SparseInverse() = default;
  /// Throws Error naming the matrix by `name` and the reason if it is not square, not finite or singular.
  SparseInverse(SparseMatrix M, std::string_view name);

  const SparseMatrix& matrix() const { return M_; }  ///< M
  std::size_t size() const { return M_.size1(); }    ///< its rows
  bool isDefinite() const { return isDefinite_; }    ///< whether M is symmetric positive definite
  /// Whether it is definite, and block diagonal with blocks of at most 12 rows, as of bodies that nothing ties
  /// together.
  bool isOfSmallBlocks() const { return isOfSmallBlocks_; }

  /// x := M⁻¹ x
  void solve(double* x) const;

  /// M⁻¹ b in extended precision.
  struct Refined {
    std::vector<long double> x;  ///< the solution
    std::vector<double> left;    ///< by how much each entry may be wrong
  };
  /// Sets `answer` to M⁻¹ b, by refinement with residuals in extended precision. What is left of an entry is twice the
  /// last correction, which is made from the residual of the answer itself: some 5·10⁻²⁰ times the condition of M.
  /// False where corrections do not become smaller: M is singular to working precision.
  bool refine(const std::vector<long double>& b, Refined& answer) const;

 private:
  SparseMatrix M_;
  bool isDefinite_ = true;
  bool isOfSmallBlocks_ = true;
  mutable SparseCholeskyFactorization definite_;
  mutable SparseLUFactorization general_;
  mutable std::vector<long double> residual_;
  mutable std::vector<double> step_;
};

}  // namespace delassus
