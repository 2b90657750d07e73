// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/DirectSolver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

template <class Problem>
typename DirectSolver<Problem>::Outcome DirectSolver<Problem>::search(const Problem& problem, std::size_t tried,
                                                                      Vector& z) {
  using Verdict = Trials::Verdict;
  hasSearched_ = true;
  Outcome proof;
  assign(z, start_);
  const auto next = [&](std::size_t turn, const SolveReport&, SolveReport& report) {
    AnySolver<Problem>* const solver = method(turn, problem);
    if (solver == nullptr) return Verdict::ended;
    assign(start_, trials_.unknown());
    solver->setMeasure(this->measure());
    solver->setTimeLimit(this->remainingTime());
    report = solver->solve(problem, trials_.unknown(), trials_.dual());
    this->observe(tried + report.iterations, report.error);
    if (report.converged()) return Verdict::accepted;
    // These methods say `infeasible` where they have proved it.
    if (report.status == SolveStatus::infeasible) proof = {report.status, tried + report.iterations, report.reason};
    return report.status == SolveStatus::infeasible || this->timeIsUp() ? Verdict::ended : Verdict::goOn;
  };
  const SolveReport best = trials_.inTurn(std::numeric_limits<std::size_t>::max(), z, next);
  if (proof.status == SolveStatus::infeasible) return proof;
  return {best.status, tried + best.iterations, best.reason};
}

template <class Problem>
typename DirectSolver<Problem>::Outcome DirectSolver<Problem>::compute(const Problem& problem, Vector& z) {
  hasSearched_ = false;
  if (problem.size() > rememberSize_) return search(problem, 0, z);
  const BoxView view = box_.view(problem);
  const typename ActiveSetMemory<Problem>::Judge judge{problem, view, this->measure(), this->tolerance()};
  if (memory_.recall(judge, z)) {
    this->adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const Outcome outcome = search(problem, memory_.tried(), z);
  if (outcome.status == SolveStatus::converged) memory_.learn(judge, z);
  return outcome;
}

template class DirectSolver<LinearComplementarityProblem>;
template class DirectSolver<MixedLinearComplementarityProblem>;
template class DirectSolver<RelayProblem>;

}  // namespace delassus::numerics
