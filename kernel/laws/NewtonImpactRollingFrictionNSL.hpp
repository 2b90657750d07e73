// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// Unilateral contact with Newton's impact law, Coulomb friction and rolling resistance, for relations of five rows
/// (n, t₁, t₂, and relative rotation about t₁ and t₂). With w = (u_N⁺ + e_n u_N, u_T⁺ + e_t u_T, ω_T⁺),
///
///     if y_N ≤ 0:   K* ∋ (w_N + μ‖w_T‖ + μ_R‖w_R‖, w_T, w_R) ⟂ p ∈ K = { ‖p_T‖ ≤ μ p_N, ‖p_R‖ ≤ μ_R p_N },
///
/// else p = 0. μ_R is a length, m: half the width of the contact patch, roughly. (Acary and Bourrier, Coulomb friction
/// with rolling resistance as a cone complementarity problem, Eur. J. Mech. A/Solids, 2021.)
class NewtonImpactRollingFrictionNSL final : public NonSmoothLaw {
 public:
  /// Throws Error unless e_n and e_t are in [0, 1] and μ and μ_R are not negative and finite.
  NewtonImpactRollingFrictionNSL(double en, double et, double mu, double muRolling);

  /// Normal and tangential restitution e_n and e_t.
  ///@{
  double en() const { return en_; }
  double et() const { return et_; }
  ///@}
  /// Coefficient of friction μ.
  double mu() const { return mu_; }
  /// Coefficient of rolling friction μ_R, m.
  double muRolling() const { return muRolling_; }

  std::string_view className() const override { return "NewtonImpactRollingFrictionNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return 5; }
  bool actsOnVelocities() const override { return true; }
  bool hasRestitution() const override { return en_ > 0. || et_ > 0.; }
  void addImpactTerm(const double* velocityBefore, double* freeOutput) const override;

 private:
  double en_, et_, mu_, muRolling_;
};

}  // namespace delassus
