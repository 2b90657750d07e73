// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>

#include <algorithm>
#include <array>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

// Starts of ε: nearly none for problems of full rank, more where the null space is blurred by rounding of the data.
constexpr std::array<double, 5> globalStarts = {1e-8, 1e-4, 1e-10, 1e-2, 1e-6};
constexpr double leastEpsilon = 1e-11;
constexpr std::size_t stepsOfAPhase = 30;
constexpr std::size_t failedSearches = 4;  // line searches that fail in a row
constexpr double penalty = 1.;
constexpr double relaxation = 1.6;
constexpr std::size_t penaltyInterval = 20;

}  // namespace

GlobalAlartCurnierSolver::GlobalAlartCurnierSolver(GlobalAlartCurnierOptions options)
    : WithOptions("GlobalAlartCurnierSolver", options) {
}

// Moves along step_ from x; returns ‖Ψ‖ there, or `before` (without moving) if it does not fall.
double GlobalAlartCurnierSolver::lineSearch(Vector& x, double before) {
  for (double length = 1.; length > 0.02; length *= 0.5) {
    assign(x, trial_);
    addScaled(length, step_, trial_);
    const double reached = system_.evaluate(trial_);
    if (!(reached < (1. - 0.1 * length) * before)) continue;
    assign(trial_, x);
    return reached;
  }
  system_.evaluate(x);
  return before;
}

bool GlobalAlartCurnierSolver::newtonPhase(const GlobalFrictionContactProblem& problem, double proximal, Vector& x) {
  system_.rescale(x);
  double residual = system_.evaluate(x);
  std::size_t failures = 0;
  for (std::size_t k = 0; k < stepsOfAPhase && failures < failedSearches && iterations_ < options_.maxIterations; ++k) {
    if (timeIsUp()) return false;
    observe(++iterations_, residual);
    const double before = residual;
    if (system_.newtonStep(x, proximal, step_)) residual = lineSearch(x, before);
    if (residual < before) {
      failures = 0;
      if (residual < 0.1 * before) proximal = std::max(leastEpsilon, 0.03 * proximal);
      if (residual < 10. * options_.tolerance && certifiedError(problem, x) <= options_.tolerance) return true;
    } else {
      ++failures;
      proximal = std::min(30. * proximal, 1.);
    }
  }
  return false;
}

GlobalAlartCurnierSolver::Outcome GlobalAlartCurnierSolver::compute(const GlobalFrictionContactProblem& problem,
                                                                    Vector& x) {
  if (certifiedError(problem, x) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  if (!admm_.begin(problem, penalty, x)) {
    return {SolveStatus::numericalFailure, 0, "M plus the penalty is not positive definite"};
  }
  system_.begin(problem);
  iterations_ = 0;
  std::size_t directions = options_.firstPhase;
  double least = std::numeric_limits<double>::infinity();
  const auto keepBest = [&](const Vector& candidate) {
    const double error = certifiedError(problem, candidate);
    if (!(error < least)) return;
    least = error;
    assign(candidate, x);
  };
  for (std::size_t phase = 0; iterations_ < options_.maxIterations; ++phase, directions *= 2) {
    for (std::size_t k = 0; k < directions && iterations_ < options_.maxIterations && !timeIsUp(); ++k) {
      admm_.step(relaxation);
      observe(++iterations_, admm_.residual());
      if (admm_.residual() <= options_.tolerance) break;
      if (!admm_.balancePenalty(penaltyInterval)) {
        return {SolveStatus::numericalFailure, iterations_, "M plus the penalty is not positive definite"};
      }
    }
    assign(admm_.point(), point_);
    keepBest(point_);
    if (least > options_.tolerance) {
      newtonPhase(problem, globalStarts[phase % globalStarts.size()], point_);
      keepBest(point_);
    }
    if (least <= options_.tolerance) return {SolveStatus::converged, iterations_, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, iterations_, "the time limit was reached"};
  }
  return {SolveStatus::iterationLimit, iterations_, "the iteration limit was reached"};
}

}  // namespace delassus::numerics
