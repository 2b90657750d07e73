// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/AdmmIteration.hpp>
#include <delassus/numerics/methods/NewtonSystem.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>

namespace delassus::numerics {

/// Options of AdmmSolver.
struct AdmmOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 10000, range::positive, "of the alternating directions"),
                   (double, penalty, 0.1, range::positive,
                    "start, relative to the scale that the diagonal of W gives each part"),
                   (double, relaxation, 1.6, range::between(0., 2.), "factor of a step; 1.5 to 1.8 are usual"),
                   (std::size_t, balanceInterval, 20, range::notNegative,
                    "iterations before the penalty changes; 0: never"))
};

/// Alternating direction method of multipliers for all sets, with De Saxcé's shift (of contacts with friction) updated
/// in each iteration, over-relaxation and a penalty that balances the primal and the dual residual: see AdmmIteration.
/// One Cholesky factor of W + R serves the iterations between two changes of the penalty. Robust on redundant rows and
/// hyperstatic contacts (any symmetric positive semidefinite W); fast to moderate accuracy, then linear. Needs the
/// matrix W, or its factors (GlobalMechanicalProblem), or a problem that solves with W + R by itself
/// (distributed::DistributedDelassus). New penalties require
/// new factorisations, which allocate if W is large. Warm starts from r.
class AdmmSolver final : public WithOptions<Solver<ProblemOverSets>, AdmmOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AdmmSolver(AdmmOptions options = {});

  std::string_view name() const override { return "AdmmSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& r) override;

  AdmmIteration admm_;
};

/// Options of AdmmNewtonSolver.
struct AdmmNewtonOptions {
  DELASSUS_OPTIONS(
      (double, tolerance, 1e-8, range::positive, "for the certificate"),
      (std::size_t, maxIterations, 3000, range::positive, "alternating directions and Newton steps together"),
      (double, penalty, 0.1, range::positive, "start, relative to the scale that the diagonal of W gives each part"),
      (double, relaxation, 1.6, range::between(0., 2.), "factor of a step"),
      (std::size_t, balanceInterval, 20, range::notNegative, "iterations before the penalty changes; 0: never"),
      (std::size_t, firstPhase, 20, range::positive,
       "alternating directions before Newton's method is tried; then 2, 4, 8 ... times as many"))
};

/// Semismooth Newton's method on the normal map, started and, after failures, restarted by alternating directions,
/// which move the same variable a (see NormalMap and AdmmIteration). The Newton step solves
///
///     ( W D + (1 − ∂s/∂w) R (1 − D) + ε R D ) Δa = −F(a),
///
/// D in ∂P_C(a), s De Saxcé's shift at w = R (y − a). The proximal term ε R D makes it regular on hyperstatic problems
/// without moving the solution; ε falls while steps succeed and rises when a line search on ‖F‖ fails; phases start
/// from different ε, since no one value suits all problems. A phase of Newton's method ends when it converges or fails
/// three times in a row; alternating directions continue from its best point.
///
/// Converges quadratically near a solution, so 10⁻¹² costs little more than 10⁻⁸. Takes all sets. Needs the matrix W,
/// or its factors: a problem in global form is solved in velocities and multipliers, and W is never made. The
/// factorisation is sparse, or dense if W is small. Sparse factorisations allocate. Warm starts from r. (Semismooth
/// Newton on normal maps: Facchinei and Pang, 2003, chapter 9; friction: Alart and Curnier, 1991.)
class AdmmNewtonSolver final : public WithOptions<Solver<ProblemOverSets>, AdmmNewtonOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AdmmNewtonSolver(AdmmNewtonOptions options = {});

  std::string_view name() const override { return "AdmmNewtonSolver"; }

 private:
  enum class Phase { converged, ended };

  Outcome compute(const ProblemOverSets& problem, Vector& r) override;
  bool isSolved(const ProblemOverSets& problem);
  void fillSystem(const ProblemOverSets& problem, double proximal);
  void fillPart(const ProblemOverSets& problem, std::size_t part, double proximal);
  Phase newtonPhase(const ProblemOverSets& problem, double proximal);
  bool newtonDirection(const ProblemOverSets& problem, double proximal);
  double lineSearch();
  bool newtonPays(double residualBefore, std::size_t steps) const;

  AdmmIteration admm_;
  NewtonSystem system_;
  double phaseCost_ = 0.;  // of a phase of Newton's method, in alternating directions
  Vector direction_, origin_, trial_;
  std::vector<double> gradient_;  // of the shift of one part
  std::size_t iterations_ = 0;
};

}  // namespace delassus::numerics
