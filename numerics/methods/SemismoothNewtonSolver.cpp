// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/SemismoothNewtonSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t remembered = 5;  // merits with which a step is compared
constexpr double firstShift = 1e-9;
constexpr double largestShift = 1.;

}  // namespace

// Leaves x, its Φ and `merit` unchanged if no step is accepted.
template <class Problem, class Options>
bool SemismoothNewtonSolver<Problem, Options>::lineSearch(const Problem& problem, Vector& x, double& merit) {
  const double reference = *std::max_element(merits_.begin(), merits_.end());
  for (double length = 1.; length > 1e-3; length *= 0.5) {
    assign(x, trial_);
    addScaled(-length, step_, trial_);
    const double tried = evaluate(problem, trial_);
    if (!(tried <= (1. - 1e-4 * length) * reference)) continue;
    assign(trial_, x);
    merit = tried;
    return true;
  }
  merit = evaluate(problem, x);
  return false;
}

template <class Problem, class Options>
typename SemismoothNewtonSolver<Problem, Options>::Outcome SemismoothNewtonSolver<Problem, Options>::iterate(
    const Problem& problem, Vector& x, double merit, double leastShift) {
  const Options& options = this->options_;
  double shift = leastShift;
  merits_.reserve(remembered);
  merits_.assign(1, merit);
  for (std::size_t iteration = 0;; ++iteration) {
    this->observe(iteration, merit);
    if (merit <= 10. * options.tolerance && this->certifiedError(problem, x) <= options.tolerance) {
      this->adoptCertificate();
      return {SolveStatus::converged, iteration, {}};
    }
    if (iteration == options.maxIterations) return {SolveStatus::iterationLimit, iteration, {}};
    if (this->timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!direction(problem, shift, step_) || !allFinite(step_) || !lineSearch(problem, x, merit)) {
      if (shift >= largestShift) return {SolveStatus::numericalFailure, iteration, "no step reduces the residual"};
      shift = std::min(largestShift, std::max(firstShift, 100. * shift));
      continue;
    }
    shift = std::max(leastShift, 0.1 * shift);
    if (merits_.size() == remembered) merits_.erase(merits_.begin());
    merits_.push_back(merit);
  }
}

template class SemismoothNewtonSolver<ProblemOverSets, NewtonOptions>;
template class SemismoothNewtonSolver<VariationalInequality, VariationalNewtonOptions>;

}  // namespace delassus::numerics
