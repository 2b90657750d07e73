// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of AutomaticBoxSolver.
struct AutomaticBoxOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, rememberSize, 60, range::notNegative,
                    "up to this size active sets are remembered, but of mixed problems up to denseSize"),
                   (std::size_t, denseSize, 3000, range::notNegative,
                    "up to this size methods on a dense copy of M are tried"),
                   (std::size_t, enumerateSize, 20, range::fromTo(0., 30.),
                    "up to this many unknowns all bases of an LCP are tried at last: minutes at 20"),
                   (std::size_t, enumerateOthers, 16, range::fromTo(0., 30.),
                    "up to 2^enumerateOthers bases all those of other problems are tried at last"),
                   (std::size_t, maxIterations, 0, range::notNegative,
                    "of each method that has such a limit; 0: its own default"))
};

/// The default for problems over intervals: chooses by their bounds, their size and the symmetry of M, and falls back
/// until an answer is certified. An LCP:
///
/// - symmetric: BlockPivotingSolver (definite M, dense or sparse, a few factorisations), DirectSolver (remembered
///   active sets) up to `rememberSize`, LcpActiveSetSolver (semidefinite; it also proves that there is no solution),
///   LemkeSolver, LcpInteriorPointSolver;
/// - not symmetric: BlockPivotingSolver where M has more than 100 rows and is less than a quarter full; DirectSolver
///   (remembered active sets, then Lemke's method), LcpInteriorPointSolver, NewtonSolver after some sweeps;
/// - then, for either: FischerBurmeisterSolver; up to 64 unknowns FischerBurmeisterSolver again, from up to 300 random
///   starts, the same in each solve; and EnumerationSolver up to `enumerateSize` (before those up to 10 unknowns);
/// - above `denseSize` only what keeps M sparse: BlockPivotingSolver (unless M is neither symmetric nor sparse),
///   LcpProximalSolver (symmetric semidefinite), then BlockGaussSeidelSolver.
///
/// A mixed problem, up to `denseSize`: BlockPivotingSolver where M has more than `rememberSize` rows and is less than a
/// quarter full; DirectSolver (remembered active sets, then elimination to an LCP), LeastNormSolver (first where a row
/// or a column of M is empty, as in rectangular problems), FischerBurmeisterSolver, sweeps on what the elimination of
/// the equalities leaves, and EnumerationSolver where there are few bases. Above:
/// BlockPivotingSolver, SparseEliminationSolver, ProjectedGaussSeidelSolver.
///
/// With other intervals: DirectSolver up to `rememberSize`; above that BranchPathSolver where an M_ii is negative, up
/// to half of `denseSize`, and BlockPivotingSolver; LcpFormSolver up to half of `denseSize`; ProjectedGaussSeidelSolver
/// (first where M is neither symmetric nor sparse and too large to be copied); EnumerationSolver where there are few
/// bases.
///
/// It says `infeasible` only with a proof: Farkas' certificate, checked on the data, or all bases tried.
///
/// Weak on LCPs that are neither monotone nor small: above `enumerateSize` unknowns it may find no solution although
/// there is one, and a problem that is feasible but has no solution ends as `numericalFailure` since there is no proof.
class AutomaticBoxSolver final
    : public WithOptions<TableSolver<ProblemOverSets, AutomaticBoxSolver>, AutomaticBoxOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticBoxSolver(AutomaticBoxOptions options = {});

  /// See TableSolver: a table for each kind of problem.
  static Tables tables();

 private:
  struct Lines;

  Table tableFor(const ProblemOverSets& problem) override;

  SolverSettings common() const { return {options_.tolerance, options_.maxIterations}; }
  bool enumerates(const ProblemOverSets& problem) const;
  bool hasEmpty(const ProblemOverSets& problem) const;
  bool hasNegative(const ProblemOverSets& problem) const;
  bool isSparse(const ProblemOverSets& problem) const;

  Intervals intervals_;
  MadeFrom<std::uint64_t> symmetricFrom_;
  bool symmetric_ = false;
  mutable MadeFrom<std::uint64_t> sparseFrom_;
  mutable bool isSparse_ = false;
  mutable MadeFrom<std::uint64_t> emptyFrom_;
  mutable bool hasEmpty_ = false;  // rows or columns of M without an entry
  mutable MadeFrom<std::uint64_t> negativeFrom_;
  mutable bool hasNegative_ = false;  // diagonal entries
  mutable Vector diagonal_;
  mutable std::vector<char> isUsed_;
};

}  // namespace delassus::numerics
