// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/problems/GlobalOSNS.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// The one-step problem of any mixture of laws in global form (GlobalOSNS): joints, limits, dry friction in axes,
/// contacts with Coulomb friction and with rolling resistance, sets of one's own. It is to GenericMechanical what
/// GlobalFrictionContact is to FrictionContact: the same answer, at less cost where systems are large, or where rows
/// are far more than degrees of freedom.
///
///     GlobalMechanical()                           AutomaticGlobalSolver, to 1e-8
///     GlobalMechanical(numerics::AdmmSolver{})     one solver over sets, or several that are tried in turn
class GlobalMechanical final : public GlobalOSNS<numerics::GlobalMechanicalProblem> {
 public:
  GlobalMechanical() = default;
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit GlobalMechanical(Solvers... solvers)
      : GlobalOSNS(given(std::move(solvers)...)) {}

  std::string_view name() const override { return "GlobalMechanical"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.unknowns() == law.size(); }
  std::string_view takenLaws() const override { return "any kind without auxiliary unknowns"; }
  numerics::GlobalMechanicalProblem make(const DelassusAssembly& assembly, std::shared_ptr<const SparseInverse> W,
                                         SparseMatrix G) const override;
};

}  // namespace delassus
