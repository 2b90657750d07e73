// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus {

/// P A Pᵀ = L Lᵀ (CHOLMOD) of a sparse symmetric positive definite matrix, of which only the lower triangle is read.
/// The ordering and the symbolic analysis are kept while the pattern of A stays the same; CHOLMOD chooses between the
/// simplicial and the supernodal factor by the work per entry.
///
/// A is called not positive definite when a pivot l_jj² is at most n·ε·a_jj, as in CholeskyFactorization. solve() does
/// not allocate after the first call at a size; a factorisation may.
/// (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35, 2008.)
class SparseCholeskyFactorization {
 public:
  SparseCholeskyFactorization();
  ~SparseCholeskyFactorization();
  /// Takes over the factor and the stored analysis; the other object is then empty.
  ///@{
  SparseCholeskyFactorization(SparseCholeskyFactorization&&) noexcept;
  SparseCholeskyFactorization& operator=(SparseCholeskyFactorization&&) noexcept;
  ///@}

  /// Factors A; false, leaving no usable factor, if A is not square, not positive definite or not finite.
  bool tryFactor(const SparseMatrix& A);

  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not finite, not symmetric
  /// (to 1e-8 of its largest entry) or not positive definite.
  void factor(const SparseMatrix& A, std::string_view name);

  /// Rows of the matrix that was analysed last; 0 without one.
  std::size_t size() const;
  /// Entries of L, for methods that estimate its cost.
  std::size_t entries() const;

  /// x := A⁻¹ x; of several `columns` one after the other, at once: a supernodal factor is read once for all.
  ///@{
  void solve(double* x, std::size_t columns = 1);
  void solve(Vector& x);
  ///@}

 private:
  struct Workspace;  // keeps CHOLMOD's headers out of this one
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace delassus
