// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/methods/ProjectedGaussSeidelSolver.hpp>

namespace delassus::numerics {

ProjectedGaussSeidelSolver::ProjectedGaussSeidelSolver(ProjectedGaussSeidelOptions options)
    : GaussSeidelSolver("ProjectedGaussSeidelSolver", options) {
}

ProjectedGaussSeidelSolver::Start ProjectedGaussSeidelSolver::begin(const ProblemOverSets& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (!intervals_.take(problem)) return {n, 0., Intervals::whyNotTaken};
  if (diagonal_.size() != n) diagonal_.resize(n, false);
  problem.matrix().diagonal(data(diagonal_));
  double energy = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(diagonal_(i) > 0.)) return {n, 0., "a diagonal entry of M is not positive"};
    energy += problem.q()(i) * problem.q()(i) / diagonal_(i);
  }
  for (std::size_t i = 0; i < n; ++i) z(i) = std::clamp(z(i), intervals_.lower()(i), intervals_.upper()(i));
  return {n, energy};
}

ProjectedGaussSeidelSolver::Sweep ProjectedGaussSeidelSolver::sweep(const ProblemOverSets& problem, Vector& z) {
  const BlockSparseMatrix& M = problem.matrix();
  const double* const lower = data(intervals_.lower());
  const double* const upper = data(intervals_.upper());
  double energy = 0.;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t i = 0; i < M.blockSize(row); ++i) {
      const std::size_t k = M.offset(row) + i;
      const double w = problem.q()(k) + M.rowDot(row, i, data(z));
      const double moved = std::clamp(z(k) - options_.relaxation * w / diagonal_(k), lower[k], upper[k]);
      energy += diagonal_(k) * (moved - z(k)) * (moved - z(k));
      z(k) = moved;
    }
  }
  return {energy};
}

}  // namespace delassus::numerics
