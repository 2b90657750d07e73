// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>

#include <algorithm>

namespace delassus::numerics {

ProjectedGaussSeidelSolver::ProjectedGaussSeidelSolver(ProjectedGaussSeidelOptions options)
    : WithOptions("ProjectedGaussSeidelSolver", options) {
}

LcpSolver::Outcome ProjectedGaussSeidelSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const BlockSparseMatrix& M = problem.M();
  const Vector& q = problem.q();
  if (diagonal_.size() != problem.size()) diagonal_.resize(problem.size(), false);
  M.diagonal(data(diagonal_));
  if (std::any_of(diagonal_.begin(), diagonal_.end(), [](double d) { return !(d > 0.); })) {
    return {SolveStatus::unsupported, 0, "a diagonal entry of M is not positive"};
  }
  for (double& entry : z.data()) entry = std::max(0., entry);
  for (std::size_t sweep = 1; sweep <= options_.maxIterations; ++sweep) {
    for (std::size_t row = 0; row < M.blockRows(); ++row) {
      for (std::size_t i = 0; i < M.blockSize(row); ++i) {
        const std::size_t k = M.offset(row) + i;
        const double w = q(k) + M.rowDot(row, i, data(z));
        z(k) = std::max(0., z(k) - options_.relaxation * w / diagonal_(k));
      }
    }
    const bool due = sweep % options_.errorInterval == 0 || sweep == options_.maxIterations;
    if (due) {
      const double error = certifiedError(problem, z);
      observe(sweep, error);
      if (error <= options_.tolerance) return {SolveStatus::converged, sweep, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, sweep, {}};
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the sweep limit was reached"};
}

}  // namespace delassus::numerics
