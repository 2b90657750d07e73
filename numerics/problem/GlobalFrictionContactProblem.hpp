// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>
#include <memory>

namespace delassus::numerics {

/// Friction contact problem in global form, dimension d = 2 or 3: find the velocities v of m degrees of freedom, and
/// the reactions r and relative velocities u of n contacts, normal component first, with
///
///     M v = H r + f,    u = Hᵀ v + b,    K* ∋ û ⟂ r ∈ K for each contact
///
/// (û and K as in FrictionContactProblem). M is m x m, symmetric positive definite, sparse; H is m x d·n, sparse. The
/// unknown of its solvers is r, the dual is u; v is velocities(r). Errors are those of the local form, whose W and q it
/// states, but that rows are scaled by Hᵀ diag(M)⁻¹ H, and that the published measure is relative to ‖b‖. ([Siconos
/// 2017], 16.2.)
class GlobalFrictionContactProblem : public GlobalMechanicalProblem {
 public:
  /// The empty problem.
  GlobalFrictionContactProblem();
  /// Throws Error if the dimension is not 2 or 3, sizes do not fit, an entry is not finite, M is not symmetric (see
  /// SparseInverse) or not positive definite, or μ is negative.
  ///@{
  GlobalFrictionContactProblem(std::size_t dimension, SparseMatrix M, SparseMatrix H, Vector f, Vector b, Vector mu);
  /// With a factor that is shared with other problems of the same M.
  GlobalFrictionContactProblem(std::size_t dimension, std::shared_ptr<const SparseInverse> M, SparseMatrix H, Vector f,
                               Vector b, Vector mu);
  ///@}

  std::size_t dimension() const { return dimension_; }  ///< d
  std::size_t contacts() const { return mu_.size(); }   ///< n
  const Vector& mu() const { return mu_; }              ///< by contacts

  /// New coefficients, one a contact. Throws Error if there are more or less, or one is negative or not finite.
  void setFriction(const Vector& mu);

 private:
  std::size_t dimension_ = 3;
  Vector mu_;
};

}  // namespace delassus::numerics
