// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/ContactForecast.hpp>
#include <delassus/kernel/integrators/ImpactIslands.hpp>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/kernel/integrators/Sleep.hpp>
#include <optional>
#include <vector>

namespace delassus {

/// Where laws of friction with restitution take the velocity ẏ before the step, of which e ẏ is asked back.
enum class VelocityBefore {
  inStepFrame,  ///< G(q*) v + ∂h/∂t: in the frame of ẏ⁺, whose tangents turn with the contact
  atBegin       ///< G(q) v + ∂h/∂t, the output at the beginning of the step: frames are mixed where they turn; as
                ///< published results of other programs have it
};

/// Parameters of MoreauJeanOSI, with separate θ of forces and γ of relations where these are to differ.
struct MoreauJeanOptions {
  double theta = 0.5;                        ///< of the configuration, and of the forces
  double gamma = 0.5;                        ///< of the forecast of gaps, and of q*
  std::optional<double> forceTheta = {};     ///< θ of the forces alone: with 0 they are taken at the beginning of the
                                             ///< step
  std::optional<double> relationGamma = {};  ///< γ of q* alone: with 0 mass and relations are taken at q, with 1 at q⁺
  VelocityBefore velocityBefore = VelocityBefore::inStepFrame;  ///< of laws of friction with restitution
  ContactRule contactRule = ContactRule::kept;                  ///< what is done about positions of contacts
  std::optional<SleepOptions> sleep = {};  ///< groups of bodies at rest fall asleep (see Sleep); by default they do not
};

/// Moreau–Jean's θ scheme for mechanical systems: impacts and contact forces are one impulse p a step,
///
///     M(q*) (v⁺ − v) = h θ F(t⁺, q⁺, v⁺) + h (1 − θ) F(t, q, v) + Gᵀ p,      q⁺ = q ⊕ h (θ v⁺ + (1 − θ) v),
///     if y + γ h ẏ ≤ 0:   0 ≤ ẏ⁺ + e ẏ ⟂ p ≥ 0,      else p = 0,
///
/// with G and M at q* = q ⊕ h γ ((1 − θ) v + θ v⁺) and t* = t + h γ, and ẏ⁺ = G v⁺ + ∂h/∂t⁺. (Laws of friction with
/// restitution take ẏ = G v + ∂h/∂t there too, since the tangents of a contact turn with it; see VelocityBefore.)
/// Newton's matrix is W = M(q*) − hθ ∂F/∂v − h²θ² ∂F/∂q = M + hθC + h²θ²K. Linear systems need one iteration, and W is
/// factored once for as long as h stays the same.
///
/// Gyroscopic forces Γ(v), as −Ω × IΩ of rigid bodies, are taken at the mean velocity θ v⁺ + (1 − θ) v, by hθ (1 − θ)
/// Γ(v⁺ − v) less than the mean above: for θ = ½ they do no work then, also across an impact. (The mean of their values
/// does ¼ h (v·Γ(v⁺) + v⁺·Γ(v)), a part of order hΩ of the energy where Ω jumps.) Where forces are those of the
/// beginning of the step (semiExplicit), and in steps with held relations, they are those of a step without impulses
/// (SecondOrderDS::addMeanGyroscopicForces), which keep the energy of a free body at any spin.
///
/// Order 1 in h across impacts; between them order 2 for θ = γ = ½, when a linear conservative system keeps its
/// energy to rounding (across impacts too if e = 1). θ > ½ damps high frequencies; θ ≥ ½ is stable for any h.
///
/// The rule above for contacts is ContactRule::pure. ContactRule::kept, the default, takes them in by ContactForecast,
/// moves the configuration with the weight ϑ of ImpactIslands in steps with impacts, whose q* is at the part 1 − ϑ of
/// the step where that is less than γ (F is still taken where θ has the end), and takes the mean rate below of
/// contacts, too (of tangents, where they roll).
///
/// Laws of contacts act on the forecast of the gap as above; equalities (joints: EqualityConditionNSL) and boxes (dry
/// friction in an axis: RelayNSL) always act, on the rate ẏ⁺ and with p = h λ for the bounds of forces. With γ = ½ and
/// θ < 1 an equality whose G changes is imposed on the mean rate of the step, less the contribution of the rate before
/// it,
///
///     θ (G(q*) v⁺ + ∂h/∂t⁺) + (1 − θ) (G(q*) v + ∂h/∂t − ẏ) = 0,
///
/// which is ẏ⁺ = 0 to second order: for θ = ½ joints are of order 2, in y, in the motion and in the energy (of order 1
/// otherwise, and with a loss of energy). A rate that is not zero vanishes in one step and does not change sign.
///
/// Rigid bodies (NewtonEulerDS) move along their twists, q ⊕ δ; Newton's matrix has their gyroscopic Jacobian (nearly
/// implicit scheme, [Siconos 2017], 11.2.3). MoreauJeanOSI::semiExplicit takes forces and relations at the beginning of
/// the step (11.2.2): then W is M, nothing is factored again, and every step is one pass. It is of order 1, and its
/// step is limited by stiff forces.
///
/// Compliant relations are imposed on y itself, with the mean force λ = p / h of the step: 0 ≤ h(q, λ) ⟂ λ ≥ 0. This
/// needs θ, γ > 0 and a law without restitution. A contact that the step resolves (stiffness k on mass m with k h²/m ≤
/// 0.3, several on one body counted together) is imposed at q*: for θ = γ = ½ that is the midpoint rule, of order 2. A
/// stiffer one is imposed at the end of the step, where it never creates energy but takes some: a third of the speed at
/// k h²/m = 0.3, up to all of it as k grows. A contact far shorter than the step has no elastic rebound to preserve.
/// An equality of that stiffness is damped, too, and the first one is named in a warning: springs are force elements
/// (SpringDamperLaw), which keep their energy at any stiffness.
///
/// (Moreau, Nonsmooth Mechanics and Applications, 1988; Jean, CMAME 177, 1999; [Siconos 2017], equation 8.16; [Siconos,
/// event capturing].)
class MoreauJeanOSI final : public OneStepIntegrator {
 public:
  /// Throws Error unless all θ and γ are in [0, 1].
  ///@{
  explicit MoreauJeanOSI(double theta = 0.5, double gamma = 0.5)
      : MoreauJeanOSI(MoreauJeanOptions{.theta = theta, .gamma = gamma}) {}
  explicit MoreauJeanOSI(const MoreauJeanOptions& options);
  ///@}
  /// Forces, mass and relations at the beginning of the step.
  static MoreauJeanOSI semiExplicit(double theta = 0.5, double gamma = 0.5, ContactRule rule = ContactRule::kept) {
    return MoreauJeanOSI(
        MoreauJeanOptions{.theta = theta, .gamma = gamma, .forceTheta = 0., .relationGamma = 0., .contactRule = rule});
  }

