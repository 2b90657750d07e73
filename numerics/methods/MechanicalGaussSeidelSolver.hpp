// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/GaussSeidelSolver.hpp>
#include <delassus/numerics/methods/LocalSolves.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>

namespace delassus::numerics {

/// Options of MechanicalGaussSeidelSolver.
using MechanicalGaussSeidelOptions = GaussSeidelOptions;

/// Nonsmooth block Gauss–Seidel: part after part, its law is solved with all other reactions held
/// (ConvexSet::solveLocal). One sweep is linear in the blocks of W, and only small factors are stored, so that it
/// handles any size. It converges for equalities and boxes with symmetric positive definite W (semidefinite with
/// consistent q too), and in practice with contacts; slowly where joints make long chains or closed loops, whose
/// condition is that of W_EE: eliminate them instead (MechanicalEliminationSolver). A relaxation above 1
/// is that of equalities and of boxes of one row, and 1 for other parts. Starts from λ. Does not allocate in
/// repeated solves. (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998.)
class MechanicalGaussSeidelSolver final : public GaussSeidelSolver<ProblemOverSets> {
 public:
  /// Throws Error on options out of range.
  explicit MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options = {});

  std::string_view name() const override { return "MechanicalGaussSeidelSolver"; }

 private:
  Start begin(const ProblemOverSets& problem, Vector& lambda) override;
  Sweep sweep(const ProblemOverSets& problem, Vector& lambda) override;

  void relax(const ProblemOverSets& problem, std::size_t part, double* own) const;

  LocalSolves local_;
  std::vector<double> w_, old_;  // of one part
};

}  // namespace delassus::numerics
