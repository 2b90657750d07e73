// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <vector>

namespace delassus::numerics {

/// The iteration of semismooth Newton methods on an equation Φ(x) = 0 whose zeros are the solutions of a problem: steps
///
///     (J + ε R) Δx = −Φ(x),    J in the generalised Jacobian of Φ,
///
/// with a line search on the merit ‖Φ‖ that compares with the largest of the last few merits (non-monotone, since a
/// step through a kink may raise it). The shift ε rises by powers of ten where the matrix is singular or no step is
/// accepted, and falls again. Derived classes say what Φ, J and R are. Quadratic near solutions where J is regular.
/// (Qi and Sun, Math. Program. 58, 1993; Grippo, Lampariello and Lucidi, SIAM J. Numer. Anal. 23, 1986.)
template <class Problem, class Options>
class SemismoothNewtonSolver : public WithOptions<Solver<Problem>, Options> {
 protected:
  /// That of Solver.
  using Outcome = typename Solver<Problem>::Outcome;
  using SemismoothNewtonSolver::WithOptions::WithOptions;

  /// The iteration from `x`, whose merit is known, with Φ evaluated there. ε does not fall below `leastShift`.
  Outcome iterate(const Problem& problem, Vector& x, double merit, double leastShift = 0.);

 private:
  static constexpr std::size_t remembered = 5;  // merits with which a step is compared
  static constexpr double firstShift = 1e-9;
  static constexpr double largestShift = 1.;

  /// Evaluates Φ and J at x and gives the merit ‖Φ‖ in the norm of the certificate; infinity where it is not finite.
  virtual double evaluate(const Problem& problem, const Vector& x) = 0;
  /// The solution of (J + ε R) step = Φ where Φ was evaluated last; false if there is none.
  virtual bool direction(const Problem& problem, double shift, Vector& step) = 0;

  bool lineSearch(const Problem& problem, Vector& x, double& merit);

  std::vector<double> merits_;  // of the last iterations
  Vector step_, trial_;
};

// Leaves x, its Φ and `merit` unchanged if no step is accepted.
template <class Problem, class Options>
bool SemismoothNewtonSolver<Problem, Options>::lineSearch(const Problem& problem, Vector& x, double& merit) {
  const double reference = *std::max_element(merits_.begin(), merits_.end());
  for (double length = 1.; length > 1e-3; length *= 0.5) {
    assign(x, trial_);
    addScaled(-length, step_, trial_);
    const double tried = evaluate(problem, trial_);
    if (!(tried <= (1. - 1e-4 * length) * reference)) continue;
    assign(trial_, x);
    merit = tried;
    return true;
  }
  merit = evaluate(problem, x);
  return false;
}

template <class Problem, class Options>
typename SemismoothNewtonSolver<Problem, Options>::Outcome SemismoothNewtonSolver<Problem, Options>::iterate(
    const Problem& problem, Vector& x, double merit, double leastShift) {
  const Options& options = this->options_;
  double shift = leastShift;
  merits_.reserve(remembered);
  merits_.assign(1, merit);
  for (std::size_t iteration = 0;; ++iteration) {
    this->observe(iteration, merit);
    if (merit <= 10. * options.tolerance && this->certifiedError(problem, x) <= options.tolerance) {
      this->adoptCertificate();
      return {SolveStatus::converged, iteration, {}};
    }
    if (iteration == options.maxIterations) return {SolveStatus::iterationLimit, iteration, {}};
    if (this->timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!direction(problem, shift, step_) || !allFinite(step_) || !lineSearch(problem, x, merit)) {
      if (shift >= largestShift) return {SolveStatus::numericalFailure, iteration, "no step reduces the residual"};
      shift = std::min(largestShift, std::max(firstShift, 100. * shift));
      continue;
    }
    shift = std::max(leastShift, 0.1 * shift);
    if (merits_.size() == remembered) merits_.erase(merits_.begin());
    merits_.push_back(merit);
  }
}

}  // namespace delassus::numerics
