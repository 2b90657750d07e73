// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

namespace delassus::numerics {

void LocalSolves::prepare(const ProblemOverSets& problem) {
  scales_.compute(problem);
  if (factors_.size() < problem.partCount()) factors_.resize(problem.partCount());
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    problem.set(part).prepareLocal(problem.matrix().diagonalBlock(part), problem.rows(part), factors_[part]);
  }
}

void LocalSolves::update(const ProblemOverSets& problem, std::size_t part, double* w, double* lambda) const {
  problem.set(part).solveLocal(scales_.rows(problem, part), problem.matrix().diagonalBlock(part), factors_[part], w,
                               lambda);
}

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

MechanicalGaussSeidelSolver::MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options)
    : GaussSeidelSolver("MechanicalGaussSeidelSolver", options) {
}

MechanicalGaussSeidelSolver::Start MechanicalGaussSeidelSolver::begin(const ProblemOverSets& problem, Vector&) {
  if (!problem.requireMatrix()) return {0, 0., ProblemOverSets::whyNoMatrix};
  // Done each time: the sets of the parts may have changed while W is the same.
  local_.prepare(problem);
  const double norm = local_.scales().velocityNorm(data(problem.q()));
  std::size_t most = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) most = std::max(most, problem.rows(part));
  if (w_.size() < most) {
    w_.resize(most);
    old_.resize(most);
  }
  return {problem.partCount(), norm * norm};
}

// From old_ short of the solution of a part, or beyond it inside its set: equalities and single intervals, for which
// that converges.
void MechanicalGaussSeidelSolver::relax(const ProblemOverSets& problem, std::size_t part, double* own) const {
  const std::size_t rows = problem.rows(part);
  const ConvexSet& set = problem.set(part);
  double least = 0., most = 0.;
  const bool isInterval = rows == 1 && set.intervals(1, problem.lowerOf(part), problem.upperOf(part), &least, &most);
  const bool mayExceed = isInterval || set.isFree();
  const double factor = mayExceed ? options_.relaxation : std::min(1., options_.relaxation);
  for (std::size_t i = 0; i < rows; ++i) own[i] = old_[i] + factor * (own[i] - old_[i]);
  if (isInterval) own[0] = std::clamp(own[0], least, most);
}

MechanicalGaussSeidelSolver::Sweep MechanicalGaussSeidelSolver::sweep(const ProblemOverSets& problem, Vector& lambda) {
  const BlockSparseMatrix& W = problem.matrix();
  const MechanicalScales& scales = local_.scales();
  double squares = 0.;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t rows = problem.rows(part);
    const std::size_t first = problem.offset(part);
    std::copy_n(data(problem.q()) + first, rows, w_.data());
    for (std::size_t k = W.rowBegin(part); k < W.rowEnd(part); ++k) {
      const std::size_t column = W.column(k);
      detail::multiplySmall(1., W.block(k), rows, W.blockSize(column), data(lambda) + W.offset(column), true,
                            w_.data());
    }
    double* const own = data(lambda) + first;
    std::copy_n(own, rows, old_.data());
    local_.update(problem, part, w_.data(), own);
    if (options_.relaxation != 1.) relax(problem, part, own);
    for (std::size_t i = 0; i < rows; ++i) {
      const double change = scales.d[first + i] * (own[i] - old_[i]) / scales.c[first + i];
      squares += change * change * scales.weight[first + i];
    }
  }
  return {squares};
}

}  // namespace delassus::numerics
