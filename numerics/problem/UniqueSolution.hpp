// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Tells whether a matrix is a P-matrix, one whose principal minors are all positive: those for which LCP(M, q) has
/// exactly one solution whatever q is. Symmetric positive definite matrices are, and all with a positive definite
/// symmetric part.
///
/// M is a P-matrix if and only if m₁₁ > 0 and both M without its first row and column and the Schur complement of m₁₁
/// are: a recursion over 2ⁿ pivots instead of 2ⁿ determinants. A pivot counts as positive if it exceeds the error
/// caused by entries of relative accuracy 10⁻¹², to first order; that does not change when rows or columns are
/// rescaled. (Tsatsomeros and Li, A recursive test for P-matrices, BIT 40, 2000; Cottle, Pang, Stone, 1992, section
/// 3.3.)
///
///     PMatrixTest test;
///     if (!test.holds(M)) … test.minor() …
class PMatrixTest {
 public:
  /// Larger matrices are refused: the work is about 6·2ⁿ multiplications.
  static constexpr std::size_t maxSize = 20;
  /// Relative, of the entries of a matrix for which no errors are given.
  static constexpr double accuracy = 1e-12;

  /// Throws Error if M is not square, not finite or larger than maxSize.
  bool holds(const Matrix& M);
  /// The same with bounds for the absolute errors of the entries, where M itself was computed with cancellation.
  bool holds(const Matrix& M, const Matrix& errors);

  /// Rows of a principal minor that was found not to be positive, in ascending order; empty if there is none.
  const std::vector<std::size_t>& minor() const { return minor_; }

 private:
  struct Level {
    Matrix M, errors;
  };

  bool recurse(std::size_t first);

  std::vector<Level> levels_;  // level k holds what is left of rows k … n − 1
  std::vector<std::size_t> eliminated_, minor_;
};

/// True if the symmetric part ½ (M + Mᵀ) is positive definite, by more than the errors of its diagonal (as above).
/// Sufficient for a P-matrix, and tested for any size in n³/3 operations.
///@{
bool hasDefiniteSymmetricPart(const Matrix& M);
bool hasDefiniteSymmetricPart(const Matrix& M, const Matrix& errors);
///@}

/// Whether a problem has exactly one solution whatever its q is.
struct UniqueSolution {
  bool holds = true;              ///< whether it has; false if rounding leaves it open
  std::string_view reason;        ///< one clause (a literal); empty if it holds
  std::vector<std::size_t> rows;  ///< those that the reason is about
};

/// Tells whether the problem on a box (RelayProblem; LCP and mixed problems are special cases)
///
///     w = M z + q,   −w ∈ N_[l,u](z),
///
/// has exactly one solution for every q. With F the rows without bounds (l = −∞, u = ∞), and without those where l = u,
/// which are fixed, it does if and only if M_FF is regular and the Schur complement M / M_FF is a P-matrix: the pieces
/// of its normal map then all have determinants of one sign. (Robinson, Normal maps induced by linear transformations,
/// Math. Oper. Res. 17, 1992.)
///
/// Not unique means not unique for some q: there are others for which the problem has one solution. Circuits whose M is
/// only semidefinite (a bridge of ideal diodes) may have unique states all the same.
///
/// Throws Error if sizes do not fit, a number is not finite, or more rows are left than PMatrixTest takes and their
/// matrix has no positive definite symmetric part, so that the question cannot be decided.
UniqueSolution hasUniqueSolution(const Matrix& M, const Vector& lower, const Vector& upper);

}  // namespace delassus::numerics
