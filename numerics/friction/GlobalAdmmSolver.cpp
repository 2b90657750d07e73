// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t certificateInterval = 10;

}  // namespace

GlobalAdmmSolver::GlobalAdmmSolver(GlobalAdmmOptions options) : options_(options) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)) || options.maxIterations == 0) {
    throw Error("GlobalAdmmSolver", "tolerance and maxIterations must be positive and finite.");
  }
  if (!(options.penalty > 0. && std::isfinite(options.penalty))) {
    throw Error("GlobalAdmmSolver", "the penalty must be positive and finite, got " + toText(options.penalty) + ".");
  }
  if (!(options.relaxation > 0. && options.relaxation < 2.)) {
    throw Error("GlobalAdmmSolver", "the relaxation must be in (0, 2), got " + toText(options.relaxation) + ".");
  }
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

Settings GlobalAdmmSolver::settings() const {
  Settings settings;
  settings.add("tolerance", options_.tolerance);
  settings.add("maxIterations", options_.maxIterations);
  settings.add("penalty", options_.penalty);
  settings.add("relaxation", options_.relaxation);
  settings.add("balanceInterval", options_.balanceInterval);
  return settings;
}

}  // namespace delassus::numerics
