// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>

namespace delassus::numerics {

LcpInteriorPointSolver::LcpInteriorPointSolver(LcpInteriorPointOptions options)
    : WithOptions("LcpInteriorPointSolver", options) {
}

// S M S and S q with S = diag(M)^(−1/2): independent of units.
void LcpInteriorPointSolver::scale(const BoxView& view) {
  const std::size_t n = view.q.size();
  assignZero(scale_, n);
  assignZero(q_, n);
  for (std::size_t i = 0; i < n; ++i) scale_(i) = 1. / std::sqrt(view.scale(i));
  scaleQ_ = 0.;
  for (std::size_t i = 0; i < n; ++i) scaleQ_ = std::max(scaleQ_, std::abs(scale_(i) * view.q(i)));
  if (!(scaleQ_ > 0.)) scaleQ_ = 1.;
  M_.resize(n, n, false);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) M_(i, j) = scale_(i) * view.M(i, j) * scale_(j);
    q_(j) = scale_(j) * view.q(j) / scaleQ_;
  }
  assignZero(x_, n);
  for (double& entry : x_.data()) entry = 1.;
  assignZero(w_, n);
  assignZero(residual_, n);
  assignZero(target_, n);
  assignZero(dx_, n);
  assignZero(dw_, n);
  updateResidual();
  for (std::size_t i = 0; i < n; ++i) w_(i) = std::max(1., residual_(i));
  updateResidual();
}

void LcpInteriorPointSolver::updateResidual() {
  assign(q_, residual_);
  multiply(1., M_, x_, 1., residual_);
  for (std::size_t i = 0; i < x_.size(); ++i) residual_(i) -= w_(i);
}

bool LcpInteriorPointSolver::factor() {
  const std::size_t n = x_.size();
  system_.resize(n, n, false);
  system_.data() = M_.data();
  for (std::size_t i = 0; i < n; ++i) system_(i, i) += w_(i) / x_(i);
  useCholesky_ = symmetric_ && cholesky_.tryFactor(system_);
  return useCholesky_ || lu_.tryFactor(system_);
}

// From the target of the complementarity products.
void LcpInteriorPointSolver::direction() {
  for (std::size_t i = 0; i < x_.size(); ++i) dx_(i) = target_(i) / x_(i) - residual_(i);
  if (useCholesky_) {
    cholesky_.solve(dx_);
  } else {
    lu_.solve(dx_);
  }
  for (std::size_t i = 0; i < x_.size(); ++i) dw_(i) = (target_(i) - w_(i) * dx_(i)) / x_(i);
}

// x and w take the same step: w follows from x here.
double LcpInteriorPointSolver::longestStep() const {
  double step = 1e300;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (dx_(i) < 0.) step = std::min(step, -x_(i) / dx_(i));
    if (dw_(i) < 0.) step = std::min(step, -w_(i) / dw_(i));
  }
  return step;
}

bool LcpInteriorPointSolver::iterate() {
  const std::size_t n = x_.size();
  if (!factor()) return false;
  const double mu = dot(x_, w_) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) target_(i) = -x_(i) * w_(i);
  direction();
  const double predicted = std::min(1., longestStep());
  double affine = 0.;
  for (std::size_t i = 0; i < n; ++i) affine += (x_(i) + predicted * dx_(i)) * (w_(i) + predicted * dw_(i));
  affine /= static_cast<double>(n);
  const double sigma = std::pow(affine / mu, 3.);
  for (std::size_t i = 0; i < n; ++i) target_(i) = sigma * mu - x_(i) * w_(i) - dx_(i) * dw_(i);
  direction();
  // Closer to the boundary near the solution, which makes the final convergence fast.
  const double margin = std::min(0.05, std::max(1e-5, mu));
  const double step = std::min(1., (1. - margin) * longestStep());
  if (!(step > 1e-12) || !allFinite(dx_) || !allFinite(dw_)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    x_(i) += step * dx_(i);
    w_(i) += step * dw_(i);
  }
  updateResidual();
  return true;
}

void LcpInteriorPointSolver::unscale(Vector& z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = scale_(i) * scaleQ_ * x_(i);
}

LcpInteriorPointSolver::Outcome LcpInteriorPointSolver::compute(const ProblemOverSets& problem, Vector& z) {
  if (!isComplementarity(problem)) return {SolveStatus::unsupported, 0, whyNoComplementarity};
  const BoxView view = *dense_.view(problem);
  if (problem.size() == 0) return {SolveStatus::converged, 0, {}};
  symmetric_ = isSymmetric(view.M);
  scale(view);
  finish_.reset();
  constexpr double large = 1e6;
  for (std::size_t iteration = 0; iteration <= options_.maxIterations; ++iteration) {
    unscale(z);
    const double error = certifiedError(problem, z);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (finish_.propose(view, z) && certifiedError(problem, finish_.candidate()) <= options_.tolerance) {
      assign(finish_.candidate(), z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    const bool moved = iterate();
    if (normInf(x_) > large || !moved) {
      unscale(z);
      if (provesInfeasible(problem, z)) {
        return {SolveStatus::infeasible, iteration, "the iterates diverge along a direction that excludes a solution"};
      }
    }
    if (!moved) return {SolveStatus::numericalFailure, iteration, "the step became too short; M may not be monotone"};
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the iteration limit was reached"};
}

}  // namespace delassus::numerics
