// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/NewtonMinSolver.hpp>
#include <limits>

namespace delassus::numerics {

NewtonMinSolver::NewtonMinSolver(NewtonMinOptions options) : WithOptions("NewtonMinSolver", options) {
}

// The Newton step from z, into newton_.
bool NewtonMinSolver::newtonPoint(const BoxView& view, const Vector& z) {
  assign(z, newton_);
  return basis_.solve(view, newton_) || proximalPoint(view, z);
}

// The same for M + δ d, q − δ d z: a solution of the problem stays one, and the basis is regular for semidefinite M.
bool NewtonMinSolver::proximalPoint(const BoxView& view, const Vector& z) {
  constexpr double delta = 1e-6;
  shifted_.resize(view.M.size1(), view.M.size2(), false);
  shifted_.data() = view.M.data();
  assign(view.q, shiftedQ_);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double shift = delta * view.scale(i);
    shifted_(i, i) += shift;
    shiftedQ_(i) -= shift * z(i);
  }
  const BoxView shifted{shifted_,      shiftedQ_,        view.equalityRows, view.freeColumns,
                        view.pairRows, view.pairColumns, view.lower,        view.upper};
  assign(z, newton_);
  return basis_.solve(shifted, newton_);
}

// From z towards its Newton point, as far as the error decreases.
bool NewtonMinSolver::dampedStep(const LinearComplementarityProblem& problem, const BoxView& view, double error,
                                 Vector& z) {
  basis_.guess(view, z);
  if (!newtonPoint(view, z)) return false;
  constexpr double shortest = 1e-4;
  constexpr double decrease = 1e-3;
  for (double step = 1.; step > shortest; step *= 0.5) {
    for (std::size_t i = 0; i < z.size(); ++i) z(i) = best_(i) + step * (newton_(i) - best_(i));
    if (certifiedError(problem, z) <= (1. - decrease * step) * error) return true;
  }
  assign(best_, z);
  return false;
}

bool NewtonMinSolver::sweep(const LinearComplementarityProblem& problem, const BoxView& view, double error, Vector& z) {
  constexpr int sweeps = 20;
  const std::size_t n = z.size();
  for (int k = 0; k < sweeps; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      double w = view.q(i);
      for (std::size_t j = 0; j < n; ++j) w += view.M(i, j) * z(j);
      z(i) = std::max(0., z(i) - w / view.scale(i));
    }
  }
  if (certifiedError(problem, z) < 0.999 * error) return true;
  assign(best_, z);
  return false;
}

NewtonMinSolver::Outcome NewtonMinSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const BoxView view = dense_.view(problem);
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  std::size_t patience = options_.patience;
  Outcome outcome{SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
  for (std::size_t iteration = 0; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, z);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (timeIsUp()) {
      outcome = {SolveStatus::timeLimit, iteration, {}};
      break;
    }
    if (error < bestError) {
      bestError = error;
      assign(z, best_);
      patience = options_.patience;
    } else if (patience > 0) {
      --patience;
    } else {
      assign(best_, z);
      patience = options_.patience;
      if (dampedStep(problem, view, bestError, z) || sweep(problem, view, bestError, z)) continue;
      outcome = {SolveStatus::numericalFailure, iteration, "no step reduces the error any more"};
      break;
    }
    basis_.guess(view, z);
    if (!newtonPoint(view, z)) {
      outcome = {SolveStatus::numericalFailure, iteration, "M is singular on an active set"};
      break;
    }
    z.swap(newton_);
  }
  if (bestError < certifiedError(problem, z)) assign(best_, z);
  return outcome;
}

}  // namespace delassus::numerics
