// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/AdmmIteration.hpp>

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

}  // namespace delassus::numerics
