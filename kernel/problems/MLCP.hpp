// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/DerivedStamp.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>

namespace delassus {

using numerics::AutomaticMlcpSolver;
using numerics::MlcpDirectSolver;
using numerics::MlcpEnumerationSolver;

/// The one-step problem as a mixed linear complementarity problem, w = W λ + q with w_i = 0 on rows of equality and
/// 0 ≤ w_i ⟂ λ_i ≥ 0 on the others, for EqualityConditionNSL, NewtonImpactNSL, ComplementarityConditionNSL,
/// MixedComplementarityConditionNSL and NormalConeNSL, in any number together.
///
///     MLCP()                        MlcpDirectSolver (remembered active sets), then AutomaticMlcpSolver
///     MLCP(MlcpDirectSolver{})      one solver, or several
///
/// The matrix is dense here. For large sparse problems, or with relays among them, use Relay, which accepts all of
/// these laws too. ([Siconos 2017], 9.34 to 9.36.)
class MLCP final : public LinearOSNS<numerics::MixedLinearComplementarityProblem> {
 public:
  MLCP();
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit MLCP(Solvers... solvers) : LinearOSNS(Chain(std::move(solvers)...)) {}

  std::string_view name() const override { return "MLCP"; }
  void serializeState(StateArchive& archive) override;

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.isMixedComplementarity(); }
  std::string_view takenLaws() const override { return "equality, complementarity or a polyhedron"; }
  void state(DelassusAssembly& assembly, const StepEquations& equations,
             numerics::MixedLinearComplementarityProblem& problem) override;

  BlockSparseMatrix W_;
  numerics::DerivedStamp problemFrom_;  // stamp of W_
  std::uint64_t made_ = 0;              // stamp of the problem
  Vector lower_, upper_;
};

}  // namespace delassus
