// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

RelayPivotingOptions exchangesOf(const RelayDirectOptions& options) {
  RelayPivotingOptions exchanges;
  exchanges.tolerance = options.tolerance;
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  return exchanges;
}

}  // namespace

RelayDirectSolver::RelayDirectSolver(RelayDirectOptions options)
    : WithOptions("RelayDirectSolver", options),
      memory_(options.memory),
      pivoting_(exchangesOf(options)),
      lemke_(RelayLemkeOptions{options.tolerance}),
      enumeration_(RelayEnumerationOptions{options.tolerance, options.enumerateSize}) {
}

// Runs one more method, and keeps the better answer; true if there is nothing left to do.
bool RelayDirectSolver::tryMethod(RelaySolver& method, const RelayProblem& problem, SolveReport& best, Vector& z) {
  assign(start_, other_);
  method.setMeasure(measure());
  method.setTimeLimit(remainingTime());
  const SolveReport report = method.solve(problem, other_, w_);
  observe(memory_.tried() + report.iterations, report.error);
  if (report.error < best.error || report.status == SolveStatus::infeasible) {
    best = report;
    assign(other_, z);
  }
  return best.converged() || timeIsUp();
}

SolveReport RelayDirectSolver::findNewSet(const RelayProblem& problem, Vector& z) {
  assign(z, start_);
  SolveReport best;
  best.error = std::numeric_limits<double>::infinity();
  best.reason = "no method gives a finite answer";
  if (tryMethod(pivoting_, problem, best, z) || tryMethod(lemke_, problem, best, z)) return best;
  if (problem.size() <= options_.enumerateSize) tryMethod(enumeration_, problem, best, z);
  return best;
}

RelayDirectSolver::Outcome RelayDirectSolver::compute(const RelayProblem& problem, Vector& z) {
  if (problem.size() > options_.rememberSize) {
    const SolveReport report = findNewSet(problem, z);
    return {report.status, report.iterations, report.reason};
  }
  const BoxView view = box_.view(problem.M(), problem.q(), problem.lower(), problem.upper());
  const auto judge = ActiveSetMemory<RelayProblem>::Judge{problem, view, measure(), options_.tolerance};
  if (memory_.recall(judge, z)) {
    adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const SolveReport report = findNewSet(problem, z);
  if (report.converged()) memory_.learn(judge, z);
  return {report.status, memory_.tried() + report.iterations, report.reason};
}

void RelayDirectSolver::serializeState(StateArchive& archive) {
  memory_.serializeState(archive);
  lemke_.serializeState(archive);
}

}  // namespace delassus::numerics
