// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/AdmmIteration.hpp>

namespace delassus::numerics {

/// Options of DeSaxceFixedPointSolver.
struct DeSaxceFixedPointOptions {
  double tolerance = 1e-8;               ///< for the certificate
  std::size_t maxIterations = 1000;      ///< of the fixed point
  std::size_t maxInnerIterations = 500;  ///< of the inner solver, each time
  double penalty = 0.1;                  ///< of the inner solver, see AdmmOptions
  double relaxation = 1.6;               ///< of the inner solver, in (0, 2)

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "of the fixed point"},
            {"maxInnerIterations", &maxInnerIterations, range::positive, "of the inner solver, each time"},
            {"penalty", &penalty, range::positive, "of the inner solver, relative to the diagonal of W"},
            {"relaxation", &relaxation, range::between(0., 2.), "factor of a step of the inner solver"}};
  }
};

/// Fixed point on De Saxcé's shift, s = μ‖u_T‖ e_N of a contact with friction: with s held, the problem is a convex
/// quadratic program on the product of the sets,
///
///     min ½ rᵀW r + (q + s)ᵀr,    r in C,
///
/// which an inner solver (alternating directions, one Cholesky factor) solves to a tenth of the present error;
/// then s is updated. Converges if μ is moderate; each inner problem is convex, so nonconvexity costs outer iterations
/// only. Needs W as a matrix; new penalties require new factorisations, which allocate if W is large. Warm starts from
/// r. (Cadoux, 2009; Acary, Cadoux, Lemaréchal and Malick, Z. Angew. Math. Mech. 91, 2011.)
class DeSaxceFixedPointSolver final : public WithOptions<Solver<ProblemOverSets>, DeSaxceFixedPointOptions> {
 public:
  /// Throws Error on options out of range.
  explicit DeSaxceFixedPointSolver(DeSaxceFixedPointOptions options = {});

  std::string_view name() const override { return "DeSaxceFixedPointSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& r) override;
  void holdShift(const ProblemOverSets& problem);
  bool solveInner(double goal);

  AdmmIteration admm_;
  Vector velocity_, shift_;
};

}  // namespace delassus::numerics
