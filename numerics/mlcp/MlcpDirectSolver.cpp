// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpView.hpp>

namespace delassus::numerics {

MlcpDirectSolver::MlcpDirectSolver(MlcpDirectOptions options)
    : options_(options),
      reduction_(MlcpReductionOptions{options.tolerance}),
      enumeration_(MlcpEnumerationOptions{options.tolerance, options.maxPairs}),
      memory_(options.memory) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)) || options.memory == 0) {
    throw Error("MlcpDirectSolver", "tolerance and memory must be positive and finite.");
  }
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

MlcpSolver::Outcome MlcpDirectSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
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

Settings MlcpDirectSolver::settings() const {
  Settings settings;
  settings.add("tolerance", options_.tolerance);
  settings.add("memory", options_.memory);
  settings.add("maxPairs", options_.maxPairs);
  return settings;
}

}  // namespace delassus::numerics