  /// The scheme of the literature, whose contacts are not kept in their positions (ContactRule::pure).
  static MoreauJeanOSI pure(double theta = 0.5, double gamma = 0.5) {
    return MoreauJeanOSI(MoreauJeanOptions{.theta = theta, .gamma = gamma, .contactRule = ContactRule::pure});
  }

  /// θ of the configuration, and of the forces unless forceTheta is given.
  double theta() const { return theta_; }
  /// γ of the forecast of gaps, and of q* unless relationGamma is given.
  double gamma() const { return gamma_; }

  std::size_t sleepingSystems() const override { return sleep_ ? sleep_->count() : 0; }

  std::string_view name() const override { return "MoreauJeanOSI"; }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  std::size_t maxRelativeDegree() const override { return 2; }
  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  bool isLinear() const override { return linear_; }
  void searchChange() override;
  StepResidual residual() override;
  void simplify() override { simplified_ = true; }
  bool multipliersRunAway() const override;
  bool takesDepthsBack() const override;
  bool holdRelations() override;
  bool askForRest() override;
  void settle() override;
  bool missesContact() override;
  void show(MotionAudit& audit) const override;
  void prepareAccept() override;
  void accept() override;
  SecondOrderWorkspace* trialConfigurations() override { return &work_; }

  StepEquations& equations() override { return work_.equations; }
  const StepEquations& equations() const override { return work_.equations; }
  std::vector<IterationMatrix> iterationMatrices() const override { return work_.iterationMatrices(); }

 private:
  using SystemWork = SecondOrderWorkspace::SystemWork;
  using InteractionWork = SecondOrderWorkspace::InteractionWork;

