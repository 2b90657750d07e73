// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>

namespace delassus::numerics {

/// Trials of one problem in turn, by several solvers or from several starts, of which the best answer is kept: the loop
/// of FallbackChain, DirectSolver and RestartingSolver, and of the one-step problems of the kernel.
class Trials {
 public:
  /// What a trial says of those that could follow.
  enum class Verdict {
    goOn,      ///< its answer counts if no other has an error so small
    accepted,  ///< its answer is taken
    ended      ///< as goOn, but there is no use in further trials
  };

  /// The unknown of a trial: its start, then its answer.
  Vector& unknown() { return trial_; }
  /// The dual of a trial.
  Vector& dual() { return dual_; }
  /// Of the best answer.
  const Vector& bestDual() const { return bestIsLast_ ? dual_ : bestDual_; }

  /// Calls `verdict = attempt(k, best, report)`, k = 0, 1, … below `count`, until it does not go on. `best` is the
  /// report of the best answer so far, `report` is to be set, unless there was no trial. Writes the best answer to
  /// `unknown`, which stays if none has a finite error, and gives its report; the last one if there is none.
  template <class Attempt>
  SolveReport inTurn(std::size_t count, Vector& unknown, Attempt&& attempt);

 private:
  Vector trial_, dual_, bestDual_;
  bool bestIsLast_ = false;  // of the trials
};

template <class Attempt>
SolveReport Trials::inTurn(std::size_t count, Vector& unknown, Attempt&& attempt) {
  constexpr double none = std::numeric_limits<double>::infinity();
  SolveReport best;
  best.error = none;
  Verdict verdict = Verdict::goOn;
  for (std::size_t k = 0; k < count && verdict == Verdict::goOn; ++k) {
    SolveReport report;
    report.error = none;
    verdict = attempt(k, best, report);
    const bool isBetter = verdict == Verdict::accepted || report.error < best.error;
    bestIsLast_ = isBetter && verdict != Verdict::goOn;
    if (isBetter) {
      unknown.swap(trial_);
      // Swapped, both would be allocated in the second solve again.
      if (!bestIsLast_) assign(dual_, bestDual_);
    }
    // Without any answer the last trial that was made explains why.
    if (isBetter || (best.error == none && !report.solver.empty())) best = report;
  }
  return best;
}

}  // namespace delassus::numerics
