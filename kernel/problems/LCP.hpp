// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>

namespace delassus {

using numerics::BlockPivotingSolver;
using numerics::EnumerationSolver;
using numerics::LemkeSolver;
using numerics::ProjectedGaussSeidelSolver;

/// The one-step problem as a linear complementarity problem, 0 ≤ W λ + q ⟂ λ ≥ 0, for laws of complementarity
/// (NewtonImpactNSL, ComplementarityConditionNSL).
///
///     LCP()                                            by the matrix, see below
///     LCP(LemkeSolver{})                               one solver
///     LCP(ProjectedGaussSeidelSolver{}, LemkeSolver{}) the second if the first is not certified
///
/// The default begins with BlockPivotingSolver (sparse, warm started) if the matrix is symmetric, as in mechanics, with
/// DirectSolver (remembered active sets) if it is small and not symmetric, as in most circuits; both are exact. What
/// they cannot solve, such as redundant contacts, and large matrices that are not symmetric go to AutomaticBoxSolver.
class LCP final : public LinearOSNS<numerics::LinearComplementarityProblem> {
 public:
  LCP();
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit LCP(Solvers... solvers) : LinearOSNS(Chain(std::move(solvers)...)) {}

  std::string_view name() const override { return "LCP"; }

 private:
  std::size_t firstMember(const numerics::LinearComplementarityProblem& problem) override;
  bool takes(const NonSmoothLaw& law) const override { return law.isComplementarity(); }
  std::string_view takenLaws() const override { return "complementarity (multiplier >= 0)"; }
  void state(DelassusAssembly& assembly, const StepEquations& equations,
             numerics::LinearComplementarityProblem& problem) override;

  MadeFrom<std::uint64_t> symmetricFrom_;
  bool symmetric_ = false;
};

}  // namespace delassus
