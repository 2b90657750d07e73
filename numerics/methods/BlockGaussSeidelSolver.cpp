// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>

namespace delassus::numerics {

BlockGaussSeidelSolver::BlockGaussSeidelSolver(BlockGaussSeidelOptions options)
    : GaussSeidelSolver("BlockGaussSeidelSolver", options) {
}

// Copies the diagonal blocks; one that is not stored is zero.
void BlockGaussSeidelSolver::prepare(const BlockSparseMatrix& M) {
  if (blocksFrom_.isCurrent(M.stamp())) return;
  blocksFrom_.forget();
  blocks_.resize(M.blockRows());
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const double* const diagonal = M.diagonalBlock(row);
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
  blocksFrom_.take(M.stamp());
}

// If the diagonal is zero, w does not depend on its own z, and z can only be zero.
bool BlockGaussSeidelSolver::solveScalar(double q, double diagonal) {
  local_(0) = diagonal > 0. ? std::max(0., -q / diagonal) : 0.;
  return diagonal > 0. || q >= 0.;
}

// Solves the LCP of a block with the rest of z held, from old_ into local_; false if no solution was found.
bool BlockGaussSeidelSolver::solveRow(const ProblemOverSets& problem, std::size_t row, Vector& z) {
  const BlockSparseMatrix& M = problem.matrix();
  const std::size_t first = M.offset(row);
  const std::size_t size = M.blockSize(row);
  for (Vector* const v : {&old_, &local_}) {
    if (v->size() != size) v->resize(size, false);
  }
  for (std::size_t i = 0; i < size; ++i) {
    old_(i) = local_(i) = z(first + i);
    z(first + i) = 0.;
  }
  LinearComplementarityProblem& block = blocks_[row];
  for (std::size_t i = 0; i < size; ++i) block.q()(i) = problem.q()(first + i) + M.rowDot(row, i, data(z));
  if (size == 1) return solveScalar(block.q()(0), *block.M().block(0));
  return lemke_.solve(block, local_, localW_).converged();
}

BlockGaussSeidelSolver::Start BlockGaussSeidelSolver::begin(const ProblemOverSets& problem, Vector& z) {
  if (!isComplementarity(problem)) return {problem.size(), 0., whyNoComplementarity};
  prepare(problem.matrix());
  if (scales_.size() != z.size()) scales_.resize(z.size(), false);
  problem.matrix().diagonal(data(scales_));
  double energy = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    z(i) = std::max(0., z(i));
    if (!(scales_(i) > 0.)) scales_(i) = 1.;
    energy += problem.q()(i) * problem.q()(i) / scales_(i);
  }
  return {problem.matrix().blockRows(), energy};
}

BlockGaussSeidelSolver::Sweep BlockGaussSeidelSolver::sweep(const ProblemOverSets& problem, Vector& z) {
  const BlockSparseMatrix& M = problem.matrix();
  bool solved = true;
  double energy = 0.;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    solved = solveRow(problem, row, z) && solved;
    for (std::size_t i = 0; i < M.blockSize(row); ++i) {
      const std::size_t k = M.offset(row) + i;
      z(k) = std::max(0., old_(i) + options_.relaxation * (local_(i) - old_(i)));
      energy += scales_(k) * (z(k) - old_(i)) * (z(k) - old_(i));
    }
  }
  return {energy, solved ? "" : "no solution was found for a diagonal block"};
}

}  // namespace delassus::numerics
