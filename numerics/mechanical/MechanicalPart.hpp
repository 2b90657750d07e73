// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus::numerics {

/// The law that a part of a mechanical problem obeys.
enum class PartKind {
  equality,  ///< w = 0, λ free: a joint
  box,       ///< −w_i ∈ N_[l_i, u_i](λ_i), row by row: a unilateral constraint, a limit, dry friction in an axis
  coulomb,   ///< unilateral contact with Coulomb's friction, 2 or 3 rows
  rolling    ///< the same with rolling resistance, 3 or 5 rows
};

/// A group of consecutive rows of a GenericMechanicalProblem with one law.
struct MechanicalPart {
  PartKind kind = PartKind::equality;  ///< its law
  std::size_t rows = 1;                ///< of λ and w
  double friction = 0.;                ///< μ, of the two kinds of contact
  double rolling = 0.;                 ///< μ_R, a length, of rolling contacts

  /// Rows that obey their law one by one.
  ///@{
  static MechanicalPart equality(std::size_t rows) { return {PartKind::equality, rows, 0., 0.}; }
  static MechanicalPart box(std::size_t rows) { return {PartKind::box, rows, 0., 0.}; }
  ///@}
  /// Rows (N, T) or (N, T1, T2), for dimension 2 or 3.
  static MechanicalPart coulomb(std::size_t dimension, double friction) {
    return {PartKind::coulomb, dimension, friction, 0.};
  }
  /// Rows (N, T, R) in dimension 2, (N, T1, T2, R1, R2) in dimension 3.
  static MechanicalPart rollingContact(std::size_t dimension, double friction, double rolling) {
    return {PartKind::rolling, 2 * dimension - 1, friction, rolling};
  }

  /// Whether it is of one of the two kinds with a cone.
  bool isContact() const { return kind == PartKind::coulomb || kind == PartKind::rolling; }
  /// Rows of the tangential reaction, after the normal one; those of the rolling moment follow.
  std::size_t tangentRows() const { return kind == PartKind::rolling ? (rows - 1) / 2 : rows - 1; }
};

}  // namespace delassus::numerics
