// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>

namespace delassus::numerics {

FischerBurmeisterSolver::FischerBurmeisterSolver(FischerBurmeisterOptions options)
    : WithOptions("FischerBurmeisterSolver", options) {
}

LcpSolver::Outcome FischerBurmeisterSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const MixedView view = dense_.view(problem);
  finish_.reset();
  newton_.start(view, z);
  for (std::size_t iteration = 0; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, z);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (finish_.propose(view, z) && certifiedError(problem, finish_.candidate()) <= options_.tolerance) {
      assign(finish_.candidate(), z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!newton_.step(view, z)) {
      return {SolveStatus::numericalFailure, iteration, "a stationary point of the merit function"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
}

}  // namespace delassus::numerics
