// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// M⁻¹ of a sparse regular matrix, by one factorisation: Cholesky where M is positive definite and symmetric to 1e-8 of
/// the root of an entry's diagonal entries, LU where it is not. Not to be used from several threads at once.
class SparseInverse {
 public:
  /// Of no rows.
  SparseInverse() = default;
  /// Throws Error naming the matrix by `name` and the reason if it is not square, not finite or singular.
  SparseInverse(SparseMatrix M, std::string_view name);

  const SparseMatrix& matrix() const { return M_; }  ///< M
  std::size_t size() const { return M_.size1(); }    ///< its rows
  bool isDefinite() const { return isDefinite_; }    ///< whether M is symmetric positive definite
  /// Whether M has a positive diagonal, and is symmetric as above.
  bool isSymmetric() const { return isSymmetric_; }
  const std::vector<double>& diagonal() const { return diagonal_; }  ///< of M
  /// Whether it is definite, and block diagonal with blocks of at most 12 rows, as of bodies that nothing ties
  /// together.
  bool isOfSmallBlocks() const { return isOfSmallBlocks_; }

  /// x := M⁻¹ x
  void solve(double* x) const;

  /// e := an estimate of |M⁻¹| e for e ≥ 0, of what errors up to e on the right-hand side make of a solution: that of
  /// two patterns of signs, all the same (the worst where M⁻¹ has one sign, as of a mesh) and irregular ones.
  void amplify(std::vector<double>& e) const;

  /// M⁻¹ b in extended precision.
  struct Refined {
    std::vector<long double> x;  ///< the solution
    std::vector<double> left;    ///< an estimate from above of the error of each entry
  };
  /// Sets `answer` to M⁻¹ b, by refinement with residuals in extended precision. The estimate of its error is made of
  /// the last correction, which is computed from the residual of the answer, and of what the rounding of that residual
  /// amounts to, some 5·10⁻²⁰ times the condition of M. False where corrections end above what that rounding explains:
  /// M is singular to working precision.
  bool refine(const std::vector<long double>& b, Refined& answer) const;

 private:
  void amplifyRoundingOfResidual(const std::vector<long double>& b, const std::vector<long double>& x) const;

  SparseMatrix M_;
  std::vector<double> diagonal_;
  bool isSymmetric_ = true;
  bool isDefinite_ = true;
  bool isOfSmallBlocks_ = true;
  mutable SparseCholeskyFactorization definite_;
  mutable SparseLUFactorization general_;
  mutable std::vector<long double> residual_;
  mutable std::vector<double> step_, mixed_;
};

}  // namespace delassus
