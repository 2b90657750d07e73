// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpView.hpp>

namespace delassus::numerics {

MlcpDirectSolver::MlcpDirectSolver(MlcpDirectOptions options)
    : WithOptions("MlcpDirectSolver", options),
      reduction_(MlcpReductionOptions{options.tolerance}),
      enumeration_(MlcpEnumerationOptions{options.tolerance, options.maxPairs}),
      memory_(options.memory) {
}

SolveReport MlcpDirectSolver::findNewSet(const MixedLinearComplementarityProblem& problem, Vector& z) {
  reduction_.setMeasure(measure());
  reduction_.setTimeLimit(remainingTime());
  SolveReport report = reduction_.solve(problem, z, w_);
  observe(memory_.tried() + report.iterations, report.error);
  const bool decided = report.converged() || report.status == SolveStatus::infeasible || timeIsUp();
  if (decided || problem.complementarities() > options_.maxPairs) return report;
  const double error = report.error;
  assign(z, other_);
  enumeration_.setMeasure(measure());
  enumeration_.setTimeLimit(remainingTime());
  report = enumeration_.solve(problem, z, w_);
  observe(memory_.tried() + report.iterations, report.error);
  if (error < report.error) z.swap(other_);
  return report;
}

MlcpDirectSolver::Outcome MlcpDirectSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  bounds_.resize(problem.complementarities());
  const BoxView view = boxViewOf(problem, bounds_);
  const auto judge =
      ActiveSetMemory<MixedLinearComplementarityProblem>::Judge{problem, view, measure(), options_.tolerance};
  if (memory_.recall(judge, z)) {
    adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const SolveReport report = findNewSet(problem, z);
  if (report.converged()) memory_.learn(judge, z);
  return {report.status, memory_.tried() + report.iterations, report.reason};
}

void MlcpDirectSolver::serializeState(StateArchive& archive) {
  memory_.serializeState(archive);
  reduction_.serializeState(archive);
}

}  // namespace delassus::numerics
