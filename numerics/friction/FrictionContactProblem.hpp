// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/friction/AssembledDelassus.hpp>
#include <delassus/numerics/friction/DelassusOperator.hpp>
#include <delassus/numerics/friction/FactoredDelassus.hpp>
#include <memory>

namespace delassus::numerics {

/// Friction contact problem in local coordinates, dimension d = 2 or 3: find the reactions r and relative velocities u
/// of n contacts, normal component first, with
///
///     u = W r + q,    K* ∋ û ⟂ r ∈ K,    û = (u_N + μ‖u_T‖, u_T),    K = { ‖r_T‖ ≤ μ r_N } for each contact:
///
/// take-off (r = 0, u_N ≥ 0), stick (u = 0, r in K) or slide (r on K's boundary, u_T against r_T, u_N = 0). Newton's
/// restitution, if any, is included in q. Units: W maps impulses (N·s) to velocities (m/s). (De Saxcé, 1992; Acary and
/// Brogliato, 2008, chapter 3; [Siconos 2017], chapter 16.)
///
/// Copies share the operator W.
class FrictionContactProblem {
 public:
  /// The empty problem.
  FrictionContactProblem();
  /// Each throws Error if the dimension is not 2 or 3, sizes do not fit, an entry is not finite, μ is negative or the
  /// operator null. `mu` has one entry a contact.
  ///@{
  FrictionContactProblem(std::size_t dimension, const Matrix& W, Vector q, Vector mu);
  FrictionContactProblem(std::size_t dimension, BlockSparseMatrix W, Vector q, Vector mu);
  FrictionContactProblem(std::size_t dimension, std::shared_ptr<const DelassusOperator> W, Vector q, Vector mu);
  ///@}

  std::size_t dimension() const { return dimension_; }  ///< d
  std::size_t contacts() const { return mu_.size(); }   ///< n
  std::size_t size() const { return q_.size(); }        ///< of r and of u, d · contacts
  const DelassusOperator& W() const { return *W_; }     ///< shared with copies of the problem
  const Vector& q() const { return q_; }                ///< free velocity, m/s
  const Vector& mu() const { return mu_; }              ///< by contacts

  /// For new values in place.
  ///@{
  Vector& q() { return q_; }
  Vector& mu() { return mu_; }
  ///@}

  /// Throws Error naming what is wrong: sizes that do not fit, an entry that is not finite, or a μ below 0.
  void validate() const;
  /// Checks only what new q and μ can violate.
  void validateVectors() const;
  /// Identifies W.
  std::uint64_t stamp() const { return W_->stamp(); }

 private:
  std::size_t dimension_ = 3;
  std::shared_ptr<const DelassusOperator> W_;
  Vector q_, mu_;
};

}  // namespace delassus::numerics
