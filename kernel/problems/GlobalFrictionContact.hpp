// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/problems/ContactDimension.hpp>
#include <delassus/kernel/problems/GlobalOSNS.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// The one-step problem of contacts with Coulomb friction in global form (GlobalOSNS). Where systems are large (finite
/// elements), or where there are far more contacts than degrees of freedom, this avoids the dense G W⁻¹ Gᵀ of
/// FrictionContact; the answer is the same.
///
///     GlobalFrictionContact(3)                               AutomaticGlobalSolver, to 1e-8
///     GlobalFrictionContact(3, numerics::AdmmSolver{})       one solver over sets, or several that are tried in turn
///
/// Iteration matrices must be symmetric: with gyroscopic forces take MoreauJeanOSI::semiExplicit, or FrictionContact.
/// Mixtures with joints and limits: GlobalMechanical. ([Siconos 2017], 16.2.)
class GlobalFrictionContact final : public GlobalOSNS<numerics::GlobalFrictionContactProblem> {
 public:
  /// Throws Error unless the dimension is 2 or 3.
  explicit GlobalFrictionContact(std::size_t dimension = 3);
  /// With the caller's solvers, tried in this order. Throws Error unless the dimension is 2 or 3.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit GlobalFrictionContact(std::size_t dimension, Solvers... solvers)
      : GlobalFrictionContact(dimension, given(std::move(solvers)...)) {}

  std::string_view name() const override { return "GlobalFrictionContact"; }
  Settings settings() const override { return dimension_.with(GlobalOSNS::settings()); }

 private:
  GlobalFrictionContact(std::size_t dimension, Given solvers);
  bool takes(const NonSmoothLaw& law) const override { return dimension_.takes(law); }
  std::string_view takenLaws() const override { return dimension_.inWords(); }
  numerics::GlobalFrictionContactProblem make(const DelassusAssembly& assembly, std::shared_ptr<const SparseInverse> W,
                                              SparseMatrix G) const override;

  ContactDimension dimension_;
};

}  // namespace delassus
