// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>
#include <limits>

namespace delassus::numerics {

double LinearisingNewtonSolver::evaluate(const VariationalInequality& problem, const Vector& x) {
  assign(x, point_);
  if (!near_.compute(problem, x)) return std::numeric_limits<double>::infinity();
  return map_.evaluate(x);
}

LinearisingNewtonSolver::Outcome LinearisingNewtonSolver::compute(const VariationalInequality& problem, Vector& x) {
  near_.begin(problem);
  // Without the matrix, which is that of the last solve still.
  start_.beginWithoutMatrix(near_.affine());
  start_.project(data(x));
  if (!near_.compute(problem, x)) return {SolveStatus::numericalFailure, 0, "F is not finite at the start"};
  map_.begin(near_.affine());
  assign(x, point_);
  return iterate(problem, x, map_.evaluate(x));
}

VariationalNewtonSolver::VariationalNewtonSolver(VariationalNewtonOptions options)
    : LinearisingNewtonSolver("VariationalNewtonSolver", options), system_(std::numeric_limits<std::size_t>::max()) {
}

bool VariationalNewtonSolver::direction(const VariationalInequality&, double shift, Vector& step) {
  map().fill(affine().matrix(), shift, system_);
  if (!system_.factor()) return false;
  assign(map().value(), step);
  system_.solve(data(step));
  return true;
}

JosephyNewtonSolver::JosephyNewtonSolver(VariationalNewtonOptions options)
    : LinearisingNewtonSolver("JosephyNewtonSolver", options),
      affineSolver_(automaticForSets(std::max(1e-12, 0.01 * options.tolerance))) {
}

bool JosephyNewtonSolver::direction(const VariationalInequality&, double shift, Vector& step) {
  shifted_ = affine();
  BlockSparseMatrix& W = shifted_.W();
  const MechanicalScales& scales = map().scales();
  for (std::size_t part = 0; part < W.blockRows() && shift > 0.; ++part) {
    double* const block = W.block(W.rowBegin(part) + part);
    for (std::size_t i = 0; i < W.blockSize(part); ++i) {
      const std::size_t row = W.offset(part) + i;
      const double added = shift * scales.d[row] / (scales.c[row] * scales.c[row]);
      block[i * (W.blockSize(part) + 1)] += added;
      shifted_.q()(row) -= added * point()(row);
    }
  }
  W.touch();
  assign(point(), answer_);
  affineSolver_->setTimeLimit(remainingTime());
  if (!affineSolver_->solve(shifted_, answer_, dual_).converged()) return false;
  if (step.size() != answer_.size()) step.resize(answer_.size(), false);
  for (std::size_t i = 0; i < step.size(); ++i) step(i) = point()(i) - answer_(i);
  return true;
}

}  // namespace delassus::numerics
