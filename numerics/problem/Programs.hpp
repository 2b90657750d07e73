// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// A x ≤ b or A x = b, whichever they are for; A is rows x size, or empty.
struct LinearRows {
  Matrix A;  ///< a row each
  Vector b;  ///< right sides
};

/// The polyhedron { l ≤ x ≤ u, A x ≤ b, E x = e }, its parts by name; what is left out is no condition:
///
///     {.equalities = {E, e}, .lower = Vector(n)}
struct PolyhedralSet {
  LinearRows inequalities = {};  ///< A x ≤ b
  LinearRows equalities = {};    ///< E x = e; rows may depend on each other
  Vector lower = {};             ///< l, of the size of x; empty: −∞
  Vector upper = {};             ///< u, of the size of x; empty: ∞
};

/// Find x in the polyhedron C = { l ≤ x ≤ u, A x ≤ b, E x = e } such that −(M x + q) is in the normal cone of C at x,
/// that is, (M x + q)ᵀ (y − x) ≥ 0 for all y in C. With a multiplier for each row it is a problem over intervals,
///
///     w = M x + Aᵀ π + Eᵀ ν + q,  −w ∈ N_[l, u](x),      0 ≤ b − A x ⟂ π ≥ 0,      e − E x = 0, ν free,
///
/// for any solver of GenericMechanicalProblem; its unknown is (x, π, ν), its dual (w, b − A x, e − E x). M is any
/// square matrix. For C given by bounds alone it is a RelayProblem; for l = 0 and u = ∞ an LCP. (Facchinei and Pang,
/// 2003, section 1.3.)
class AffineVariationalInequality : public GenericMechanicalProblem {
 public:
  /// `A` is inequalities x size, or empty; `lower` and `upper` are infinite where they are empty. Throws Error if sizes
  /// do not fit, an entry is not finite, or bounds are not l ≤ u, l < ∞, u > −∞.
  AffineVariationalInequality(const Matrix& M, const Vector& q, const Matrix& A = {}, const Vector& b = {},
                              const Vector& lower = {}, const Vector& upper = {})
      : AffineVariationalInequality(M, q, {.inequalities = {A, b}, .lower = lower, .upper = upper}) {}
  /// The same over the parts of a polyhedron, equalities among them.
  AffineVariationalInequality(const Matrix& M, const Vector& q, const PolyhedralSet& set);

  std::size_t variables() const { return variables_; }                            ///< entries of x
  std::size_t inequalities() const { return inequalities_; }                      ///< entries of π
  std::size_t equalities() const { return size() - variables_ - inequalities_; }  ///< entries of ν
  /// x of an unknown (x, π, ν).
  Vector variablesOf(const Vector& unknown) const { return segment(unknown, 0, variables_); }
  /// π of an unknown (x, π, ν).
  Vector multipliersOf(const Vector& unknown) const { return segment(unknown, variables_, inequalities_); }
  /// ν of an unknown (x, π, ν).
  Vector equalityMultipliersOf(const Vector& unknown) const {
    return segment(unknown, variables_ + inequalities_, equalities());
  }

 private:
  Vector segment(const Vector& unknown, std::size_t first, std::size_t count) const;

  std::size_t variables_;
  std::size_t inequalities_;
};

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

/// Second-order cone linear complementarity problem (SOCLCP): find z with
///
///     w = M z + q,    K_i* ∋ w_i ⟂ z_i ∈ K_i = { ‖z_T‖ ≤ μ_i z_N },
///
/// the rows in consecutive cones of any number of rows, the first of each on its axis; a cone of one row is the
/// half-line. It is a GenericMechanicalProblem with a SecondOrderCone a part, for any of its solvers. M is any square
/// matrix; for symmetric positive semidefinite M it is a convex program, such as friction in the associated model.
class SecondOrderConeProblem : public GenericMechanicalProblem {
 public:
  /// `rows` of each cone; `apertures` μ_i, all 1 where it is empty. Throws Error if sizes do not fit, an entry is not
  /// finite, or an aperture is negative.
  SecondOrderConeProblem(const Matrix& M, Vector q, const std::vector<std::size_t>& rows, const Vector& apertures = {});
};

}  // namespace delassus::numerics