  void awaken(double t, double end, bool anyWoke);
  bool isExact(const SystemWork& work) const;
  bool isFixed(const InteractionWork& work) const;
  void refuseUnsupported(const InteractionWork& work) const;
  void refreshOutputs(double t);
  void refresh(InteractionWork& work, double t);
  void computeForce(InteractionWork& work) const;
  bool keeps(const InteractionWork& work) const;
  void beginTrial(SystemWork& work);
  bool asksForMotion() const;
  void beginAnew();
  void findPull(SystemWork& work) const;
  void forecastContacts(std::size_t repetition);
  bool forecast(InteractionWork& work, std::size_t block) const;
  bool forecastKept(InteractionWork& work, std::size_t block, double unforeseen) const;
  bool rests(double gap, double change) const;
  bool isAlone(const SystemWork& work) const;
  double speedOf(const SystemWork& work) const;
  void searchChange(SystemWork& work);
  void forgetMissed();
  bool hasOpenBlock(const InteractionWork& work) const;
  bool findMissed(InteractionWork& work);
  void measureUnforeseen();
  bool addMissed();
  void stateAdded();
  void measureReach(InteractionWork& work, const Matrix& G) const;
  std::optional<std::size_t> changesOfLevers(const InteractionWork& work) const;
  double expectedOf(const InteractionWork& work, std::size_t block) const;
  void computeRates(InteractionWork& work) const;
  void measureLevers(InteractionWork& work, const Matrix& G) const;
  void moveTo(SystemWork& work, double weight, double part, Vector& q) const;
  void evaluate(SystemWork& work);
  void takeMeanGyroscopic(const SecondOrderDS& system, const Vector& v, Vector& forces) const;
  void spinFreely(SystemWork& work) const;
  bool losesDefiniteness(const SystemWork& work) const;
  void linearise(SystemWork& work);
  void computeBlocks(InteractionWork& work);
  void computeInputs();
  void computeFlowOutputs(InteractionWork& work, double t);
  void computeFreeOutput(InteractionWork& work);
  bool takesFrameVelocity(const InteractionWork& work) const;
  bool isMean(const InteractionWork& work) const;
  bool jolts(const InteractionWork& work) const;
  bool leavesRate(const InteractionWork& work) const;
  double reachOf(const InteractionWork& work, std::size_t row) const;
  template <class VelocityOf>
  bool isRate(const InteractionWork& work, std::size_t row, const VelocityOf& velocityOf) const;
  void addGaps(const InteractionWork& work, double* free) const;
  void addLeastRates(const InteractionWork& work, double* free, const double* before);
  void computeRateBefore(const InteractionWork& work, Vector& rate);
  void addVelocityBefore(const InteractionWork& work, double* free);
  void computeCompliantFreeOutput(InteractionWork& work);
  void computeOutputs(InteractionWork& work, double t);
  void placeCompliantRelations();
  double stiffnessOf(const InteractionWork& work) const;
  void warnOfDamping(const InteractionWork& work, double stiffness);
  /// Configuration at which a relation is taken; for a compliant one, the fraction of the step.
  static const Vector SystemWork::*placeOf(const InteractionWork& work) {
    return work.compliant && !work.resolved ? &SystemWork::q : &SystemWork::qStar;
  }
  /// Time at which G is taken, that of q*: with another, a relation that turns with time would not be imposed on the
  /// mean rate. What holds at the end of the step is taken there.
  double timeOf(const InteractionWork& work) const {
    return work.flow || placeOf(work) == &SystemWork::q ? end_ : begin_ + relationGamma_ * (end_ - begin_);
  }
  double driftTimeOf(const InteractionWork& work, double t) const;
  double fractionOf(const InteractionWork& work) const { return work.resolved ? relationGamma_ : 1.; }

  double theta_;
  double gamma_;
  double forceTheta_;
  double relationGamma_;
  VelocityBefore velocityBefore_;
  ContactRule contactRule_;
  double begin_ = 0.;
  double end_ = 0.;
  double h_ = 0.;
  bool linear_ = true;
  bool placed_ = false;       // the compliant relations, in this step
  bool held_ = false;         // relations stay where they are in this step
  bool keepsDepths_ = false;  // of contacts, in this step
  bool rests_ = false;        // in this step joints and contacts ask for no more than that their systems stay at rest
  bool simplified_ = false;  // Newton's loop has stalled: laws of contacts are on the rate at the end of the step alone
  bool warnedOfDamping_ = false;
  double unforeseen_ = 0.;   // see ContactForecast
  std::size_t attempt_ = 0;  // calls of beginStep
  bool addsMissed_ = false;  // this attempt differs from the last one by these contacts alone:
  std::vector<InteractionWork*> added_;
  SecondOrderWorkspace work_;
  ImpactIslands islands_;
  std::optional<Sleep> sleep_;
};

}  // namespace delassus
