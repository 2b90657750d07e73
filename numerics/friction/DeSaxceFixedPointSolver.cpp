// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/DeSaxceFixedPointSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/FrictionCone.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t balanceInterval = 20;

}  // namespace

DeSaxceFixedPointSolver::DeSaxceFixedPointSolver(DeSaxceFixedPointOptions options)
    : WithOptions("DeSaxceFixedPointSolver", options) {
}

void DeSaxceFixedPointSolver::holdCorrection(const FrictionContactProblem& problem, const Vector& x) {
  const std::size_t d = problem.dimension();
  problem.W().multiply(data(x), data(velocity_));
  addScaled(1., problem.q(), velocity_);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    correction_(contact) = problem.mu()(contact) * tangentNorm(d, data(velocity_) + d * contact);
  }
  admm_.holdCorrection(correction_);
}

bool DeSaxceFixedPointSolver::solveInner(double goal) {
  for (std::size_t k = 0; k < options_.maxInnerIterations && admm_.residual() > goal && !timeIsUp(); ++k) {
    admm_.step(options_.relaxation);
    if (!admm_.balancePenalty(balanceInterval)) return false;
  }
  return true;
}

DeSaxceFixedPointSolver::Outcome DeSaxceFixedPointSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return {SolveStatus::unsupported, 0, "it needs W as a matrix"};
  scaling_.begin(problem, *W);
  if (x_.size() != r.size()) x_.resize(r.size(), false);
  scaling_.toScaled(r, x_);
  if (!admm_.begin(scaling_.problem(), scaling_.matrix(), options_.penalty, x_)) {
    return {SolveStatus::numericalFailure, 0, "W plus the penalty is not positive definite"};
  }
  if (velocity_.size() != r.size()) velocity_.resize(r.size(), false);
  if (correction_.size() != problem.contacts()) correction_.resize(problem.contacts(), false);
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, r);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    holdCorrection(scaling_.problem(), admm_.map().reaction());
    if (!solveInner(std::max(0.1 * error, 0.01 * options_.tolerance))) {
      return {SolveStatus::numericalFailure, iteration, "W plus the penalty is not positive definite"};
    }
    scaling_.toOriginal(admm_.map().reaction(), r);
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
