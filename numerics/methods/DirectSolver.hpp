// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/methods/BranchPathSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/Trials.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// The last active sets of a simulation, which meets the same few repeatedly, each with the LU factor of its basis,
/// kept while M is unchanged. They are tried on the next problem, the last used first: a step in a known configuration
/// costs one pair of triangular solves and one error measure.
///
/// An answer is taken only if it is exact to rounding: its signs hold and its error meets the tolerance, or its error
/// is below 10⁻¹² (and 10⁻⁴ of the tolerance); a neighbouring set that only meets the tolerance is rejected.
///
/// Where several sets hold, the one used last is kept, as an element with hysteresis stays on its branch. A set turns
/// back where det M_FF has another sign than det M_EE of the equalities alone: the answer moves against what drives it,
/// as between the thresholds of a trigger with positive feedback, where no device stays. Such sets are not remembered.
///
/// After a change of M each factor is computed again when its set is tried; with more than 16 rows only for the set
/// used last, since a method that finds a new set then costs less than many factors. An entry of the memory allocates
/// when it is first filled at a larger size than before; nothing else does.
class ActiveSetMemory {
 public:
  /// Decides which answers are accepted, for one problem.
  struct Judge {
    const ProblemOverSets& problem;  ///< of which errorOf is asked
    const BoxView& view;             ///< of the same problem
    ErrorMeasure measure;            ///< of the certificate
    double tolerance;                ///< of the certificate
  };

  /// `capacity`: sets remembered at most.
  explicit ActiveSetMemory(std::size_t capacity);

  /// Sets z and returns true if one of the `most` sets that were used last gives a solution; error() and dual() are
  /// then those of errorOf.
  bool recall(const Judge& judge, Vector& z, std::size_t most);
  /// Remembers the set of a solution z in place of the least recently used one, and makes z exact by it; does nothing
  /// if z has no regular basis, or one that turns back.
  void learn(const Judge& judge, Vector& z);
  /// Whether the set of a solution z with its w turns back.
  bool turnsBack(const Judge& judge, const Vector& z, const Vector& w);

  /// Saves or restores the sets and their order; factors are computed again when needed.
  void serializeState(StateArchive& archive);

  /// Sets tried in the last recall.
  std::size_t tried() const { return tried_; }
  /// Error measure and w of the answer of a recall() that gave one, until the next recall() or learn().
  ///@{
  double error() const { return error_; }
  const Vector& dual() const { return w_; }
  ///@}

 private:
  struct Entry {
    BoxBasis basis;
    std::uint64_t stamp = 0;
    bool regular = false;
    bool factored = false;  // not after restoring
  };

  bool isUsable(const Judge& judge, Entry& entry, bool mayFactor);
  bool factor(const Judge& judge, Entry& entry);
  bool turnsBack(const Judge& judge, const BoxBasis& basis);
  bool solves(const Judge& judge, BoxBasis& basis);
  void promote(std::size_t place);

  std::vector<Entry> entries_;      // never moved: a set is many small arrays
  std::vector<std::size_t> order_;  // the filled ones, the last used first
  std::size_t tried_ = 0;
  double error_ = 0.;
  Vector trial_, w_;
  BoxBasis guessed_;                          // of a solution that is looked at alone
  BoxBasis equalities_;                       // the rows E
  MadeFrom<std::uint64_t> equalitySignFrom_;  // and these
  int equalitySign_ = 1;                      // of det M_EE; 0 where it is singular, and no set turns back
};

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
/// - where there are other bounds, and of larger mixed problems, BlockPivotingSolver from z, then LcpFormSolver; up to
///   `rememberSize` BranchPathSolver from z between them, and what BlockPivotingSolver finds on a set that turns back
///   is taken only where the others find nothing;
/// - where an M_ii is negative, an element of positive feedback, only the set used last is tried before
///   BranchPathSolver from z, and the others come after it: what has several branches leaves one where that ends;
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
  using Methods = std::array<SolverOverSets*, 4>;

  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  Methods methodsFor(const Intervals& intervals, const BoxView* view);
  LcpFormSolver& form();
  Outcome search(const ProblemOverSets& problem, const Intervals& intervals, const BoxView* view, std::size_t tried,
                 Vector& z);

  ActiveSetMemory memory_;
  LemkeSolver lemke_;
  BlockPivotingSolver pivoting_;
  BranchPathSolver path_;
  std::unique_ptr<LcpFormSolver> form_;  // once it was needed
  EnumerationSolver enumeration_;
  Intervals intervals_;
  DenseBox box_;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
