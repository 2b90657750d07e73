// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/mlcp/MlcpLeastNormSolver.hpp>

namespace delassus::numerics {

MlcpLeastNormSolver::MlcpLeastNormSolver(MlcpLeastNormOptions options)
    : WithOptions("MlcpLeastNormSolver", options),
      reduction_(MlcpReductionOptions{options.tolerance}),
      newton_(MlcpFischerBurmeisterOptions{options.tolerance}) {
}

bool MlcpLeastNormSolver::shorten(const MixedLinearComplementarityProblem& problem, Vector& z) {
  const BoxView view = box_.view(problem);
  basis_.guess(view, z);
  basis_.solveLeastNorm(view, trial_);
  view.enterBox(trial_);
  if (!(certifiedError(problem, trial_) <= options_.tolerance)) {
    assign(z, trial_);
    BasisSystem::solveLeastNorm(view.M, view.q, basis_.rows(), view.freeColumns, trial_);
    if (!(certifiedError(problem, trial_) <= options_.tolerance)) return false;
  }
  z.swap(trial_);
  return true;
}

MlcpLeastNormSolver::Outcome MlcpLeastNormSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  assign(z, trial_);
  reduction_.setMeasure(measure());
  reduction_.setTimeLimit(remainingTime());
  SolveReport report = reduction_.solve(problem, z, w_);
  if (!report.converged() && report.status != SolveStatus::infeasible && !timeIsUp()) {
    assign(trial_, z);
    newton_.setMeasure(measure());
    newton_.setTimeLimit(remainingTime());
    report = newton_.solve(problem, z, w_);
  }
  observe(report.iterations, report.error);
  // An answer that just misses the tolerance may also lead to one that meets it.
  if (shorten(problem, z)) return {SolveStatus::converged, report.iterations, {}};
  return {report.status, report.iterations, report.reason};
}

void MlcpLeastNormSolver::serializeState(StateArchive& archive) {
  reduction_.serializeState(archive);
}

}  // namespace delassus::numerics
