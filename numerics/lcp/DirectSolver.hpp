// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/Trials.hpp>
#include <delassus/numerics/lcp/ActiveSetMemory.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <limits>

namespace delassus::numerics {

/// For time stepping of small problems: remembers the last active sets across calls, each pair at its lower bound, free
/// or at its upper bound, with their LU factors, and tries them first (ActiveSetMemory), so that a step in a known
/// configuration costs one pair of triangular solves and the certificate, about 0.1 µs at n = 4. A new set is found by
/// the methods that a derived class names, tried in turn until an answer is certified or it is proved that there is
/// none; else the best of their answers stays. q and bounds may change with every call. Where a solution is not unique
/// the answer may depend on earlier calls.
template <class Problem>
class DirectSolver : public Solver<Problem> {
 public:
  /// Saves or restores the memory of active sets.
  void serializeState(StateArchive& archive) override { memory_.serializeState(archive); }

 protected:
  /// That of Solver.
  using Outcome = typename Solver<Problem>::Outcome;

  /// `capacity`: active sets remembered at most; of problems with more than `rememberSize` unknowns none is.
  explicit DirectSolver(std::size_t capacity, std::size_t rememberSize = std::numeric_limits<std::size_t>::max())
      : memory_(capacity), rememberSize_(rememberSize) {}

  /// Whether the last solve needed a new set.
  bool hasSearched() const { return hasSearched_; }

 private:
  /// The method to be tried for a new set after `earlier` others; null if there is none left.
  virtual AnySolver<Problem>* method(std::size_t earlier, const Problem& problem) = 0;

  Outcome compute(const Problem& problem, Vector& z) override;
  Outcome search(const Problem& problem, std::size_t tried, Vector& z);

  ActiveSetMemory<Problem> memory_;
  std::size_t rememberSize_;
  bool hasSearched_ = false;
  DenseBox box_;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
