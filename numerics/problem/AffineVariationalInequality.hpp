// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

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

}  // namespace delassus::numerics
