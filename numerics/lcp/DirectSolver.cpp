// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/DirectSolver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

template <class Problem>
typename DirectSolver<Problem>::Outcome DirectSolver<Problem>::search(const Problem& problem, std::size_t tried,
                                                                      Vector& z) {
  hasSearched_ = true;
  assign(z, start_);
  SolveReport best;
  best.error = std::numeric_limits<double>::infinity();
  best.reason = "no method gives a finite answer";
  for (std::size_t turn = 0; AnySolver<Problem>* const solver = method(turn, problem); ++turn) {
    assign(start_, other_);
    solver->setMeasure(this->measure());
    solver->setTimeLimit(this->remainingTime());
    const SolveReport report = solver->solve(problem, other_, w_);
    this->observe(tried + report.iterations, report.error);
    const bool isProof = report.status == SolveStatus::infeasible;
    if (report.error < best.error || isProof) {
      best = report;
      z.swap(other_);
    }
    if (best.converged() || isProof || this->timeIsUp()) break;
  }
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
