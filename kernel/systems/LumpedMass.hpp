// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {

/// The diagonal mass of the row sums m_i = Σ_j M_ij of a consistent mass, which moves as M does where all nodes move
/// alike: it has the same total mass. A system with it has an explicit scheme without factors, and each node its own
/// inertia.
///
/// Row sums fit elements whose coordinates are displacements and whose shape functions have no negative integral:
/// lines, triangles and tetrahedra of order 1, quadrilaterals and hexahedra of order 1 and 2 by tensor products.
/// (Corners of quadratic triangles get nothing, those of quadratic tetrahedra a negative mass, and rows of rotations
/// have other units.) Throws Error, naming the row, if a sum is not positive; if M is not square or not finite.
///
///     LagrangianLinearTIDS(q0, v0, {.M = lumped(M), .K = K})
///
/// (Hughes, The Finite Element Method, 1987, chapter 7.)
SparseMatrix lumped(const SquareMatrix& M);

}  // namespace delassus
