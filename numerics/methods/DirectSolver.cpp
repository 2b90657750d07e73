// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/DirectSolver.hpp>

namespace delassus::numerics {
namespace {

BlockPivotingOptions exchangesOf(const DirectOptions& options) {
  BlockPivotingOptions exchanges{.tolerance = options.tolerance};
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  return exchanges;
}

}  // namespace

DirectSolver::DirectSolver(DirectOptions options)
    : WithOptions("DirectSolver", options),
      memory_(options.memory),
      lemke_(LemkeOptions{.tolerance = options.tolerance, .maxPivots = options.maxIterations}),
      pivoting_(exchangesOf(options)),
      enumeration_(EnumerationOptions{options.tolerance, options.enumerateSize}) {
}

LcpFormSolver& DirectSolver::form() {
  if (!form_) form_ = std::make_unique<LcpFormSolver>(LcpFormOptions{options_.tolerance, options_.maxIterations});
  return *form_;
}

// In the order in which they are tried.
DirectSolver::Methods DirectSolver::methodsFor(const Intervals& intervals) {
  SolverOverSets* const last = hasFewBases(intervals, options_.enumerateSize) ? &enumeration_ : nullptr;
  if (intervals.areHalfLines()) return {&lemke_, last, nullptr};
  // Of large problems M may be sparse, and pivoting keeps it so.
  const bool isSmall = intervals.lower().size() <= options_.rememberSize;
  if (isSmall && intervals.areMixed()) return {&form(), last, nullptr};
  return {&pivoting_, &form(), last};
}

DirectSolver::Outcome DirectSolver::search(const ProblemOverSets& problem, const Intervals& intervals,
                                           std::size_t tried, Vector& z) {
  using Verdict = Trials::Verdict;
  const Methods methods = methodsFor(intervals);
  Outcome proof;
  assign(z, start_);
  const auto next = [&](std::size_t turn, const SolveReport&, SolveReport& report) {
    SolverOverSets* const solver = methods[turn];
    if (solver == nullptr) return Verdict::ended;
    assign(start_, trials_.unknown());
    solver->setMeasure(measure());
    solver->setTimeLimit(remainingTime());
    report = solver->solve(problem, trials_.unknown(), trials_.dual());
    observe(tried + report.iterations, report.error);
    if (report.converged()) return Verdict::accepted;
    // These methods say `infeasible` where they have proved it.
    if (report.status == SolveStatus::infeasible) proof = {report.status, tried + report.iterations, report.reason};
    return report.status == SolveStatus::infeasible || timeIsUp() ? Verdict::ended : Verdict::goOn;
  };
  const SolveReport best = trials_.inTurn(methods.size(), z, next);
  if (proof.status == SolveStatus::infeasible) return proof;
  return {best.status, tried + best.iterations, best.reason};
}

DirectSolver::Outcome DirectSolver::compute(const ProblemOverSets& problem, Vector& z) {
  if (problem.size() > options_.rememberSize) {
    if (!intervals_.take(problem)) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
    return search(problem, intervals_, 0, z);
  }
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  const ActiveSetMemory::Judge judge{problem, *view, measure(), tolerance()};
  if (memory_.recall(judge, z)) {
    adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const Outcome outcome = search(problem, box_.intervals(), memory_.tried(), z);
  if (outcome.status == SolveStatus::converged) memory_.learn(judge, z);
  return outcome;
}

void DirectSolver::serializeState(StateArchive& archive) {
  memory_.serializeState(archive);
  bool isMade = form_ != nullptr;
  archive.value("isMade", isMade);
  if (archive.restores()) form_.reset();
  if (isMade) form().serializeState(archive);
}

}  // namespace delassus::numerics
