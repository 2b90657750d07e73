// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>

namespace delassus::numerics {

/// The problem as if there were no friction: LCP(W_NN, q_N) for the normal reactions, r_T = 0. Its answer is the one of
/// the problem where μ = 0, and otherwise a start for other solvers.
///
/// It also tells unsolvable problems: where W is symmetric positive semidefinite and a λ ≥ 0 has W (λ, 0) = 0 and λᵀq_N
/// < 0, no reactions at all, with or without friction, keep every u_N ≥ 0, since λᵀu_N = λᵀq_N whatever r. That λ is
/// the proof that the LCP has no solution (Farkas), so `infeasible` from here holds for the friction problem.
class FrictionlessSolver final : public FrictionContactSolver {
 public:
  explicit FrictionlessSolver(AutomaticLcpOptions options = {});

  std::string_view name() const override { return "FrictionlessSolver"; }
  double tolerance() const override { return tolerance_; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W);

  double tolerance_;
  AutomaticLcpSolver normal_;
  LinearComplementarityProblem lcp_;
  Vector z_, w_;
};

}  // namespace delassus::numerics
