// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/DeSaxceFixedPointSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t balanceInterval = 20;

}  // namespace

DeSaxceFixedPointSolver::DeSaxceFixedPointSolver(DeSaxceFixedPointOptions options)
    : WithOptions("DeSaxceFixedPointSolver", options) {
}

void DeSaxceFixedPointSolver::holdShift(const ProblemOverSets& problem) {
  problem.multiply(data(admm_.map().reaction()), data(velocity_));
  addScaled(1., problem.q(), velocity_);
  assignZero(shift_, velocity_.size());
  admm_.map().sets().addShift(data(velocity_), data(shift_));
  admm_.holdShift(shift_);
}

// At least one step: the error of the shifted problem may be below that of the problem, in which it would stay.
bool DeSaxceFixedPointSolver::solveInner(double goal) {
  for (std::size_t k = 0; k < options_.maxInnerIterations && (k == 0 || admm_.residual() > goal) && !timeIsUp(); ++k) {
    admm_.step(options_.relaxation);
    if (!admm_.balancePenalty(balanceInterval)) return false;
  }
  return true;
}

DeSaxceFixedPointSolver::Outcome DeSaxceFixedPointSolver::compute(const ProblemOverSets& problem, Vector& r) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  if (!admm_.begin(problem, options_.penalty, r)) {
    return {SolveStatus::numericalFailure, 0, "W plus the penalty is not positive definite"};
  }
  if (velocity_.size() != r.size()) velocity_.resize(r.size(), false);
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, r);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    holdShift(problem);
    if (!solveInner(std::max(0.1 * error, 0.01 * options_.tolerance))) {
      return {SolveStatus::numericalFailure, iteration, "W plus the penalty is not positive definite"};
    }
    assign(admm_.map().reaction(), r);
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
