// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NewtonMap.hpp>
#include <delassus/numerics/methods/SemismoothNewtonSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>

namespace delassus::numerics {

/// Options of NewtonSolver.
struct NewtonOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 100, range::positive, "Newton steps, failed ones among them"),
                   (std::size_t, startSweeps, 0, range::notNegative,
                    "sweeps of block Gauss-Seidel before the first step"),
                   (double, proximal, 0., range::fromBelow(0., 1.),
                    "regularisation of the matrix at the start, and the least one after it"),
                   (std::size_t, denseSize, 200, range::notNegative, "rows up to which the systems are dense"),
                   (bool, remember, true, range::any, "replace a start of zeros by the last answer"))

  /// What the method finds a zero of.
  NewtonFunction function = NewtonFunction::naturalMap;

  /// For a problem that has nothing to do with the one before: sweeps first, and nothing is remembered.
  static NewtonOptions afterSweeps() { return {.maxIterations = 200, .startSweeps = 10, .remember = false}; }
  /// The same for contacts: a little of a proximal term, and dense systems up to sixteen contacts.
  static NewtonOptions ofContacts(NewtonFunction function = NewtonFunction::naturalMap) {
    NewtonOptions options = afterSweeps();
    options.proximal = 1e-10;
    options.denseSize = 48;
    options.function = function;
    return options;
  }
};

/// Semismooth Newton method on the functions of all parts at once, F(λ) = 0 with ∂F = A W + B (NewtonMap), see
/// SemismoothNewtonSolver. For equalities and boxes each step solves the linear equations of one guess of which rows
/// are at a bound; from a start with the right guess one step is exact, and near a regular solution with contacts the
/// convergence is quadratic. So a mechanism in smooth motion takes one or two steps from the last λ, which is
/// remembered: it replaces a start of zeros if its error is smaller.
///
/// Where ∂F is singular (redundant rows, hyperstatic contacts) or no step reduces the residual, W is shifted by ε D
/// with ε growing and shrinking by powers of ten, and the steps become those of a proximal point method. It fails, as
/// `numericalFailure`, in minima of ‖F‖ that are no solutions. Dense systems do not allocate in repeated solves; sparse
/// ones do (UMFPACK). (Qi and Sun, Math. Program. 58, 1993; Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92,
/// 1991; Grippo, Lampariello and Lucidi, SIAM J. Numer. Anal. 23, 1986.)
class NewtonSolver final : public SemismoothNewtonSolver<ProblemOverSets, NewtonOptions> {
 public:
  /// Throws Error on options out of range.
  explicit NewtonSolver(NewtonOptions options = {});

  /// By the function: "NewtonSolver" or "AlartCurnierNewtonSolver".
  std::string_view name() const override;
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  double sweep(const ProblemOverSets& problem, double before, Vector& lambda);
  double start(Vector& lambda);
  double evaluate(const ProblemOverSets& problem, const Vector& lambda) override;
  bool direction(const ProblemOverSets& problem, double shift, Vector& step) override;
  void enterIntervals(const ProblemOverSets& problem, Vector& lambda);

  MechanicalGaussSeidelSolver sweeps_;
  NewtonMap map_;
  NewtonSystem system_;
  Vector last_, trial_, dual_;
};

}  // namespace delassus::numerics
