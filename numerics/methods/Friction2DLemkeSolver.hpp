// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Exact solver in dimension 2, where Coulomb's cone is polyhedral: Lemke's method on the linear complementarity
/// problem in (r_N, β⁺, β⁻, λ), all ≥ 0, of size 4n,
///
///     u_N = W_NN r_N + W_NT (β⁺ − β⁻) + q_N        ⟂ r_N
///     u_T + λ,  u_T = W_TN r_N + W_TT (β⁺ − β⁻) + q_T  ⟂ β⁺
///     −u_T + λ                                      ⟂ β⁻
///     μ r_N − β⁺ − β⁻                               ⟂ λ
///
/// with r_T = β⁺ − β⁻ and λ the slip, each contact in the unit in which its block of W is about 1. A ray that ends the
/// method proves nothing where μ > 0: `infeasible` is said only if provesInfeasible() confirms its normal part, and
/// `inaccurate` otherwise. Dense: for a few hundred contacts at most. The start r is not used. (Stewart and Trinkle,
/// Int. J. Numer. Methods Eng. 39, 1996; Glocker and Pfeiffer, 1995.)
class Friction2DLemkeSolver final : public Solver<FrictionContactProblem> {
 public:
  /// `options` are those of Lemke's method, its tolerance also that of the certificate here. Throws Error as
  /// LemkeSolver does.
  explicit Friction2DLemkeSolver(LemkeOptions options = {});

  std::string_view name() const override { return "Friction2DLemkeSolver"; }
  double tolerance() const override { return tolerance_; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W);
  bool rayProves(const FrictionContactProblem& problem) const;

  double tolerance_;
  LemkeSolver lemke_;
  LinearComplementarityProblem lcp_;
  std::vector<double> units_;  // of the contacts: W_cc^(−1/2)
  Vector z_, w_;
};

}  // namespace delassus::numerics
