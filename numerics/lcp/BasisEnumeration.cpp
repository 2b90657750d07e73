// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/BasisEnumeration.hpp>
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

std::size_t pairsOf(const ProblemOverSets& problem) {
  return problem.size();
}

std::size_t pairsOf(const MixedLinearComplementarityProblem& problem) {
  return problem.complementarities();
}

}  // namespace

template <class Problem>
typename BasisEnumeration<Problem>::Outcome BasisEnumeration<Problem>::compute(const Problem& problem, Vector& z) {
  if (pairsOf(problem) > maxPairs_) {
    return {SolveStatus::unsupported, 0, "the problem has more pairs than the options allow"};
  }
  const BoxView view = box_.view(problem);
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  std::size_t tried = 0;
  basis_.first(view);
  do {
    if (!basis_.solve(view, z)) basis_.solveLeastNorm(view, z);
    view.enterBox(z);
    const double error = this->certifiedError(problem, z);
    this->observe(++tried, error);
    if (error <= this->tolerance()) return {SolveStatus::converged, tried, {}};
    if (error < bestError) {
      bestError = error;
      assign(z, best_);
    }
    if (this->timeIsUp()) {
      assign(best_, z);
      return {SolveStatus::timeLimit, tried, {}};
    }
  } while (basis_.next(view));
  assign(best_, z);
  return withoutFit(view, tried);
}

template <class Problem>
typename BasisEnumeration<Problem>::Outcome BasisEnumeration<Problem>::withoutFit(const BoxView& view,
                                                                                  std::size_t tried) const {
  if (provesUnsolvable(view, [this] { return this->timeIsUp(); })) {
    return {SolveStatus::infeasible, tried, "no basis gives a solution"};
  }
  return {SolveStatus::numericalFailure, tried, "no basis gives a solution, but it is not proved that there is none"};
}

template class BasisEnumeration<LinearComplementarityProblem>;
template class BasisEnumeration<MixedLinearComplementarityProblem>;
template class BasisEnumeration<RelayProblem>;

}  // namespace delassus::numerics
