// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {

using numerics::AutomaticBoxSolver;
using numerics::DirectSolver;
using numerics::EnumerationSolver;

/// The one-step problem as a mixed linear complementarity problem, w = W λ + q with w_i = 0 on rows of equality and
/// 0 ≤ w_i ⟂ λ_i ≥ 0 on the others, for EqualityConditionNSL, NewtonImpactNSL, ComplementarityConditionNSL,
/// MixedComplementarityConditionNSL and NormalConeNSL, in any number together.
///
///     MLCP()                        AutomaticBoxSolver, to 1e-8
///     MLCP(DirectSolver{})          one solver, or several
///
/// With relays among the laws use Relay. ([Siconos 2017], 9.34 to 9.36.)
class MLCP final : public LinearOSNS<numerics::MixedLinearComplementarityProblem> {
 public:
  MLCP() = default;
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit MLCP(Solvers... solvers) : LinearOSNS(given(std::move(solvers)...)) {}

  std::string_view name() const override { return "MLCP"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.isMixedComplementarity(); }
  std::string_view takenLaws() const override { return "equality, complementarity or a polyhedron"; }
};

}  // namespace delassus
