// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus {

using numerics::AutomaticRelaySolver;
using numerics::RelayDirectSolver;
using numerics::RelayGaussSeidelSolver;
using numerics::RelayLemkeSolver;
using numerics::RelayPivotingSolver;

/// The one-step problem on a box, w = W λ + q with −w ∈ N_[l,u](λ), for RelayNSL. Bounds may be infinite, so it accepts
/// all laws without friction together: relays, complementarity, equalities, polyhedra.
///
///     Relay()                         RelayDirectSolver (remembered active sets, pivoting), then AutomaticRelaySolver
///     Relay(RelayPivotingSolver{})    one solver, or several
///
/// The matrix is block sparse, and remains so in RelayPivotingSolver. ([Siconos 2017], 9.34.)
class Relay final : public LinearOSNS<numerics::RelayProblem> {
 public:
  Relay();
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit Relay(Solvers... solvers) : LinearOSNS(Chain(std::move(solvers)...)) {}

  std::string_view name() const override { return "Relay"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.set()->isFree() || law.set()->isBox(); }
  std::string_view takenLaws() const override { return "relay, complementarity, equality or a polyhedron"; }
  void state(DelassusAssembly& assembly, const StepEquations& equations, numerics::RelayProblem& problem) override;
};

}  // namespace delassus
