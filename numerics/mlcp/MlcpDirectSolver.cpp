// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpView.hpp>
#include <utility>

namespace delassus::numerics {

MlcpDirectSolver::MlcpDirectSolver(MlcpDirectOptions options)
    : options_(options),
      reduction_(MlcpReductionOptions{options.tolerance}),
      enumeration_(MlcpEnumerationOptions{options.tolerance, options.maxPairs}) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)) || options.memory == 0) {
    throw Error("MlcpDirectSolver", "tolerance and memory must be positive and finite.");
  }
  sets_.reserve(options.memory);
}

bool MlcpDirectSolver::tryRemembered(const MixedLinearComplementarityProblem& problem, std::size_t index, Vector& z) {
  ActiveSet& set = sets_[index];
  const MixedView view = viewOf(problem);
  if (set.basis.active().size() != view.pairs()) return false;
  if (set.stamp != problem.stamp()) {
    set.regular = set.basis.factor(view);
    set.stamp = problem.stamp();
  }
  if (!set.regular) return false;
  set.basis.apply(view, trial_);
  cutNegative(view, trial_);
  if (!(certifiedError(problem, trial_) <= options_.tolerance)) return false;
  z.swap(trial_);
  std::rotate(sets_.begin(), sets_.begin() + static_cast<std::ptrdiff_t>(index),
              sets_.begin() + static_cast<std::ptrdiff_t>(index) + 1);
  return true;
}

// Only what can be tried, and once.
void MlcpDirectSolver::remember(const MixedLinearComplementarityProblem& problem, const Vector& z) {
  const MixedView view = viewOf(problem);
  fresh_.basis.guess(view, z);
  for (const ActiveSet& set : sets_) {
    if (set.basis.active() == fresh_.basis.active()) return;
  }
  fresh_.regular = fresh_.basis.factor(view);
  fresh_.stamp = problem.stamp();
  if (!fresh_.regular) return;
  if (sets_.size() < options_.memory) sets_.emplace_back();
  std::swap(sets_.back(), fresh_);
  std::rotate(sets_.begin(), sets_.end() - 1, sets_.end());
}

MlcpSolver::Outcome MlcpDirectSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  for (std::size_t index = 0; index < sets_.size(); ++index) {
    if (tryRemembered(problem, index, z)) return {SolveStatus::converged, index + 1, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, index + 1, {}};
  }
  const std::size_t tried = sets_.size();
  reduction_.setMeasure(measure());
  reduction_.setTimeLimit(remainingTime());
  SolveReport report = reduction_.solve(problem, z, w_);
  observe(tried + report.iterations, report.error);
  const bool decided = report.converged() || report.status == SolveStatus::infeasible || timeIsUp();
  if (!decided && problem.complementarities() <= options_.maxPairs) {
    const double error = report.error;
    assign(z, trial_);
    enumeration_.setMeasure(measure());
    enumeration_.setTimeLimit(remainingTime());
    report = enumeration_.solve(problem, z, w_);
    observe(tried + report.iterations, report.error);
    if (error < report.error) z.swap(trial_);
  }
  if (report.converged()) remember(problem, z);
  return {report.status, tried + report.iterations, report.reason};
}

}  // namespace delassus::numerics
