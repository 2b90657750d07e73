// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>

namespace delassus::numerics {
namespace {

bool hasDiagonalBlock(const BlockSparseMatrix& A, std::size_t row) {
  for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
    if (A.column(k) == row) return true;
  }
  return false;
}

// A copy in which every diagonal block is stored.
void copyWithDiagonal(const BlockSparseMatrix& A, BlockSparseMatrix& copy) {
  copy.clear();
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    copy.beginRow(A.blockSize(row));
    bool needed = !hasDiagonalBlock(A, row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      if (needed && A.column(k) > row) {
        copy.addBlock(row);
        needed = false;
      }
      copy.addBlock(A.column(k));
    }
    if (needed) copy.addBlock(row);
  }
  copy.finish();
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    std::size_t to = copy.rowBegin(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k, ++to) {
      if (copy.column(to) != A.column(k)) ++to;
      std::copy_n(A.block(k), A.blockSize(row) * A.blockSize(A.column(k)), copy.block(to));
    }
  }
}

}  // namespace

LcpProximalSolver::LcpProximalSolver(LcpProximalOptions options) : WithOptions("LcpProximalSolver", options) {
}

// M + δ D and δ D for the weight δ.
void LcpProximalSolver::shift(const LinearComplementarityProblem& problem, double weight) {
  if (stamp_ == problem.stamp() && shiftedBy_ == weight) return;
  stamp_ = problem.stamp();
  shiftedBy_ = weight;
  copyWithDiagonal(problem.M(), shifted_.M());
  assignZero(shift_, problem.size());
  problem.M().diagonal(data(shift_));
  for (double& entry : shift_.data()) entry = weight * (entry > 0. ? entry : 1.);
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

// The proximal step from z into next_.
SolveReport LcpProximalSolver::proximalStep(const LinearComplementarityProblem& problem, double weight,
                                            const Vector& z) {
  shift(problem, weight);
  assign(problem.q(), shifted_.q());
  for (std::size_t i = 0; i < z.size(); ++i) shifted_.q()(i) -= shift_(i) * z(i);
  assign(z, next_);
  inner_.setTimeLimit(remainingTime());
  return inner_.solve(shifted_, next_, innerW_);
}

LcpProximalSolver::Outcome LcpProximalSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  constexpr double least = 1e-9;
  constexpr double largest = 1.;
  constexpr double goodRate = 0.2;
  double weight = options_.weight;
  double previous = certifiedError(problem, z);
  for (std::size_t step = 0; step < options_.maxIterations; ++step) {
    observe(step, previous);
    if (previous <= options_.tolerance) return {SolveStatus::converged, step, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, step, {}};
    const SolveReport report = proximalStep(problem, weight, z);
    if (report.status == SolveStatus::unsupported) return {report.status, step, report.reason};
    if (!report.converged()) {
      // The pivots cycled or the factor broke down: increase the weight, if that is still possible.
      if (weight >= largest) return {SolveStatus::numericalFailure, step, "M is not positive semidefinite"};
      weight = std::min(largest, 10. * weight);
      continue;
    }
    z.swap(next_);
    const double error = certifiedError(problem, z);
    if (error > goodRate * previous) weight = std::max(least, 0.1 * weight);
    previous = error;
  }
  const bool solved = previous <= options_.tolerance;
  return {solved ? SolveStatus::converged : SolveStatus::iterationLimit, options_.maxIterations,
          "the step limit was reached"};
}

}  // namespace delassus::numerics
