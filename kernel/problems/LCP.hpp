// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

using numerics::BlockPivotingSolver;
using numerics::EnumerationSolver;
using numerics::LemkeSolver;
using numerics::ProjectedGaussSeidelSolver;
using numerics::SolveReport;
using numerics::SolveStatus;

/// The one-step problem as a linear complementarity problem, 0 ≤ W λ + q ⟂ λ ≥ 0, for laws of complementarity
/// (NewtonImpactNSL).
///
///     LCP()                                            BlockPivotingSolver, then LemkeSolver
///     LCP(LemkeSolver{})                               one solver
///     LCP(ProjectedGaussSeidelSolver{}, LemkeSolver{}) the second if the first is not certified
///
/// The default is fast on regular problems of any size (sparse, warm started), exact, and leaves what is singular
/// (redundant contacts) or not symmetric to Lemke.
class LCP final : public OneStepNSProblem {
 public:
  LCP();
  template <std::derived_from<numerics::LcpSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit LCP(Solvers... solvers) {
    (solvers_.push_back(std::make_unique<Solvers>(std::move(solvers))), ...);
  }

  std::string_view name() const override { return "LCP"; }
  void bind(const NonSmoothDynamicalSystem& model) override;
  SolveReport solve(OneStepIntegrator& integrator) override;
  std::size_t size() const override { return assembly_.size(); }
  std::string activeNames() const override { return assembly_.activeNames(); }

  /// The last problem that was assembled, for diagnosis.
  const numerics::LinearComplementarityProblem& problem() const { return problem_; }

 private:
  std::vector<std::unique_ptr<numerics::LcpSolver>> solvers_;
  DelassusAssembly assembly_;
  numerics::LinearComplementarityProblem problem_;
  Vector start_;
  Vector z_;
  Vector best_;
  Vector w_;
};

}  // namespace delassus
