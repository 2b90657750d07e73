// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/methods/FallbackChain.hpp>

namespace delassus::numerics {

/// The default for friction contact problems in global form: solvers in turn until one is certified. Each starts from
/// the given start, since the result of another one can be far from every solution.
///
///  - where M is block diagonal with blocks of at most 12 (bodies that are not joined), where there are at most 50
///    contacts, or at most 200 with no more reactions than degrees of freedom: ReductionSolver with
///    AutomaticFrictionSolver (W costs little then), GlobalAlartCurnierSolver, GlobalAdmmSolver, and up to 50 contacts
///    ReductionSolver again with a local tolerance a hundred times as tight;
///  - otherwise GlobalAdmmSolver for up to 2000 iterations, GlobalAlartCurnierSolver, ReductionSolver up to 2000
///    contacts, GlobalAdmmSolver with ten times as many.
class AutomaticGlobalFrictionSolver final : public FallbackChain<GlobalFrictionContactProblem> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit AutomaticGlobalFrictionSolver(double tolerance = 1e-8);

 private:
  enum Number : std::size_t { reduction, newton, fewDirections, manyDirections, tightReduction };

  void plan(const GlobalFrictionContactProblem& problem, std::vector<std::size_t>& order) override;
  Member make(std::size_t number) override;
  bool proves(std::size_t number, const GlobalFrictionContactProblem& problem, const SolveReport& report) override;

  MadeFrom<std::uint64_t> hasBodiesFrom_;
  bool hasBodies_ = false;
};

}  // namespace delassus::numerics
