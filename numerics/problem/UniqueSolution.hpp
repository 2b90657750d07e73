// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>
#include <vector>

namespace delassus::numerics {

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
