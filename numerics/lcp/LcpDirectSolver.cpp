// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>

namespace delassus::numerics {
namespace {

LemkeOptions pivotsOf(const LcpDirectOptions& options) {
  LemkeOptions pivots;
  pivots.tolerance = options.tolerance;
  pivots.maxPivots = options.maxIterations;
  return pivots;
}

}  // namespace

LcpDirectSolver::LcpDirectSolver(LcpDirectOptions options)
    : WithOptions("LcpDirectSolver", options),
      memory_(options.memory),
      lemke_(pivotsOf(options)),
      enumeration_(EnumerationOptions{options.tolerance, options.enumerateSize}) {
}

SolveReport LcpDirectSolver::findNewSet(const LinearComplementarityProblem& problem, Vector& z) {
  usedLemke_ = true;
  lemke_.setMeasure(measure());
  lemke_.setTimeLimit(remainingTime());
  SolveReport report = lemke_.solve(problem, z, w_);
  observe(memory_.tried() + report.iterations, report.error);
  const bool decided = report.converged() || report.status == SolveStatus::infeasible || timeIsUp();
  if (decided || problem.size() > options_.enumerateSize) return report;
  assign(z, other_);
  enumeration_.setMeasure(measure());
  enumeration_.setTimeLimit(remainingTime());
  const SolveReport second = enumeration_.solve(problem, other_, w_);
  observe(memory_.tried() + second.iterations, second.error);
  if (second.error < report.error || second.status == SolveStatus::infeasible) {
    report = second;
    z.swap(other_);
  }
  return report;
}

LcpDirectSolver::Outcome LcpDirectSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  usedLemke_ = false;
  if (problem.size() > options_.rememberSize) {
    const SolveReport report = findNewSet(problem, z);
    return {report.status, report.iterations, report.reason};
  }
  bounds_.resize(problem.size());
  const BoxView view = box_.view(problem.M(), problem.q(), bounds_.lower(), bounds_.upper());
  const auto judge = ActiveSetMemory<LinearComplementarityProblem>::Judge{problem, view, measure(), options_.tolerance};
  if (memory_.recall(judge, z)) {
    adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const SolveReport report = findNewSet(problem, z);
  if (report.converged()) memory_.learn(judge, z);
  return {report.status, memory_.tried() + report.iterations, report.reason};
}

void LcpDirectSolver::serializeState(StateArchive& archive) {
  memory_.serializeState(archive);
}

}  // namespace delassus::numerics
