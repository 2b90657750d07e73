// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>

namespace delassus::numerics {

/// Trials of one problem in turn, by several solvers or from several starts, of which the best answer is kept: the loop
/// of FallbackChain, SolversInTurn, DirectSolver and RestartingSolver.
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
  /// Below this relative error of an answer a solution may exist that was missed only because of rounding.
  static constexpr double leastOfProofs = 1e-6;
  /// Whether a report of `infeasible` holds, which is a proof: not where this answer or the best one has an error below
  /// leastOfProofs.
  static bool isProof(const SolveReport& report, const SolveReport& best) {
    return report.status == SolveStatus::infeasible && std::min(report.error, best.error) > leastOfProofs;
  }

  /// The dual that belongs to the best answer.
  const Vector& bestDual() const { return bestIsLast_ ? dual_ : bestDual_; }

  /// Calls `verdict = attempt(k, best, report)`, k = 0, 1, … below `count`, until it does not go on. `best` is the
  /// report of the best answer so far, `report` is to be set, unless there was no trial. Writes the best answer to
  /// `unknown`, which stays if none has a finite error, and gives its report; without an answer, the last one, with an
  /// infinite error.
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
    // What a solver that does not take the problem leaves is no answer.
    const bool isAnswer = report.status != SolveStatus::unsupported;
    const bool isBetter = verdict == Verdict::accepted || (isAnswer && report.error < best.error);
    bestIsLast_ = isBetter && verdict != Verdict::goOn;
    if (isBetter) {
      unknown.swap(trial_);
      // Swapped, both would be allocated in the second solve again.
      if (!bestIsLast_) assign(dual_, bestDual_);
    }
    // Without any answer the last trial that was made explains why.
    const bool isFirst = best.solver.empty() || best.status == SolveStatus::unsupported;
    const bool explains = !isBetter && best.error == none && !report.solver.empty() && (isAnswer || isFirst);
    if (isBetter || explains) best = report;
    if (explains) best.error = none;
  }
  return best;
}

}  // namespace delassus::numerics
