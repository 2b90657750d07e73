// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/Stamp.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus::numerics {

/// Friction contact problem in global coordinates, dimension d = 2 or 3: find the velocities v of m degrees of freedom,
/// and the reactions r and relative velocities u of n contacts, normal component first, with
///
///     M v = H r + f,    u = Hᵀ v + b,    K* ∋ û ⟂ r ∈ K for each contact
///
/// (û and K as in FrictionContactProblem). The unknown of its solvers is x = (v, r), one vector, and the dual is u. M
/// is m x m, symmetric positive definite, sparse; H is m x d·n, sparse. Eliminating v gives the local form with W = Hᵀ
/// M⁻¹ H and q = Hᵀ M⁻¹ f + b. ([Siconos 2017], 16.2.)
class GlobalFrictionContactProblem {
 public:
  /// The empty problem.
  GlobalFrictionContactProblem() = default;
  /// Throws Error if the dimension is not 2 or 3, sizes do not fit, an entry is not finite, M is not symmetric to 1e-8
  /// of its largest entry, or μ is negative.
  GlobalFrictionContactProblem(std::size_t dimension, SparseMatrix M, SparseMatrix H, Vector f, Vector b, Vector mu);

  std::size_t dimension() const { return dimension_; }        ///< d
  std::size_t contacts() const { return mu_.size(); }         ///< n
  std::size_t degreesOfFreedom() const { return f_.size(); }  ///< m
  std::size_t contactSize() const { return b_.size(); }       ///< d · contacts
  std::size_t size() const { return f_.size() + b_.size(); }  ///< of the unknown x = (v, r)
  const SparseMatrix& M() const { return M_; }                ///< m x m
  const SparseMatrix& H() const { return H_; }                ///< m x d · n, reactions to degrees of freedom
  const Vector& f() const { return f_; }                      ///< M v where there is no reaction
  const Vector& b() const { return b_; }                      ///< u where v = 0, m/s
  const Vector& mu() const { return mu_; }                    ///< by contacts

  /// For new values in place, with the same structure.
  ///@{
  Vector& f() { return f_; }
  Vector& b() { return b_; }
  Vector& mu() { return mu_; }
  ///@}

  /// Throws Error naming what is wrong: sizes that do not fit, an entry that is not finite, an M that is not symmetric,
  /// or a μ below 0.
  void validate() const;
  /// Checks only what new f, b and μ can violate.
  void validateVectors() const;
  /// Identifies M and H.
  std::uint64_t stamp() const { return stamp_; }

 private:
  std::size_t dimension_ = 3;
  SparseMatrix M_, H_;
  Vector f_, b_, mu_;
  std::uint64_t stamp_ = newStamp();
};

}  // namespace delassus::numerics
