// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>

namespace delassus::numerics {

MlcpGaussSeidelSolver::MlcpGaussSeidelSolver(MlcpGaussSeidelOptions options)
    : WithOptions("MlcpGaussSeidelSolver", options) {
}

MlcpSolver::Outcome MlcpGaussSeidelSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  const Matrix& M = problem.M();
  if (stamp_ != problem.stamp()) {
    regular_ = equalities_.factor(M, problem.equalityRows(), problem.freeColumns());
    stamp_ = problem.stamp();
  }
  if (!regular_) return {SolveStatus::unsupported, 0, "the equality block is not square or singular"};
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    if (!(M(problem.complementarityRow(k), problem.complementarityColumn(k)) > 0.)) {
      return {SolveStatus::unsupported, 0, "a diagonal entry of a pair is not positive"};
    }
    z(problem.complementarityColumn(k)) = std::max(0., z(problem.complementarityColumn(k)));
  }
  for (std::size_t sweep = 1; sweep <= options_.maxIterations; ++sweep) {
    for (std::size_t k = 0; k < problem.complementarities(); ++k) {
      const std::size_t row = problem.complementarityRow(k);
      const std::size_t column = problem.complementarityColumn(k);
      double w = problem.q()(row);
      for (std::size_t j = 0; j < z.size(); ++j) w += M(row, j) * z(j);
      z(column) = std::max(0., z(column) - options_.relaxation * w / M(row, column));
    }
    // Last, so that the equality rows hold in the answer.
    equalities_.solve(M, problem.q(), z);
    if (sweep % options_.errorInterval == 0 || sweep == 1 || sweep == options_.maxIterations) {
      const double error = certifiedError(problem, z);
      observe(sweep, error);
      if (error <= options_.tolerance) return {SolveStatus::converged, sweep, {}};
      if (!std::isfinite(error)) return {SolveStatus::numericalFailure, sweep, "the sweeps diverge"};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, sweep, {}};
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the sweep limit was reached"};
}

}  // namespace delassus::numerics
