// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpView.hpp>

namespace delassus::numerics {

MlcpFischerBurmeisterSolver::MlcpFischerBurmeisterSolver(MlcpFischerBurmeisterOptions options) : options_(options) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)) || options.maxIterations == 0) {
    throw Error("MlcpFischerBurmeisterSolver", "tolerance and maxIterations must be positive and finite.");
  }
}

MlcpSolver::Outcome MlcpFischerBurmeisterSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  const MixedView view = viewOf(problem);
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

Settings MlcpFischerBurmeisterSolver::settings() const {
  Settings settings;
  settings.add("tolerance", options_.tolerance);
  settings.add("maxIterations", options_.maxIterations);
  return settings;
}

}  // namespace delassus::numerics
