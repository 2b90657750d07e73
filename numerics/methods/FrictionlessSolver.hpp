// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// The problem as if there were no friction: LCP(W_NN, q_N) for the normal reactions, r_T = 0. Its answer solves the
/// problem if μ = 0, and otherwise is a start for other solvers.
///
/// It also detects unsolvable problems: the direction in which the frictionless problem is unbounded (normal reactions
/// in balance with each other, against a closing velocity) is checked by provesInfeasible(), and the status is
/// `infeasible` only if it is a proof. W_NN that is not symmetric positive semidefinite is `unsupported`. Dense.
class FrictionlessSolver final : public Solver<FrictionContactProblem> {
 public:
  /// `options` are those of the method for the LCP, its tolerance also that of the certificate here. Throws Error
  /// unless the tolerance is positive and finite.
  explicit FrictionlessSolver(LcpActiveSetOptions options = {});

  std::string_view name() const override { return "FrictionlessSolver"; }
  double tolerance() const override { return tolerance_; }

  /// Weights of the normal directions along which the last problem was unbounded; empty if the solve ended otherwise.
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
