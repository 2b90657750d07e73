// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/Trials.hpp>
#include <delassus/numerics/methods/ActiveSetMemory.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of DirectSolver.
struct DirectOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, memory, 8, range::notNegative, "active sets remembered"),
                   (std::size_t, rememberSize, 60, range::notNegative, "for larger problems no set is remembered"),
                   (std::size_t, enumerateSize, 12, range::fromTo(0., 30.),
                    "up to 2^enumerateSize bases all are tried where no method finds an answer"),
                   (std::size_t, maxIterations, 0, range::notNegative,
                    "of each method for a new set that has such a limit; 0: its own"))
};

/// For time stepping of small problems over intervals, M symmetric or not, singular or not: remembers the last active
/// sets across calls, each row at its lower bound, free or at its upper bound, with their LU factors, and tries them
/// first (ActiveSetMemory), so that a step in a known configuration costs one pair of triangular solves and the
/// certificate, about 0.1 µs at n = 4. q and bounds may change with every call. Where a solution is not unique the
/// answer may depend on earlier calls. A new set is found by methods that are tried in turn until an answer is
/// certified or it is proved that there is none; else the best of their answers stays:
///
/// - of an LCP LemkeSolver, of a mixed problem up to `rememberSize` LcpFormSolver; the start z is not used;
/// - where there are other bounds, and of larger mixed problems, BlockPivotingSolver from z, then LcpFormSolver;
/// - EnumerationSolver where there are few bases.
///
/// For large or sparse M take BlockPivotingSolver.
class DirectSolver final : public WithOptions<Solver<ProblemOverSets>, DirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit DirectSolver(DirectOptions options = {});

  std::string_view name() const override { return "DirectSolver"; }
  /// Saves or restores the memory of active sets, and what the methods remember.
  void serializeState(StateArchive& archive) override;

 private:
  using Methods = std::array<SolverOverSets*, 3>;

  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  Methods methodsFor(const Intervals& intervals);
  LcpFormSolver& form();
  Outcome search(const ProblemOverSets& problem, const Intervals& intervals, std::size_t tried, Vector& z);

  ActiveSetMemory memory_;
  LemkeSolver lemke_;
  BlockPivotingSolver pivoting_;
  std::unique_ptr<LcpFormSolver> form_;  // once it was needed
  EnumerationSolver enumeration_;
  Intervals intervals_;
  DenseBox box_;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
