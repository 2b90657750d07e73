// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/friction/GlobalAdmmIteration.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactSolver.hpp>

namespace delassus::numerics {

/// Options of GlobalAdmmSolver.
struct GlobalAdmmOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< of the alternating directions
  double penalty = 1.;                ///< start, see GlobalAdmmIteration
  double relaxation = 1.6;            ///< α in (0, 2); 1.5 to 1.8 are usual
  std::size_t balanceInterval = 20;   ///< iterations before the first change of the penalty; 0: it stays

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {
        {"tolerance", &tolerance, range::positive, "for the certificate"},
        {"maxIterations", &maxIterations, range::positive, "of the alternating directions"},
        {"penalty", &penalty, range::positive,
         "start, relative to the mean diagonal of a contact's block of H' diag(M)^-1 H"},
        {"relaxation", &relaxation, range::between(0., 2.), "factor of a step"},
        {"balanceInterval", &balanceInterval, range::notNegative, "iterations before the penalty changes; 0: never"}};
  }
};

/// Alternating direction method of multipliers on the global form, with De Saxcé's correction updated in each
/// iteration, over-relaxation and a penalty that balances the two residuals: see GlobalAdmmIteration. W is never built:
/// one sparse Cholesky factor of M + H R Hᵀ serves the iterations between two changes of the penalty, so that an
/// iteration costs two triangular solves and a few sparse products. Robust on hyperstatic problems; fast to moderate
/// accuracy, then linear. M must be positive definite. Warm starts from x = (v, r). Changes of the penalty and the
/// certificate allocate.
class GlobalAdmmSolver final : public WithOptions<Solver<GlobalFrictionContactProblem>, GlobalAdmmOptions> {
 public:
  /// Throws Error on options out of range.
  explicit GlobalAdmmSolver(GlobalAdmmOptions options = {});

  std::string_view name() const override { return "GlobalAdmmSolver"; }

 private:
  Outcome compute(const GlobalFrictionContactProblem& problem, Vector& x) override;

  GlobalAdmmIteration admm_;
};

}  // namespace delassus::numerics
