// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/methods/AdmmSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr double measured = 100.;  // times the tolerance: residuals below which all steps are measured

}  // namespace

AdmmSolver::AdmmSolver(AdmmOptions options) : WithOptions("AdmmSolver", options) {
}

AdmmSolver::Outcome AdmmSolver::compute(const ProblemOverSets& problem, Vector& r) {
  if (!admm_.takes(problem)) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  // A good start is returned unchanged: a Newton loop around this solver passes the last answer back in each iteration,
  // and would otherwise keep seeing changes as large as the tolerance.
  if (certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  if (!admm_.begin(problem, options_.penalty, r)) {
    return {SolveStatus::numericalFailure, 0, "W plus the penalty is not positive definite"};
  }
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    // Far from the answer every fifth step is measured, where that costs as much as a step.
    const bool isFar = admm_.residual() > measured * options_.tolerance && iteration < options_.maxIterations;
    if (admm_.isProductDear() && isFar && iteration % 5 != 0) {
      admm_.stepUnmeasured(options_.relaxation);
    } else {
      admm_.step(options_.relaxation);
    }
    observe(iteration, admm_.residual());
    if (!std::isfinite(admm_.residual() + admm_.primalResidual() + admm_.dualResidual())) {
      return {SolveStatus::numericalFailure, iteration, "a system with W plus the penalty was not solved"};
    }
    const bool near =
        admm_.residual() <= options_.tolerance || (admm_.residual() <= 10. * options_.tolerance && iteration % 5 == 0);
    const bool last = timeIsUp(problem) || iteration == options_.maxIterations;
    if (near || last) assign(admm_.map().reaction(), r);
    if (near && certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (last && iteration < options_.maxIterations) return {SolveStatus::timeLimit, iteration, {}};
    if (!admm_.balancePenalty(options_.balanceInterval)) {
      assign(admm_.map().reaction(), r);
      return {SolveStatus::numericalFailure, iteration, "W plus the penalty is not positive definite"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
