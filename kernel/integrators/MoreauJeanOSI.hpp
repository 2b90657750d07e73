// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

namespace delassus {

/// Moreau–Jean's θ scheme for mechanical systems: impacts and contact forces are one impulse p a step,
///
///     M(q*) (v⁺ − v) = h θ F(t⁺, q⁺, v⁺) + h (1 − θ) F(t, q, v) + Gᵀ p,      q⁺ = q ⊕ h (θ v⁺ + (1 − θ) v),
///     if y + γ h ẏ ≤ 0:   0 ≤ ẏ⁺ + e ẏ ⟂ p ≥ 0,      else p = 0,
///
/// with G and M at q* = q ⊕ h γ ((1 − θ) v + θ v⁺), and ẏ⁺ = G v⁺ + ∂h/∂t. Newton's matrix is
/// W = M(q*) − hθ ∂F/∂v − h²θ² ∂F/∂q = M + hθC + h²θ²K. Linear systems need one iteration, and W is factored
/// once for as long as h stays the same.
///
/// Order 1 in h across impacts; between them order 2 for θ = γ = ½, when a linear conservative system keeps its
/// energy to rounding (across impacts too if e = 1). θ > ½ damps high frequencies; θ ≥ ½ is stable for any h.
///
/// Compliant relations are imposed on y itself, with the mean force λ = p / h of the step: 0 ≤ h(q, λ) ⟂ λ ≥ 0. This
/// needs θ, γ > 0 and a law without restitution. A contact that the step resolves (stiffness k on mass m with k h²/m ≤
/// 0.3, several on one body counted together) is imposed at q*: for θ = γ = ½ that is the midpoint rule, of order 2. A
/// stiffer one is imposed at the end of the step, where it never creates energy but takes some: a third of the speed at
/// k h²/m = 0.3, up to all of it as k grows. A contact of which the step sees nothing has no elastic rebound to keep.
///
/// (Moreau, Nonsmooth Mechanics and Applications, 1988; Jean, CMAME 177, 1999; notes 8.16 and N3.)
class MoreauJeanOSI final : public OneStepIntegrator {
 public:
  /// Throws Error unless θ and γ are in [0, 1].
  explicit MoreauJeanOSI(double theta = 0.5, double gamma = 0.5);

  double theta() const { return theta_; }
  double gamma() const { return gamma_; }

  std::string_view name() const override { return "MoreauJeanOSI"; }
  std::size_t maxRelativeDegree() const override { return 2; }
  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  bool isLinear() const override { return linear_; }
  double residual() override;
  void accept() override;

  const Vector& freeOutput(std::size_t interaction) const override;
  const Matrix* feedthroughBlock(std::size_t interaction) const override;
  bool isActive(std::size_t interaction, std::size_t block) const override {
    return work_.interactions[interaction].active[block] != 0;
  }
  const Vector& outputBefore(std::size_t interaction) const override;
  Vector& multiplier(std::size_t interaction) override;

 private:
  using SystemStep = SecondOrderWorkspace::SystemStep;
  using InteractionStep = SecondOrderWorkspace::InteractionStep;

  void refuseUnsupported(const InteractionStep& step) const;
  void refreshOutputs(double t);
  bool outputsAreStale() const;
  void forecastContacts();
  void evaluate(SystemStep& step);
  void linearise(SystemStep& step);
  void computeBlocks(InteractionStep& step);
  void computeFreeOutput(InteractionStep& step);
  void computeCompliantFreeOutput(InteractionStep& step);
  void computeOutputs(InteractionStep& step, double t);
  static void addReach(const CouplingBlocks& blocks, const Vector& multiplier, SystemStep& system);
  void placeCompliantRelations();
  bool isResolved(const InteractionStep& step) const;
  /// Configuration at which a relation is taken, and for a compliant one the fraction of the step that it is at.
  static const Vector SystemStep::*placeOf(const InteractionStep& step) {
    return step.compliant && !step.resolved ? &SystemStep::q : &SystemStep::qStar;
  }
  double fractionOf(const InteractionStep& step) const { return step.resolved ? gamma_ : 1.; }

  double theta_;
  double gamma_;
  double begin_ = 0.;
  double end_ = 0.;
  double step_ = 0.;
  bool linear_ = true;
  bool placed_ = false;  // the compliant relations, in this step
  SecondOrderWorkspace work_;
};

}  // namespace delassus
