// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>

namespace delassus::numerics {

/// Find x in the polyhedron C = { l ≤ x ≤ u, A x ≤ b } such that −(M x + q) is in the normal cone of C at x, that is,
/// (M x + q)ᵀ (y − x) ≥ 0 for all y in C. With a multiplier for each inequality it is a problem over intervals,
///
///     w = M x + Aᵀ π + q,  −w ∈ N_[l, u](x),      0 ≤ b − A x ⟂ π ≥ 0,
///
/// for any solver of GenericMechanicalProblem; its unknown is (x, π), its dual (w, b − A x). M is any square matrix.
/// For C given by bounds alone it is a RelayProblem; for l = 0 and u = ∞ an LCP. (Facchinei and Pang, 2003,
/// section 1.3.)
class AffineVariationalInequality : public GenericMechanicalProblem {
 public:
  /// `A` is inequalities x size, or empty; `lower` and `upper` are infinite where they are empty. Throws Error if sizes
  /// do not fit, an entry is not finite, or bounds are not l ≤ u, l < ∞, u > −∞.
  AffineVariationalInequality(const Matrix& M, const Vector& q, const Matrix& A = {}, const Vector& b = {},
                              const Vector& lower = {}, const Vector& upper = {});

  std::size_t variables() const { return variables_; }              ///< entries of x
  std::size_t inequalities() const { return size() - variables_; }  ///< entries of π
  /// x of an unknown (x, π).
  Vector variablesOf(const Vector& unknown) const;
  /// π of an unknown (x, π).
  Vector multipliersOf(const Vector& unknown) const;

 private:
  std::size_t variables_;
};

}  // namespace delassus::numerics
