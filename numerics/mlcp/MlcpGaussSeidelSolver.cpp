// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>

namespace delassus::numerics {

MlcpGaussSeidelSolver::MlcpGaussSeidelSolver(MlcpGaussSeidelOptions options)
    : GaussSeidelSolver("MlcpGaussSeidelSolver", options) {
}

// Σ w_k² / M_kk of the pairs where their unknowns are zero and the equality rows hold: the data of the problem that is
// left, which sources in the equality rows alone may drive.
double MlcpGaussSeidelSolver::energyWithoutPairs(const MixedLinearComplementarityProblem& problem) {
  const Matrix& M = problem.M();
  assignZero(atZero_, problem.size());
  equalities_.solve(M, problem.q(), atZero_);
  double energy = 0.;
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    const std::size_t row = problem.complementarityRow(k);
    double w = problem.q()(row);
    for (std::size_t j = 0; j < atZero_.size(); ++j) w += M(row, j) * atZero_(j);
    energy += w * w / M(row, problem.complementarityColumn(k));
  }
  return energy;
}

MlcpGaussSeidelSolver::Start MlcpGaussSeidelSolver::begin(const MixedLinearComplementarityProblem& problem, Vector& z) {
  const Matrix& M = problem.M();
  const std::size_t blocks = problem.complementarities() + 1;
  equalitiesFrom_.renew(problem.stamp(),
                        [&] { regular_ = equalities_.factor(M, problem.equalityRows(), problem.freeColumns()); });
  if (!regular_) return {blocks, 0., "the equality block is not square or singular"};
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    if (!(M(problem.complementarityRow(k), problem.complementarityColumn(k)) > 0.)) {
      return {blocks, 0., "a diagonal entry of a pair is not positive"};
    }
  }
  const double energy = energyWithoutPairs(problem);
  for (const std::size_t column : problem.complementarityColumns()) z(column) = std::max(0., z(column));
  // So that pairs which do not move in a sweep are a fixed point.
  equalities_.solve(M, problem.q(), z);
  return {blocks, energy};
}

MlcpGaussSeidelSolver::Sweep MlcpGaussSeidelSolver::sweep(const MixedLinearComplementarityProblem& problem, Vector& z) {
  const Matrix& M = problem.M();
  double energy = 0.;
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    const std::size_t row = problem.complementarityRow(k);
    const std::size_t column = problem.complementarityColumn(k);
    double w = problem.q()(row);
    for (std::size_t j = 0; j < z.size(); ++j) w += M(row, j) * z(j);
    const double moved = std::max(0., z(column) - options_.relaxation * w / M(row, column));
    energy += M(row, column) * (moved - z(column)) * (moved - z(column));
    z(column) = moved;
  }
  // Last, so that the equality rows hold in the answer.
  equalities_.solve(M, problem.q(), z);
  return {energy};
}

}  // namespace delassus::numerics
