// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>

namespace delassus::numerics {

/// The problem as if there were no friction: LCP(W_NN, q_N) for the normal reactions, r_T = 0. Its answer is the one of
/// the problem where μ = 0, and otherwise a start for other solvers.
///
/// It also tells unsolvable problems: the direction in which the frictionless problem has no end (normal reactions in
/// balance with each other, against a closing velocity) is tried as a proof by provesInfeasible(), and `infeasible` is
/// said only if it is one. W_NN that is not symmetric positive semidefinite is `unsupported`. Dense.
class FrictionlessSolver final : public FrictionContactSolver {
 public:
  /// `options` are those of the method for the LCP, its tolerance also that of the certificate here. Throws Error
  /// unless the tolerance is positive and finite.
  explicit FrictionlessSolver(LcpActiveSetOptions options = {});

  std::string_view name() const override { return "FrictionlessSolver"; }
  double tolerance() const override { return tolerance_; }

  /// Weights of the normal directions along which the last solve found no end; empty if it ended otherwise.
  const Vector& direction() const { return normal_.ray(); }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W);

  double tolerance_;
  LcpActiveSetSolver normal_;
  LinearComplementarityProblem lcp_;
  Vector z_, w_;
};

}  // namespace delassus::numerics
