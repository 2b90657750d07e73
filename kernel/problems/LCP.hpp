// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>

namespace delassus {

using numerics::BlockPivotingSolver;
using numerics::EnumerationSolver;
using numerics::LemkeSolver;
using numerics::ProjectedGaussSeidelSolver;

/// The one-step problem as a linear complementarity problem, 0 ≤ W λ + q ⟂ λ ≥ 0, for laws of complementarity
/// (NewtonImpactNSL, ComplementarityConditionNSL).
///
///     LCP()                                            AutomaticBoxSolver, to 1e-8
///     LCP(LemkeSolver{})                               one solver
///     LCP(ProjectedGaussSeidelSolver{}, LemkeSolver{}) the second if the first is not certified
///
/// AutomaticBoxSolver begins with BlockPivotingSolver (sparse, warm started) if the matrix is symmetric, as in
/// mechanics, with DirectSolver (remembered active sets) if it is small and not symmetric, as in most circuits; both
/// are exact. What they cannot solve, such as redundant contacts, and large matrices that are not symmetric go to
/// further methods.
class LCP final : public LinearOSNS<numerics::LinearComplementarityProblem> {
 public:
  LCP() : LinearOSNS(boundedWork()) {}
  /// With solvers of the caller, tried in this order.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit LCP(Solvers... solvers) : LinearOSNS(given(std::move(solvers)...)) {}

  std::string_view name() const override { return "LCP"; }

 private:
  bool takes(const NonSmoothLaw& law) const override { return law.isComplementarity(); }
  std::string_view takenLaws() const override { return "complementarity (multiplier >= 0)"; }

  // All bases of 20 unknowns take minutes, too long for a step.
  static Settings boundedWork() {
    Settings options;
    options.add("enumerateSize", 12);
    return options;
  }
};

}  // namespace delassus
