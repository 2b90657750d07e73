// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <memory>

namespace delassus::numerics {

/// The problem of one step with the velocities of the bodies as unknowns, for parts of any sets: find v, λ and w with
///
///     M v = H λ + f,    w = Hᵀ v + b,    −(w + s(w)) in the normal cone of C at λ,
///
/// M sparse and regular (symmetric positive definite in mechanics), H with a column for each row of λ. With parts of
/// RollingCone it is the global form of rolling friction. It is stated by its local form W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f +
/// b, which is block sparse where bodies share few contacts, for all solvers over sets; velocities() gives v. Coulomb
/// contacts alone have solvers for the global form itself: GlobalFrictionContactProblem.
class GlobalMechanicalProblem : public GenericMechanicalProblem {
 public:
  /// `lower` and `upper` as in GenericMechanicalProblem, as are the errors thrown; also if M is singular.
  GlobalMechanicalProblem(const SparseMatrix& M, const SparseMatrix& H, const Vector& f, const Vector& b,
                          std::vector<Part> parts, Vector lower = {}, Vector upper = {});

  /// v = M⁻¹ (H λ + f), of the data given to the constructor. Throws Error if λ has the wrong size. Copies share the
  /// factor of M: not to be called from several threads at once.
  Vector velocities(const Vector& lambda) const;

 private:
  GlobalMechanicalProblem(std::shared_ptr<SparseLUFactorization> mass, const SparseMatrix& H, const Vector& f,
                          const Vector& b, std::vector<Part> parts, Vector lower, Vector upper);

  std::shared_ptr<SparseLUFactorization> mass_;
  SparseMatrix H_;
  Vector f_;
};

}  // namespace delassus::numerics
