// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/AffineVariationalInequality.hpp>

namespace delassus::numerics {

/// The quadratic program
///
///     minimise ½ xᵀ H x + cᵀ x     over l ≤ x ≤ u, A x ≤ b, E x = e,
///
/// H symmetric, by its conditions of first order, which are those of a minimum if H is positive semidefinite: the
/// variational inequality with M = H and q = c. Without a solution it has none: where the conditions of the program are
/// contradictory, or where it has no lower bound; solvers say `infeasible` of both, if they find a proof.
class QuadraticProgram : public AffineVariationalInequality {
 public:
  /// As in AffineVariationalInequality. Throws Error if H is not symmetric to 1e-10 of its largest entry, or not
  /// positive semidefinite to the same.
  QuadraticProgram(const Matrix& H, const Vector& c, const Matrix& A = {}, const Vector& b = {},
                   const Vector& lower = {}, const Vector& upper = {})
      : QuadraticProgram(H, c, {.inequalities = {A, b}, .lower = lower, .upper = upper}) {}
  /// The same over the parts of a polyhedron, equalities among them:
  ///
  ///     QuadraticProgram(H, c, {.equalities = {E, e}, .lower = Vector(n)})
  QuadraticProgram(const Matrix& H, const Vector& c, const PolyhedralSet& set);

  /// ½ xᵀ H x + cᵀ x.
  double objective(const Vector& x) const;
};

}  // namespace delassus::numerics
