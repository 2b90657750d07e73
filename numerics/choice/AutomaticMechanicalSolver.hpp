// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/IndependentGroups.hpp>
#include <delassus/numerics/problem/Intervals.hpp>

namespace delassus::numerics {

/// For the part of a mechanism that remains without its joints: boxes and contacts, few or many. Solvers in turn, each
/// from the best answer so far, until one is certified.
///
///  1. NewtonSolver, six steps, for several parts with at most 60 rows: in smooth motion it needs one or two;
///  2. MechanicalGaussSeidelSolver, five sweeps: a single part needs one, and more find the status of most;
///  3. NewtonSolver, up to 1500 rows or where W is sparse;
///  4. AutomaticBoxSolver where all parts are boxes, orthants or equalities, AutomaticFrictionSolver where they are
///     Coulomb contacts of one dimension; `infeasible` from them is a proof; of others with at most 60 rows
///     NewtonSolver from 12 starts near the best answer, which hyperstatic contacts beside motors and limits need;
///  5. MechanicalGaussSeidelSolver, accelerated, 3000 sweeps while its rate promises to get there;
///  6. NewtonSolver from there, then AdmmSolver;
///  7. ProximalSolver, up to 300 rows, for semidefinite W, and up to 60 rows before the sweeps; `infeasible` from it is
///     a proof;
///  8. NewtonSolver from up to 100 starts, near and random ones in turn, up to 60 rows, unless contacts have had
///     theirs;
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

/// Options of AutomaticMechanicalSolver.
struct AutomaticMechanicalOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, eliminateSize, 400, range::notNegative,
                    "rows up to which equalities are eliminated first"))
};

/// The default for generic mechanical problems: solvers in turn until one is certified.
///
///  1. with equality rows, from 30 rows on: IslandSolver, where parts fall into groups of at most 0.7 of them that W
///     does not couple, mechanisms beside each other say; each with this choice;
///  2. with equality rows: MechanicalEliminationSolver, which leaves the rest to EqualityFreeMechanicalSolver and says
///     `infeasible` where equality rows contradict each other, then NewtonSolver on all of it; above
///     `eliminateSize` rows, where sparse systems are faster, the other way round, with SparseEliminationSolver
///     between;
///  3. EqualityFreeMechanicalSolver on all of it, which is all there is without equality rows.
///
/// Repeated solves of one layout with few limits and contacts do not allocate.
class AutomaticMechanicalSolver final
    : public WithOptions<TableSolver<ProblemOverSets, AutomaticMechanicalSolver>, AutomaticMechanicalOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticMechanicalSolver(AutomaticMechanicalOptions options = {});

  /// See TableSolver.
  static Tables tables();

 private:
  Table tableFor(const ProblemOverSets& problem) override;

  // What tableFor() has found out about the problem that is being solved.
  bool hasEqualities_ = false;
  bool isSmall_ = false;
  bool fallsApart_ = false;
  IndependentGroups islands_;
};

}  // namespace delassus::numerics
