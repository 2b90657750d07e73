// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>

namespace delassus {

using numerics::AutomaticBoxSolver;
using numerics::BlockPivotingSolver;
using numerics::DirectSolver;
using numerics::LcpFormSolver;
using numerics::ProjectedGaussSeidelSolver;

/// The one-step problem on a box, w = W λ + q with −w ∈ N_[l,u](λ), for RelayNSL. Bounds may be infinite, so it accepts
/// all laws without friction together: relays, complementarity, equalities, polyhedra.
///
///     Relay()                         AutomaticBoxSolver, to 1e-8
///     Relay(BlockPivotingSolver{})    one solver, or several
///
/// The matrix is block sparse, and remains so in BlockPivotingSolver. ([Siconos 2017], 9.34.)
class Relay final : public LinearOSNS<numerics::RelayProblem> {
 public:
  Relay() = default;
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit Relay(Solvers... solvers) : LinearOSNS(given(std::move(solvers)...)) {}

  std::string_view name() const override { return "Relay"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.set()->isFree() || law.set()->isBox(); }
  std::string_view takenLaws() const override { return "relay, complementarity, equality or a polyhedron"; }
};

}  // namespace delassus
