// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionNormalMap.hpp>
#include <delassus/numerics/friction/PenalisedDelassus.hpp>
#include <vector>

namespace delassus::numerics {

/// The iteration of the alternating direction method of multipliers on r = y, r minimising ½ rᵀW r + (q + s)ᵀr, y in K,
/// with De Saxcé's s = μ‖û_T‖ e_N updated in each iteration, in the variable a of the normal map F:
///
///     r := y − α (W + R)⁻¹ F(a),    a := r − λ/R.
///
/// α in (0, 2) is the relaxation, R_c the penalty factor times the mean diagonal of the contact's block of W. Written
/// with F, the iteration has the solution as its fixed point even if the factored W differs slightly from that of the
/// problem (unsymmetric in its last digits). (Boyd et al., Found. Trends Mach. Learn. 3, 2011; Tasora et al., 2021;
/// Carpentier et al., 2024.)
class AdmmIteration {
 public:
  /// Sets the problem and starts from the reaction r. False if W + R has no Cholesky factor.
  bool begin(const FrictionContactProblem& problem, const BlockSparseMatrix& W, double penaltyFactor, const Vector& r);

  /// Holds De Saxcé's correction, see FrictionNormalMap; stays at the present point.
  void holdCorrection(const Vector& correction);

  /// One iteration.
  void step(double relaxation);

  /// Moves to another point, or another penalty at the same reaction and velocity (false if there is no factor).
  ///@{
  void moveTo(const Vector& a);
  bool setPenaltyFactor(double factor);
  ///@}
  /// To be called after each step: every `interval` iterations at first, then less and less often, changes the penalty
  /// by the ratio of primal and dual residual if they differ by more than a factor of 5. False if there is no factor.
  bool balancePenalty(std::size_t interval);

  /// a, where the iteration is.
  const Vector& point() const { return a_; }
  /// The normal map at the present point: its reaction() and velocity() are the present answer.
  FrictionNormalMap& map() { return map_; }
  /// ‖F‖₂ / ‖q‖₂ (divided by 1 where q = 0).
  double residual() const { return residual_; }
  /// R_c of each contact, and the factor in it, see above.
  ///@{
  const std::vector<double>& penalties() const { return penalties_; }
  double penaltyFactor() const { return factor_; }
  ///@}
  /// Approximate cost of one step in floating point operations.
  double stepWork() const;
  /// Primal ‖R (r − y)‖₂ (R at a penalty factor of 1) and dual ‖R (y − y_before)‖₂ of the last step: a good penalty
  /// keeps them about equal.
  ///@{
  double primalResidual() const { return primal_; }
  double dualResidual() const { return dual_; }
  ///@}

 private:
  void setPenalties();

  const FrictionContactProblem* problem_ = nullptr;
  const BlockSparseMatrix* W_ = nullptr;
  double normOfData_ = 1.;
  double factor_ = 1.;
  double residual_ = 0.;
  double primal_ = 0.;
  double dual_ = 0.;
  std::size_t untilBalance_ = 0;
  std::size_t balanceInterval_ = 0;
  std::vector<double> scales_;  // mean diagonal of each contact's block
  std::vector<double> penalties_;
  PenalisedDelassus factorised_;
  FrictionNormalMap map_;
  Vector a_, change_, before_;
};

}  // namespace delassus::numerics
