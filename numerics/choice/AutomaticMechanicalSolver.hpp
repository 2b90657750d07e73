// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/IndependentGroups.hpp>

namespace delassus::numerics {

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
