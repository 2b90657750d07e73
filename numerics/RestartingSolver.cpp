// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>
#include <delassus/numerics/sets/ProblemOverSets.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {

template <class Problem>
RestartingSolver<Problem>::RestartingSolver(std::unique_ptr<AnySolver<Problem>> method, Draw draw, std::size_t starts)
    : method_(std::move(method)), draw_(draw), starts_(starts) {
  if (!method_ || draw_ == nullptr || starts == 0) {
    throw Error("RestartingSolver", "expected a method, a way to draw starts, and at least one start.");
  }
}

template <class Problem>
typename RestartingSolver<Problem>::Outcome RestartingSolver<Problem>::compute(const Problem& problem,
                                                                               Vector& unknown) {
  std::mt19937_64 generator;
  assignZero(trial_, problem.size());
  method_->setMeasure(this->measure());
  method_->setObserver(this->observer());
  std::size_t iterations = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t start = 0; start < starts_; ++start) {
    draw_(problem, generator, trial_);
    if (!allFinite(trial_)) continue;
    method_->setTimeLimit(this->remainingTime());
    const SolveReport report = method_->solve(problem, trial_, dual_);
    iterations += report.iterations;
    if (report.error < least) {
      least = report.error;
      assign(trial_, unknown);
    }
    if (report.converged()) return {SolveStatus::converged, iterations, {}};
    if (report.status == SolveStatus::unsupported) return {report.status, iterations, report.reason};
    if (this->timeIsUp()) return {SolveStatus::timeLimit, iterations, {}};
  }
  return {SolveStatus::numericalFailure, iterations, "the method finds no solution from any of its random starts"};
}

template <class Problem>
Settings RestartingSolver<Problem>::settings() const {
  Settings settings;
  settings.add("starts", starts_);
  return settings;
}

template class RestartingSolver<LinearComplementarityProblem>;
template class RestartingSolver<FrictionContactProblem>;
template class RestartingSolver<ProblemOverSets>;
template class RestartingSolver<VariationalInequality>;

}  // namespace delassus::numerics
