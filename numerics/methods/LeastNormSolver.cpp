// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/LeastNormSolver.hpp>

namespace delassus::numerics {

LeastNormSolver::LeastNormSolver(LeastNormOptions options)
    : WithOptions("LeastNormSolver", options),
      form_(LcpFormOptions{options.tolerance}),
      newton_(FischerBurmeisterOptions{options.tolerance}) {
}

bool LeastNormSolver::shorten(const ProblemOverSets& problem, const BoxView& view, Vector& z) {
  basis_.guess(view, z);
  basis_.solveLeastNorm(view, trial_);
  view.enterBox(trial_);
  if (!(certifiedError(problem, trial_) <= options_.tolerance)) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < view.size(); ++i) {
      if (view.isFree(i)) free.push_back(i);
    }
    assign(z, trial_);
    BasisSystem::solveLeastNorm(view.M, view.q, basis_.freeRows(), free, trial_);
    if (!(certifiedError(problem, trial_) <= options_.tolerance)) return false;
  }
  z.swap(trial_);
  return true;
}

LeastNormSolver::Outcome LeastNormSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  assign(z, trial_);
  form_.setMeasure(measure());
  form_.setTimeLimit(remainingTime());
  SolveReport report = form_.solve(problem, z, w_);
  const bool mayTry = box_.intervals().areMixed() && report.status != SolveStatus::infeasible && !timeIsUp();
  if (!report.converged() && mayTry) {
    assign(trial_, z);
    newton_.setMeasure(measure());
    newton_.setTimeLimit(remainingTime());
    report = newton_.solve(problem, z, w_);
  }
  observe(report.iterations, report.error);
  // An answer that just misses the tolerance may also lead to one that meets it.
  if (shorten(problem, *view, z)) return {SolveStatus::converged, report.iterations, {}};
  return {report.status, report.iterations, report.reason};
}

}  // namespace delassus::numerics
