// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/problem/EnumerationProof.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

// Tighter than required, since the error of the LCP is relative to other data; enumeration stays affordable.
std::unique_ptr<SolverOverSets> automaticFor(const LcpFormOptions& options) {
  return std::make_unique<AutomaticBoxSolver>(
      AutomaticBoxOptions{.tolerance = std::clamp(0.1 * options.tolerance, 1e-12, 1e-8),
                          .enumerateSize = 12,
                          .maxIterations = options.maxIterations});
}

}  // namespace

LcpFormSolver::LcpFormSolver(LcpFormOptions options, std::unique_ptr<SolverOverSets> inner)
    : WithOptions("LcpFormSolver", options), inner_(std::move(inner)) {
  if (!inner_) inner_ = automaticFor(options);
}

bool LcpFormSolver::prepare(const ProblemOverSets& problem, const BoxView& view) {
  const bool isNew = form_.sort(view);
  if (!isNew && lcpFrom_.isCurrent(problem.stamp())) return isPossible_;
  lcpFrom_.forget();
  if (isNew) lcpFrom_.forgetRestored();
  form_.takeMatrix(view);
  isPossible_ = reduction_.factor(form_.mixed(view));
  const std::uint64_t stamp = lcpFrom_.take(problem.stamp(), reduction_.lcp().stamp());
  if (isPossible_) reduction_.lcp().M().adoptStamp(stamp);
  return isPossible_;
}

double LcpFormSolver::polish(const ProblemOverSets& problem, const BoxView& view, Vector& z) {
  const double error = certifiedError(problem, z);
  if (error <= options_.tolerance) return error;
  basis_.guess(view, z);
  if (!basis_.solve(view, polished_)) return error;
  view.enterBox(polished_);
  const double polishedError = certifiedError(problem, polished_);
  if (!(polishedError < error)) return error;
  assign(polished_, z);
  return polishedError;
}

// The conditions of the equality rows alone.
bool LcpFormSolver::equalitiesContradict(const BoxView& view) const {
  if (!view.isGiven || !reduction_.hasRedundant()) return false;
  LinearConditions conditions(view.M, view.q);
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (view.isFree(i)) conditions.require(i, LinearConditions::Sign::zero);
  }
  return conditions.areContradictory([this] { return timeIsUp(); });
}

// What the LCP has is not proved of the problem: its data are rounded, and a row whose x and w were both set to zero
// was a choice; another choice might have given a solution.
LcpFormSolver::Outcome LcpFormSolver::unsolved(const BoxView& view, const SolveReport& report) const {
  if (equalitiesContradict(view)) {
    return {SolveStatus::infeasible, report.iterations, "equality rows contradict each other"};
  }
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  if (provesUnsolvable(view, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, report.iterations, report.reason};
  }
  return {SolveStatus::numericalFailure, report.iterations,
          "the LCP has no solution, which is not proved of the problem"};
}

LcpFormSolver::Outcome LcpFormSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  if (!prepare(problem, *view)) {
    return {SolveStatus::unsupported, 0, "the equality rows do not determine the free unknowns"};
  }
  form_.takeVectors(*view);
  reduction_.takeVector(form_.mixed(*view));
  const LinearComplementarityProblem& lcp = reduction_.lcp();
  if (!allFinite(lcp.q())) return {SolveStatus::numericalFailure, 0, "the LCP overflows with these bounds"};
  form_.start(*view, z, x_);
  reduction_.start(x_, v_);
  inner_->setTimeLimit(remainingTime());
  const SolveReport report = inner_->solve(lcp, v_, lcpW_);
  observe(report.iterations, report.error);
  reduction_.expand(v_, x_);
  form_.expand(*view, x_, z);
  if (polish(problem, *view, z) <= options_.tolerance) {
    adoptCertificate();
    return {SolveStatus::converged, report.iterations, {}};
  }
  return unsolved(*view, report);
}

void LcpFormSolver::serializeState(StateArchive& archive) {
  lcpFrom_.serializeState(archive, reduction_.lcp().stamp());
  form_.serializeState(archive);
  inner_->serializeState(archive);
}

}  // namespace delassus::numerics
