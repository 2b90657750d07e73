// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>

namespace delassus::numerics {

/// The default for friction contact problems in local form: solvers in turn, each from the best answer so far, until
/// one is certified.
///
///  1. NonsmoothGaussSeidelSolver, accelerated, as long as its rate promises to be done within 200 sweeps (10 000 where
///  W is not built);
///  2. AdmmNewtonSolver;
///  3. NaturalMapNewtonSolver, up to 1000 contacts;
///  4. FrictionInteriorPointSolver, up to 5000 contacts;
///  5. NonsmoothGaussSeidelSolver, accelerated, 10 000 sweeps.
///
/// 2 to 5 need W as a matrix.
class AutomaticFrictionSolver final : public FallbackChain<FrictionContactProblem> {
 public:
  explicit AutomaticFrictionSolver(double tolerance = 1e-8);

 private:
  void plan(const FrictionContactProblem& problem, std::vector<std::size_t>& order) override;
  const Vector& startFor(std::size_t index, const Vector& original, const Vector& best) const override;
};

}  // namespace delassus::numerics
