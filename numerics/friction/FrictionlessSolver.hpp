// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>

namespace delassus::numerics {

/// The problem as if there were no friction: LCP(W_NN, q_N) for the normal reactions, r_T = 0. Its answer is the one of
/// the problem where μ = 0, and otherwise a start for other solvers.
///
/// It also tells unsolvable problems. Whatever the friction, every u_N must be ≥ 0. If some λ ≥ 0 has
///
///     g = Wᵀ(λ, 0),    g_N + μ‖g_T‖ ≤ 0 in each contact,    λᵀ q_N < 0,
///
/// then λᵀu_N = gᵀr + λᵀq_N < 0 for all r in K, and there is no solution. The direction in which the frictionless
/// problem has no end (normal reactions in balance with each other, against a closing velocity) is tried as λ; these
/// conditions are checked on the data, to 1e-9 of their terms, before `infeasible` is said. W_NN that is not symmetric
/// positive semidefinite is `unsupported`. Dense.
class FrictionlessSolver final : public FrictionContactSolver {
 public:
  /// `options` are those of the method for the LCP, its tolerance also that of the certificate here. Throws Error
  /// unless the tolerance is positive and finite.
  explicit FrictionlessSolver(LcpActiveSetOptions options = {});

  std::string_view name() const override { return "FrictionlessSolver"; }
  double tolerance() const override { return tolerance_; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  bool provesInfeasible(const FrictionContactProblem& problem, const Vector& lambda) const;
  void formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W);

  double tolerance_;
  LcpActiveSetSolver normal_;
  LinearComplementarityProblem lcp_;
  Vector z_, w_;
};

}  // namespace delassus::numerics
