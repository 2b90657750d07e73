// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
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
  /// Evaluates Φ and J at x and gives the merit ‖Φ‖ in the norm of the certificate; infinity where it is not finite.
  virtual double evaluate(const Problem& problem, const Vector& x) = 0;
  /// The solution of (J + ε R) step = Φ where Φ was evaluated last; false if there is none.
  virtual bool direction(const Problem& problem, double shift, Vector& step) = 0;

  bool lineSearch(const Problem& problem, Vector& x, double& merit);

  std::vector<double> merits_;  // of the last iterations
  Vector step_, trial_;
};

}  // namespace delassus::numerics
