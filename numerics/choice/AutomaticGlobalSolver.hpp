// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>

namespace delassus::numerics {

/// The default for problems in global form (GlobalMechanicalProblem, GlobalFrictionContactProblem), of all sets:
/// solvers in turn until one is certified. Each starts from the given start, since the result of another one can be far
/// from every solution.
///
///  - where the problem is in local form already, M is block diagonal with blocks of at most 12 (bodies that are not
///    joined), or there are at most 150 rows, or at most 600 with no more rows than degrees of freedom: the local form
///    (W costs little then), AdmmNewtonSolver, AdmmSolver;
///  - otherwise AdmmSolver for up to 2000 iterations, AdmmNewtonSolver, the local form where W is not too large,
///    AdmmSolver with ten times as many iterations.
///
/// The local form is solved by AutomaticFrictionSolver where all parts are contacts with Coulomb's friction of one
/// dimension, and by AutomaticMechanicalSolver otherwise; certificates and proofs are those of M and H.
class AutomaticGlobalSolver final : public TableSolver<ProblemOverSets, AutomaticGlobalSolver> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit AutomaticGlobalSolver(double tolerance = 1e-8);

  /// See TableSolver.
  static Tables tables();

 private:
  Table tableFor(const ProblemOverSets& problem) override;

  // What tableFor() has found out about the problem that is being solved.
  bool isLocalCheap_ = false;
  bool isOfContacts_ = false;  // all sets are Coulomb's cones of one dimension
};

}  // namespace delassus::numerics
