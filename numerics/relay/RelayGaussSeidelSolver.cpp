// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>

namespace delassus::numerics {

RelayGaussSeidelSolver::RelayGaussSeidelSolver(RelayGaussSeidelOptions options)
    : WithOptions("RelayGaussSeidelSolver", options) {
}

RelaySolver::Outcome RelayGaussSeidelSolver::compute(const RelayProblem& problem, Vector& z) {
  const BlockSparseMatrix& M = problem.M();
  assignZero(diagonal_, problem.size());
  M.diagonal(data(diagonal_));
  if (std::any_of(diagonal_.begin(), diagonal_.end(), [](double d) { return !(d > 0.); })) {
    return {SolveStatus::unsupported, 0, "a diagonal entry of M is not positive"};
  }
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = std::clamp(z(i), problem.lower()(i), problem.upper()(i));
  for (std::size_t sweep = 1; sweep <= options_.maxIterations; ++sweep) {
    for (std::size_t row = 0; row < M.blockRows(); ++row) {
      for (std::size_t i = 0; i < M.blockSize(row); ++i) {
        const std::size_t k = M.offset(row) + i;
        const double w = problem.q()(k) + M.rowDot(row, i, data(z));
        z(k) = std::clamp(z(k) - options_.relaxation * w / diagonal_(k), problem.lower()(k), problem.upper()(k));
      }
    }
    if (sweep % options_.errorInterval == 0 || sweep == options_.maxIterations) {
      const double error = certifiedError(problem, z);
      observe(sweep, error);
      if (error <= options_.tolerance) return {SolveStatus::converged, sweep, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, sweep, {}};
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the sweep limit was reached"};
}

}  // namespace delassus::numerics
