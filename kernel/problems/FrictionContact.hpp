// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/ContactDimension.hpp>
#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

using numerics::AutomaticFrictionSolver;
using numerics::NonsmoothGaussSeidelOptions;
using numerics::NonsmoothGaussSeidelSolver;

/// The one-step problem of contacts with Coulomb friction in local form, u = W p + q with (u, p) in the law of
/// NewtonImpactFrictionNSL at each contact, all of one dimension.
///
///     FrictionContact(3)                                    AutomaticFrictionSolver, to 1e-8
///     FrictionContact(3, NonsmoothGaussSeidelSolver{})      one solver of the numerics library, or several
///     FrictionContact(3, std::move(chosen))                 those of a vector, for choice at run time: by name from
///                                                           numerics::solversFor<numerics::FrictionContactProblem>()
///
/// Several are tried in turn until one is certified. W is block sparse, or, where many bodies have several contacts
/// each, taken as its factors, which sweeps need only. Joints, limits or relays beside the contacts:
/// GenericMechanical. ([Siconos 2017], 16.1.)
class FrictionContact final : public LinearOSNS<numerics::FrictionContactProblem> {
 public:
  /// Throws Error unless the dimension is 2 or 3.
  explicit FrictionContact(std::size_t dimension = 3);
  /// With the caller's solvers, tried in this order. Throws Error unless the dimension is 2 or 3.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit FrictionContact(std::size_t dimension, Solvers... solvers)
      : FrictionContact(dimension, given(std::move(solvers)...)) {}
  /// Throws Error also if there is no solver, or one is null.
  FrictionContact(std::size_t dimension, Given solvers);

  std::string_view name() const override { return "FrictionContact"; }
  Settings settings() const override { return dimension_.with(LinearOSNS::settings()); }

 private:
  bool takes(const NonSmoothLaw& law) const override { return dimension_.takes(law); }
  std::string_view takenLaws() const override { return dimension_.inWords(); }
  void state(DelassusAssembly& assembly, const StepEquations& equations,
             numerics::FrictionContactProblem& problem) override;

  ContactDimension dimension_;
  // W, in one of both forms.
  std::shared_ptr<numerics::AssembledDelassus> matrix_;
  std::shared_ptr<numerics::FactoredDelassus> factors_;
  bool takesFactors_ = false;
  Vector friction_;
};

}  // namespace delassus
