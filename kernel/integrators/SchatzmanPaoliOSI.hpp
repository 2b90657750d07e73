// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {

/// Schatzman–Paoli's scheme for Lagrangian systems: contacts are imposed on positions, over two steps at a time,
///
///     M(q) (q⁺ − 2q + q⁻) = h² F(t_θ, q_θ, v_θ) + Gᵀ λ,     v⁺ = (q⁺ − q⁻)/(2h),
///     0 ≤ h(q̄) ⟂ λ ≥ 0,     q̄ = (q⁺ + e q⁻)/(1 + e),     G = ∂h/∂q (q̄),
///
/// with q_θ = θ q⁺ + (1 − θ) q, v_θ = θ v⁺ + (1 − θ) v, t_θ = t + θh. There is no forecast: all contacts are in the
/// problem of every step, and Interaction::isActive tells which of them pushed. An impact takes two steps, after which
/// the relative velocity is −e times the one before; between them the contact penetrates, by 2e/(1+e) h |ẏ⁻| at most,
/// up to O(h²). Several impacts in these two steps are solved together. Newton's matrix is W = M + h²θK + ½hθC.
///
/// v⁺ is the velocity at t, one step late, and always of order 1 in h. Positions are of order 2 for θ = 0 without
/// damping (Störmer–Verlet; explicit, stable for h ω < 2); for θ = 1 without stiffness and forces that change in time;
/// of order 1 otherwise, since stiff forces come early by θh and damping late by (1 − θ)h, and across impacts. θ ≥ ½ is
/// stable for any h without damping.
///
/// The start is q⁻ = q₀ − h v₀ + ½h² M⁻¹F(t₀, q₀, v₀), also after a reset of the state; a contact sees q₀ − h v₀. When
/// the step changes from h₋ to h,
///
///     M(q) ((q⁺ − q)/h − (q − q⁻)/h₋) = ½(h + h₋) F + Gᵀλ/h,     v⁺ = (q⁺ − q⁻)/(h + h₋),
///
/// and contacts see q⁻ moved to the same distance in time: along the last step, or, for a contact that has just pushed,
/// along the step before it. A contact with restitution that was entered in a longer step leaves by rates,
/// y⁺ − y + e (h/h₋) (y − y⁻) ≥ 0 in place of y⁺ + e y⁻ ≥ 0, which would ask for the way out in less time. (The second
/// step of an impact alone stays what it is.) This preserves orders and contacts at rest, and restitution where steps
/// change by less than a half from one to the next.
///
/// With λ in N·s², λ(1) = λ/h is the impulse of the step in N·s, λ(0) the mean force in N (λ/h² for constant h).
///
/// Laws: NewtonImpactNSL, and with e = 0 ComplementarityConditionNSL, EqualityConditionNSL and
/// MixedComplementarityConditionNSL; equalities hold on the position at the end of each step, so joints do not drift.
/// Friction, boxes and compliant relations are refused. Relations that depend on time are taken at
/// t̄ = (t⁺ + e t⁻)/(1 + e).
///
/// (Paoli and Schatzman, SIAM J. Numer. Anal. 40, 2002; [Siconos 2017], 10.3.)
class SchatzmanPaoliOSI final : public OneStepIntegrator {
 public:
  /// Throws Error unless θ is in [0, 1].
  explicit SchatzmanPaoliOSI(double theta = 0.5);

  /// Forces are taken at t + θh.
  double theta() const { return theta_; }

  std::string_view name() const override { return "SchatzmanPaoliOSI"; }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  std::size_t maxRelativeDegree() const override { return 2; }
  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  bool isLinear() const override { return linear_; }
  StepResidual residual() override;
  void prepareAccept() override;
  void show(MotionAudit& audit) const override;
  void accept() override;

  StepEquations& equations() override { return work_.equations; }
  const StepEquations& equations() const override { return work_.equations; }
  std::vector<IterationMatrix> iterationMatrices() const override { return work_.iterationMatrices(); }

 private:
  using SystemWork = SecondOrderWorkspace::SystemWork;
  using InteractionWork = SecondOrderWorkspace::InteractionWork;

  /// The second state of the two-step scheme for one system, stored as displacements, whose sums do not lose digits as
  /// q⁺ − 2q + q⁻ does. The unknown is SystemWork::displacement, q⁺ − q.
  struct Memory {
    bool isStart = true;     ///< no step was accepted since the state was set
    double h = 0.;           ///< h₋ of …
    Vector displacement;     ///< … q − q⁻
    double hEarlier = 0.;    ///< of …
    Vector earlier;          ///< … the displacement before it
    Vector place, velocity;  ///< q_θ, v_θ
    SquareFactorization mass;
  };

  /// The kind of a law at position level.
  struct Contact {
    double restitution = 0.;
    std::size_t pushes = 0;     ///< number of consecutive last steps in which it pushed
    double entry = 0.;          ///< the longest step since it was entered, or 0
    bool wasShortened = false;  ///< one of these steps was shorter than another before it
    Vector before;              ///< y⁻
  };

  static std::unique_ptr<Memory> makeMemory(DynamicalSystem& system);
  static std::unique_ptr<Contact> makeContact(const Interaction& interaction, std::unique_ptr<Contact> spare);
  static void refuseUnsupported(const InteractionWork& work);
  void refreshOutputs(double t);

  void begin(SystemWork& work, Memory& memory);
  void start(SystemWork& work, Memory& memory) const;
  bool hasConstantMatrix(const SystemWork& work) const;
  void evaluate(SystemWork& work, Memory& memory);
  void linearise(SystemWork& work, Memory& memory);
  void computeBlocks(InteractionWork& work, double time);
  double entryOf(const InteractionWork& work, const Contact& contact) const;
  bool leavesByRate(const InteractionWork& work, const Contact& contact) const;
  void leaveByRate(const InteractionWork& work, const Contact& contact, double* free) const;
  double placeContact(const InteractionWork& work, const Contact& contact, bool byRate) const;
  void computeFreeOutput(InteractionWork& work, const Contact& contact, double time);
  void computeOutputs(InteractionWork& work, double t);
  double duration(const InteractionWork& work) const;
  bool pushes(const InteractionWork& work, std::size_t block) const;
  /// Weight of forces in the step, h² where h is constant.
  double weightOf(const Memory& memory) const { return 0.5 * h_ * (h_ + memory.h); }
  /// Time that v⁺ is a mean over, 2h where h is constant.
  double spanOf(const Memory& memory) const { return h_ + memory.h; }

  double theta_;
  double begin_ = 0.;
  double end_ = 0.;
  double h_ = 0.;
  double forceTime_ = 0.;
  bool linear_ = true;
  SecondOrderWorkspace work_;
  WorkList<Memory> memory_;
  WorkList<Contact> contacts_;
  Vector output_;  // of one interaction
};

}  // namespace delassus
