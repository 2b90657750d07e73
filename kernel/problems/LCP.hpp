// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>

namespace delassus {

using numerics::BlockPivotingSolver;
using numerics::EnumerationSolver;
using numerics::LemkeSolver;
using numerics::ProjectedGaussSeidelSolver;

/// The one-step problem as a linear complementarity problem, 0 ≤ W λ + q ⟂ λ ≥ 0, for laws of complementarity
/// (NewtonImpactNSL, ComplementarityConditionNSL).
///
///     LCP()                                            BlockPivotingSolver, then AutomaticLcpSolver
///     LCP(LemkeSolver{})                               one solver
///     LCP(ProjectedGaussSeidelSolver{}, LemkeSolver{}) the second if the first is not certified
///
/// The default is fast on regular symmetric problems of any size (sparse, warm started), exact, and leaves what is
/// singular (redundant contacts) or not symmetric (most circuits) to the automatic choice.
class LCP final : public LinearOSNS<numerics::LinearComplementarityProblem> {
 public:
  LCP();
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit LCP(Solvers... solvers) { (add(std::move(solvers)), ...); }

  std::string_view name() const override { return "LCP"; }

 private:
  bool takes(MultiplierSet set) const override { return set == MultiplierSet::nonNegative; }
  std::string_view takenLaws() const override { return "complementarity (multiplier >= 0)"; }
  void state(DelassusAssembly& assembly, const OneStepIntegrator& integrator,
             numerics::LinearComplementarityProblem& problem) override;
};

}  // namespace delassus
