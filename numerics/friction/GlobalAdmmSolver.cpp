// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t certificateInterval = 10;

}  // namespace

GlobalAdmmSolver::GlobalAdmmSolver(GlobalAdmmOptions options) : WithOptions("GlobalAdmmSolver", options) {
}

GlobalAdmmSolver::Outcome GlobalAdmmSolver::compute(const GlobalFrictionContactProblem& problem, Vector& x) {
  // A good start is returned unchanged: a Newton loop around this solver would otherwise keep seeing changes.
  if (certifiedError(problem, x) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  if (!admm_.begin(problem, options_.penalty, x)) {
    return {SolveStatus::numericalFailure, 0, "M plus the penalty is not positive definite"};
  }
  Outcome outcome{SolveStatus::iterationLimit, options_.maxIterations, "the iteration limit was reached"};
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    admm_.step(options_.relaxation);
    observe(iteration, admm_.residual());
    const bool near = admm_.residual() <= options_.tolerance ||
                      (admm_.residual() <= 100. * options_.tolerance && iteration % certificateInterval == 0);
    if (near && certifiedError(problem, admm_.point()) <= options_.tolerance) {
      outcome = {SolveStatus::converged, iteration, {}};
      break;
    }
    if (timeIsUp()) {
      outcome = {SolveStatus::timeLimit, iteration, "the time limit was reached"};
      break;
    }
    if (!admm_.balancePenalty(options_.balanceInterval)) {
      outcome = {SolveStatus::numericalFailure, iteration, "M plus the penalty is not positive definite"};
      break;
    }
  }
  assign(admm_.point(), x);
  return outcome;
}

}  // namespace delassus::numerics
