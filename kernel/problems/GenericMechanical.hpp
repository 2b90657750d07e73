// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

namespace delassus {

/// The one-step problem of real mechanisms, w = W λ + q with any mixture of laws: joints (EqualityConditionNSL), limits
/// (NewtonImpactNSL), dry friction in axes (RelayNSL), contacts with Coulomb friction in two and three dimensions
/// (NewtonImpactFrictionNSL) and with rolling resistance (NewtonImpactRollingFrictionNSL).
///
///     GenericMechanical()                            AutomaticMechanicalSolver, to 1e-8
///     GenericMechanical(numerics::NewtonSolver{})    one solver over sets, or several
///
/// Redundant joints, as in closed loops, are solved; their multipliers are then not unique. With joints it is also the
/// fastest problem (docs/joints.md). Contacts alone are solved faster by their own class, FrictionContact or LCP. W is
/// block sparse.
class GenericMechanical final : public LinearOSNS<numerics::GenericMechanicalProblem> {
 public:
  GenericMechanical() = default;
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit GenericMechanical(Solvers... solvers)
      : LinearOSNS(given(std::move(solvers)...)) {}

  std::string_view name() const override { return "GenericMechanical"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.unknowns() == law.size(); }
  std::string_view takenLaws() const override { return "any kind without auxiliary unknowns"; }
};

}  // namespace delassus
