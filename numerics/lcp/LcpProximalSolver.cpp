// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>

namespace delassus::numerics {

LcpProximalSolver::LcpProximalSolver(LcpProximalOptions options) : options_(options) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)) || options.maxIterations == 0 ||
      !(options.weight > 0. && std::isfinite(options.weight))) {
    throw Error("LcpProximalSolver", "tolerance, maxIterations and weight must be positive and finite.");
  }
}

void LcpProximalSolver::shift(const LinearComplementarityProblem& problem) {
  if (stamp_ == problem.stamp()) return;
  stamp_ = problem.stamp();
  shifted_.M() = problem.M();
  assignZero(shift_, problem.size());
  problem.M().diagonal(data(shift_));
  for (double& entry : shift_.data()) entry = options_.weight * (entry > 0. ? entry : 1.);
  BlockSparseMatrix& M = shifted_.M();
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      if (M.column(k) != row) continue;
      double* const diagonal = M.block(k);
      for (std::size_t i = 0; i < M.blockSize(row); ++i) {
        diagonal[i * (M.blockSize(row) + 1)] += shift_(M.offset(row) + i);
      }
    }
  }
  M.touch();
}

LcpSolver::Outcome LcpProximalSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  shift(problem);
  assign(problem.q(), shifted_.q());
  for (std::size_t step = 0; step <= options_.maxIterations; ++step) {
    const double error = certifiedError(problem, z);
    observe(step, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, step, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, step, {}};
    for (std::size_t i = 0; i < z.size(); ++i) shifted_.q()(i) = problem.q()(i) - shift_(i) * z(i);
    inner_.setTimeLimit(remainingTime());
    const SolveReport report = inner_.solve(shifted_, z, innerW_);
    if (report.status == SolveStatus::unsupported || report.status == SolveStatus::numericalFailure) {
      return {report.status, step, "M is not symmetric positive semidefinite"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
}

}  // namespace delassus::numerics
