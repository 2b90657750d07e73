// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalNewtonSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t remembered = 5;  // merits with which a step is compared
constexpr double leastShift = 1e-9;
constexpr double largestShift = 1.;

}  // namespace

MechanicalNewtonSolver::MechanicalNewtonSolver(MechanicalNewtonOptions options)
    : WithOptions("MechanicalNewtonSolver", options), system_(options.denseSize) {
  history_.reserve(remembered);
}

// Returns the merit of the chosen start.
double MechanicalNewtonSolver::start(Vector& lambda) {
  const bool isZero = std::all_of(lambda.begin(), lambda.end(), [](double x) { return x == 0.; });
  if (!options_.remember || !isZero || last_.size() != lambda.size()) return map_.evaluate(lambda);
  const double atZero = map_.evaluate(lambda);
  const double atLast = map_.evaluate(last_);
  if (!(atLast < atZero)) return map_.evaluate(lambda);
  assign(last_, lambda);
  return atLast;
}

bool MechanicalNewtonSolver::direction(const GenericMechanicalProblem& problem, double epsilon) {
  if (!system_.factor(problem, map_, epsilon)) return false;
  assign(map_.value(), step_);
  system_.solve(step_);
  return allFinite(step_);
}

// Leaves λ, its F and `merit` unchanged if no step is accepted.
bool MechanicalNewtonSolver::lineSearch(Vector& lambda, double& merit) {
  const double reference = *std::max_element(history_.begin(), history_.end());
  for (double length = 1.; length > 1e-3; length *= 0.5) {
    assign(lambda, trial_);
    addScaled(-length, step_, trial_);
    const double tried = map_.evaluate(trial_);
    if (!(tried <= (1. - 1e-4 * length) * reference)) continue;
    assign(trial_, lambda);
    merit = tried;
    return true;
  }
  merit = map_.evaluate(lambda);
  return false;
}

MechanicalSolver::Outcome MechanicalNewtonSolver::compute(const GenericMechanicalProblem& problem, Vector& lambda) {
  map_.begin(problem);
  double merit = start(lambda);
  double shift = 0.;
  history_.assign(1, merit);
  for (std::size_t iteration = 0;; ++iteration) {
    observe(iteration, merit);
    if (merit <= options_.tolerance && certifiedError(problem, lambda) <= options_.tolerance) {
      assign(lambda, last_);
      return {SolveStatus::converged, iteration, {}};
    }
    if (iteration == options_.maxIterations) return {SolveStatus::iterationLimit, iteration, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!direction(problem, shift) || !lineSearch(lambda, merit)) {
      if (shift >= largestShift) return {SolveStatus::numericalFailure, iteration, "no step reduces the residual"};
      shift = std::min(largestShift, std::max(leastShift, 100. * shift));
      continue;
    }
    shift = shift > leastShift ? 0.1 * shift : shift;
    if (history_.size() == remembered) history_.erase(history_.begin());
    history_.push_back(merit);
  }
}

void MechanicalNewtonSolver::serializeState(StateArchive& archive) {
  archive.value("last", last_);
}

}  // namespace delassus::numerics
