// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::string_view nameFor(const LinearComplementarityProblem*) {
  return "ProjectedGaussSeidelSolver";
}

constexpr std::string_view nameFor(const RelayProblem*) {
  return "RelayGaussSeidelSolver";
}

double projected(const LinearComplementarityProblem&, std::size_t, double z) {
  return std::max(0., z);
}

double projected(const RelayProblem& problem, std::size_t i, double z) {
  return std::clamp(z, problem.lower()(i), problem.upper()(i));
}

}  // namespace

template <class Problem>
RowwiseGaussSeidelSolver<Problem>::RowwiseGaussSeidelSolver(RowwiseGaussSeidelOptions options)
    : RowwiseGaussSeidelSolver::WithOptions(nameFor(static_cast<const Problem*>(nullptr)), options) {
}

template <class Problem>
std::string_view RowwiseGaussSeidelSolver<Problem>::name() const {
  return nameFor(static_cast<const Problem*>(nullptr));
}

template <class Problem>
typename RowwiseGaussSeidelSolver<Problem>::Outcome RowwiseGaussSeidelSolver<Problem>::compute(const Problem& problem,
                                                                                               Vector& z) {
  const RowwiseGaussSeidelOptions& options = this->options_;
  const BlockSparseMatrix& M = problem.M();
  if (diagonal_.size() != problem.size()) diagonal_.resize(problem.size(), false);
  M.diagonal(data(diagonal_));
  if (std::any_of(diagonal_.begin(), diagonal_.end(), [](double d) { return !(d > 0.); })) {
    return {SolveStatus::unsupported, 0, "a diagonal entry of M is not positive"};
  }
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = projected(problem, i, z(i));
  for (std::size_t sweep = 1; sweep <= options.maxIterations; ++sweep) {
    for (std::size_t row = 0; row < M.blockRows(); ++row) {
      for (std::size_t i = 0; i < M.blockSize(row); ++i) {
        const std::size_t k = M.offset(row) + i;
        const double w = problem.q()(k) + M.rowDot(row, i, data(z));
        z(k) = projected(problem, k, z(k) - options.relaxation * w / diagonal_(k));
      }
    }
    if (sweep % options.errorInterval == 0 || sweep == options.maxIterations) {
      const double error = this->certifiedError(problem, z);
      this->observe(sweep, error);
      if (error <= options.tolerance) return {SolveStatus::converged, sweep, {}};
    }
    if (this->timeIsUp()) return {SolveStatus::timeLimit, sweep, {}};
  }
  return {SolveStatus::iterationLimit, options.maxIterations, "the sweep limit was reached"};
}

template class RowwiseGaussSeidelSolver<LinearComplementarityProblem>;
template class RowwiseGaussSeidelSolver<RelayProblem>;

}  // namespace delassus::numerics
