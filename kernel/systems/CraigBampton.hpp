// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// A mesh of n unknowns by few: those of its boundary u_b, which contacts and loads act on, and some modes of what lies
/// within, with the boundary held,
///
///     u = Ψ u_b + Φ η,     Ψ_i = −K_ii⁻¹ K_ib (Ψ_b = 1),     K_ii φ = ω² M_ii φ (Φ_b = 0),
///
/// so that q = (u_b, η) and M and K of q are (Ψ Φ)ᵀ M (Ψ Φ), (Ψ Φ)ᵀ K (Ψ Φ). What acts at rest on the boundary moves it
/// exactly; what is faster than `omitted`, the first frequency that is left out, is not there. (Craig and Bampton, AIAA
/// Journal 6, 1968.)
///
///     const CraigBampton reduced = craigBampton(M, K, {0, 1}, 20);
///     LagrangianLinearTIDS::Matrices matrices{.M = reduced.M, .K = reduced.K};
///     auto block = std::make_shared<LagrangianLinearTIDS>(q0, v0, matrices);
///     model.link("foot", law, relation, SystemPart(block, 0, 2));
struct CraigBampton {
  Matrix M;             ///< of q, the boundary first
  Matrix K;             ///< of q
  Matrix basis;         ///< (Ψ Φ), n x (boundary + modes)
  Vector frequencies;   ///< ω of the modes, rad/s, ascending
  double omitted = 0.;  ///< the next one, rad/s; 0 where no mode is left out

  /// basisᵀ A basis, of a damping matrix say. Throws Error if A does not fit.
  Matrix reduced(const SquareMatrix& A) const;
  /// basisᵀ f, of a load. Throws Error if f does not fit.
  Vector reduced(const Vector& f) const;
  /// u of q. Throws Error if q does not fit.
  Vector expanded(const Vector& q) const;
};

/// Reduces a mesh with symmetric M (positive definite) and K to the unknowns `boundary` and `modes` modes. Throws Error
/// if sizes do not fit, a matrix is not symmetric or M not positive definite, the boundary is empty, names an unknown
/// twice or one that is not there, modes are more than the others, or K with the boundary held is not positive
/// definite: parts of the mesh can move without it.
CraigBampton craigBampton(const SquareMatrix& M, const SquareMatrix& K, const std::vector<std::size_t>& boundary,
                          std::size_t modes);

}  // namespace delassus
