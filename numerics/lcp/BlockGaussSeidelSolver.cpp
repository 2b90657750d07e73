// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>

namespace delassus::numerics {

BlockGaussSeidelSolver::BlockGaussSeidelSolver(BlockGaussSeidelOptions options)
    : WithOptions("BlockGaussSeidelSolver", options) {
}

// Copies the diagonal blocks; one that is not stored is zero.
void BlockGaussSeidelSolver::prepare(const BlockSparseMatrix& M) {
  if (stamp_ == M.stamp()) return;
  blocks_.resize(M.blockRows());
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const double* diagonal = nullptr;
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      if (M.column(k) == row) diagonal = M.block(k);
    }
    const std::size_t size = M.blockSize(row);
    BlockSparseMatrix& block = blocks_[row].M();
    block.clear();
    block.beginRow(size);
    block.addBlock(0);
    block.finish();
    if (diagonal != nullptr) std::copy_n(diagonal, size * size, block.block(0));
    block.touch();
    if (blocks_[row].q().size() != size) blocks_[row].q().resize(size, false);
  }
  stamp_ = M.stamp();
}

bool BlockGaussSeidelSolver::solveRow(const LinearComplementarityProblem& problem, std::size_t row, Vector& z) {
  const BlockSparseMatrix& M = problem.M();
  const std::size_t first = M.offset(row);
  const std::size_t size = M.blockSize(row);
  LinearComplementarityProblem& block = blocks_[row];
  if (size == 1) {
    const double diagonal = *block.M().block(0);
    const double w = problem.q()(first) + M.rowDot(row, 0, data(z));
    if (!(diagonal > 0.)) {
      // If the diagonal is zero, w does not depend on its own z, and z can only be zero.
      const double others = w - diagonal * z(first);
      z(first) = 0.;
      return others >= 0.;
    }
    z(first) = std::max(0., z(first) - w / diagonal);
    return true;
  }
  if (local_.size() != size) local_.resize(size, false);
  for (std::size_t i = 0; i < size; ++i) {
    local_(i) = z(first + i);
    z(first + i) = 0.;
  }
  for (std::size_t i = 0; i < size; ++i) block.q()(i) = problem.q()(first + i) + M.rowDot(row, i, data(z));
  const bool solved = lemke_.solve(block, local_, localW_).converged();
  for (std::size_t i = 0; i < size; ++i) z(first + i) = local_(i);
  return solved;
}

LcpSolver::Outcome BlockGaussSeidelSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const BlockSparseMatrix& M = problem.M();
  prepare(M);
  for (double& entry : z.data()) entry = std::max(0., entry);
  for (std::size_t sweep = 1; sweep <= options_.maxIterations; ++sweep) {
    bool solved = true;
    for (std::size_t row = 0; row < M.blockRows(); ++row) solved = solveRow(problem, row, z) && solved;
    if (sweep % options_.errorInterval == 0 || sweep <= 2 || sweep == options_.maxIterations || !solved) {
      const double error = certifiedError(problem, z);
      observe(sweep, error);
      if (error <= options_.tolerance) return {SolveStatus::converged, sweep, {}};
      if (!solved) return {SolveStatus::numericalFailure, sweep, "no solution was found for a diagonal block"};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, sweep, {}};
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the sweep limit was reached"};
}

}  // namespace delassus::numerics
