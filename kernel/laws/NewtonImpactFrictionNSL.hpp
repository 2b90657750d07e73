// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// How contacts with friction slide.
enum class Sliding {
  coulomb,    ///< along the surfaces, as Coulomb's law says
  associated  ///< and apart, by μ times the speed of sliding: the convex model, see NewtonImpactFrictionNSL
};

/// Unilateral contact with Newton's impact law and Coulomb friction, in two or three dimensions. With the local
/// velocity ẏ = (u_N, u_T) before the step and w = (u_N⁺ + e_n u_N, u_T⁺ + e_t u_T),
///
///     if y_N ≤ 0:   K* ∋ (w_N + μ‖w_T‖, w_T) ⟂ p ∈ K = { ‖p_T‖ ≤ μ p_N },      else p = 0:
///
/// stick (w_T = 0) inside the cone, sliding on its boundary with p_T against w_T. e_n is the coefficient of
/// restitution; e_t, rarely other than 0, one of tangential restitution: a sticking impact with e_t = 1 reverses u_T,
/// as a superball does. Always dissipative for e_n = e_t = 0; otherwise Newton's rule may create energy, by friction
/// (Kane's paradox) or where contacts of different e_n separate during an impact of others: see docs/contacts.md for
/// examples. (Brogliato, Nonsmooth Mechanics, 2016, chapter 4.)
///
/// Sliding::associated leaves μ‖w_T‖ out and counts the gap, in each step of size h,
///
///     K* ∋ (w_N + max(y_N, 0)/h, w_T) ⟂ p ∈ K,    K* = { μ‖w_T‖ ≤ w_N }:
///
/// a contact that slides at v does so across a gap of h μ v, which vanishes with h; stick, rest and free flight are the
/// same. The problem of a step is convex and has a solution wherever contacts can open, and its velocities are unique:
/// the model of large-scale granular programs. Without restitution. (Anitescu, Math. Program. 105, 2006; Tasora and
/// Anitescu, CMAME 200, 2011.)
class NewtonImpactFrictionNSL final : public NonSmoothLaw {
 public:
  /// Throws Error unless e_n and e_t are in [0, 1] (0 with associated sliding), μ is not negative and finite, and the
  /// dimension is 2 or 3.
  NewtonImpactFrictionNSL(double en, double et, double mu, std::size_t dimension = 3,
                          Sliding sliding = Sliding::coulomb);

  /// Normal and tangential restitution e_n and e_t.
  ///@{
  double en() const { return en_; }
  double et() const { return et_; }
  ///@}
  /// Coefficient of friction μ.
  double mu() const { return mu_; }
  Sliding sliding() const { return sliding_; }  ///< as given to the constructor

  std::string_view className() const override { return "NewtonImpactFrictionNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return dimension_; }
  bool actsOnVelocities() const override { return true; }
  bool actsAcrossGaps() const override { return sliding_ == Sliding::associated; }
  bool hasRestitution() const override { return en_ > 0. || et_ > 0.; }
  void addImpactTerm(const double* velocityBefore, double* freeOutput) const override;

 private:
  double en_, et_, mu_;
  std::size_t dimension_;
  Sliding sliding_;
};

}  // namespace delassus
