// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/problem/Intervals.hpp>

namespace delassus::numerics {

/// For the part of a mechanism that remains without its joints: boxes and contacts, few or many. Solvers in turn, each
/// from the best answer so far, until one is certified.
///
///  1. NewtonSolver, six steps, for several parts with at most 60 rows: in smooth motion it needs one or two;
///  2. MechanicalGaussSeidelSolver, five sweeps: a single part needs one, and more find the status of most;
///  3. NewtonSolver, up to 1500 rows or where W is sparse;
///  4. AutomaticBoxSolver where all parts are boxes, orthants or equalities, AutomaticFrictionSolver where they are
///     Coulomb contacts of one dimension; `infeasible` from them is a proof;
///  5. MechanicalGaussSeidelSolver, accelerated, 3000 sweeps while its rate promises to get there;
///  6. NewtonSolver from there, then AdmmSolver;
///  7. ProximalSolver, up to 300 rows, for semidefinite W, and up to 60 rows before the sweeps; `infeasible` from it is
///     a proof;
///  8. NewtonSolver from up to 300 random starts, up to 60 rows;
///  9. MechanicalGaussSeidelSolver, 20 000 sweeps while its rate promises to get there.
///
/// From 400 parts on, where a factorisation costs more than sweeps, 2 and 3 are left out, and AdmmSolver comes before
/// Newton's method.
///
/// Accepts equality rows too, but without the elimination that suits them (AutomaticMechanicalSolver).
class EqualityFreeMechanicalSolver final : public TableSolver<ProblemOverSets, EqualityFreeMechanicalSolver> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit EqualityFreeMechanicalSolver(double tolerance = 1e-8);

  /// See TableSolver.
  static Tables tables();

 private:
  Table tableFor(const ProblemOverSets& problem) override;

  // What tableFor() has found out about the problem that is being solved.
  bool mayFactor_ = false;
  bool isLarge_ = false;       // sweeps are cheaper than a factorisation
  bool isOfContacts_ = false;  // alone, whose choice tries proximal points by itself
  mutable Intervals intervals_;
};

}  // namespace delassus::numerics
