// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {

/// The default for friction contact problems in global form: solvers in turn, each from the best answer so far, until
/// one is certified.
///
///  - up to 200 contacts: ReductionSolver with AutomaticFrictionSolver (W costs little then), GlobalAlartCurnierSolver,
///    GlobalAdmmSolver;
///  - beyond: GlobalAdmmSolver for up to 500 iterations, GlobalAlartCurnierSolver, ReductionSolver up to 2000 contacts,
///    GlobalAdmmSolver again.
class AutomaticGlobalFrictionSolver final : public FallbackChain<GlobalFrictionContactProblem> {
 public:
  explicit AutomaticGlobalFrictionSolver(double tolerance = 1e-8);

 private:
  void plan(const GlobalFrictionContactProblem& problem, std::vector<std::size_t>& order) override;
  const Vector& startFor(std::size_t index, const Vector& original, const Vector& best) const override;
};

}  // namespace delassus::numerics
