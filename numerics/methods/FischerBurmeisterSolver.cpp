// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>

namespace delassus::numerics {

FischerBurmeisterSolver::Outcome FischerBurmeisterSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view || !box_.intervals().areMixed()) {
    return {SolveStatus::unsupported, 0, "the multipliers are not all free or bounded by 0 below alone"};
  }
  finish_.reset();
  newton_.start(*view, z);
  for (std::size_t iteration = 0; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, z);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (finish_.propose(*view, z) && certifiedError(problem, finish_.candidate()) <= options_.tolerance) {
      assign(finish_.candidate(), z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!newton_.step(*view, z)) {
      return {SolveStatus::numericalFailure, iteration, "a stationary point of the merit function"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
}

}  // namespace delassus::numerics
