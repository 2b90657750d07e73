// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>

namespace delassus {

/// Euler–Moreau's θ and θ–γ schemes for first-order systems,
///
///     M (x⁺ − x) = h θ F(t⁺, x⁺) + h (1 − θ) F(t, x) + h r_*,
///     y_* = h(t_*, x_*, λ_*),   r = Σ g(t_*, x_*, λ_*),   law(y_*, λ_*),
///
/// where * depends on the constructor:
///
///     EulerMoreauOSI(θ)                     * is the end of the step: t⁺, x⁺
///     EulerMoreauOSI(θ, γ)                  the same, but r_* = γ r⁺ + (1 − γ) r        (θ–γ scheme, 9.5)
///     EulerMoreauOSI::fullThetaGamma(θ, γ)  * is within the step: t + γh, (1 − γ) x + γ x⁺   (full θ–γ scheme, 9.6)
///
/// The θ–γ scheme takes r_* = r⁺ in the first two steps, after a reset of the state and after a change of the model: r
/// at the beginning is not known then, and with γ = ½ its error would alternate in sign for ever. This costs no order.
/// Where inputs make the state jump within the run (steps in e(t), relative degree 1) take γ = 1: the θ–γ scheme cannot
/// use the rate of a jump, and the full scheme brings x_γ, not x⁺, to the bound.
///
/// M is taken at t + θh and (1 − θ) x + θ x⁺; where F depends on ẋ, that is (x⁺ − x)/h in both of its terms. Every step
/// is a Newton iteration on the linearised relation with W = M − hθA − hγK (and − ∂F/∂ẋ), A = ∂F/∂x, K = ∂g/∂x; linear
/// systems with linear relations need one pass, and factor W once if they are time-invariant too.
///
/// Where M is singular, with D the projector onto the algebraic equations 0 = D (F + r), these hold at the end of each
/// step: h (1 − θ) D (F(t⁺, x⁺) − F(t, x)) is added to the right side, and W gets − h (1 − θ) D A. Such systems take
/// γ = 1 and a control without ẋ. A start that does not satisfy them is replaced by one of the same M x that does (the
/// step of size zero that finds the initial multipliers). Where they do not hold at the beginning of a step (a source
/// has jumped, the user has set a state), or relations have changed, come or gone, all systems take θ = 1 in the step,
/// since F(t, x) is none that the equations allow. One such step costs no order; a change in every few steps does.
///
/// After a step y(0) and λ(0) are those at *, where the law holds. λ is a rate like r (a current, a force), not an
/// impulse. All laws are imposed on y itself (level 0), which a scheme with one derivative can do up to relative degree
/// 1; relativeDegree() tells. Where λ jumps to infinity (relative degree 2 and more) use the schemes of mechanics.
///
/// Order 1 with θ = 1 across switchings, order 2 with θ = γ = ½ where the solution is smooth. With γ = 1 a relay that
/// slides holds y = 0 at every step; with γ < 1 and relative degree 1 multipliers (θ–γ) or outputs (full) alternate
/// after a switching with the factor −(1 − γ)/γ: take γ = 1 there. θ ≥ ½ is stable for any h. ([Siconos 2017], chapter
/// 9; Acary, Bonnefon, Brogliato, Nonsmooth Modeling and Simulation for Switched Circuits, 2011.)
class EulerMoreauOSI final : public OneStepIntegrator {
  using SystemWork = FirstOrderWorkspace::SystemWork;
  using Node = FirstOrderWorkspace::Node;
  using InteractionWork = FirstOrderWorkspace::InteractionWork;

 public:
  /// Throws Error unless θ is in [0, 1].
  explicit EulerMoreauOSI(double theta = 0.5);
  /// Throws Error unless θ is in [0, 1] and γ in (0, 1].
  EulerMoreauOSI(double theta, double gamma);
  /// Throws Error unless θ is in [0, 1] and γ in (0, 1].
  static EulerMoreauOSI fullThetaGamma(double theta, double gamma);

  /// θ, the weight of F at the end of the step.
  double theta() const { return theta_; }
  /// γ of either scheme; 1 for the θ scheme.
  double gamma() const { return place_ < 1. ? place_ : weight_; }
  /// True for the full θ–γ scheme with γ < 1.
  bool usesGammaForRelation() const { return place_ < 1.; }

  std::string_view name() const override { return "EulerMoreauOSI"; }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  std::size_t maxRelativeDegree() const override { return 1; }
  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  bool needsInitialMultipliers() const override { return true; }
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  bool isLinear() const override { return work_.linear; }
  void searchChange() override;
  StepResidual residual() override;
  void prepareAccept() override;
  void accept() override;

  StepEquations& equations() override { return work_.equations; }
  const StepEquations& equations() const override { return work_.equations; }
  std::vector<IterationMatrix> iterationMatrices() const override { return work_.iterationMatrices(); }

 private:
  EulerMoreauOSI(double theta, double weight, double place);

  static void requireFit(const InteractionWork& work);
  void requireTaken(const FirstOrderDS& system) const;
  void chooseWeight();
  void chooseTheta();
  bool isConsistent(SystemWork& work) const;
  void scaleInput(SystemWork& work);
  void refreshModel();
  void refreshCoefficients(SystemWork& work);
  void evaluate(SystemWork& work);
  double weightOfAlgebraic(const SystemWork& work) const;
  void addAlgebraicPart(SystemWork& work) const;
  void addAlgebraicPart(const SystemWork& work, SquareMatrix& W) const;
  /// The state at which relations are taken.
  Vector SystemWork::*placed() const { return place_ < 1. ? &SystemWork::xPlace : &SystemWork::x; }
  void place(const SystemWork& work, const Vector& x, Vector& placed) const;
  void linearise(InteractionWork& work);
  void subtractKnownInput();
  void computeIterationMatrices();
  void computeMatrix(SystemWork& work, SquareMatrix& W);
  bool hasSameMatrices(const SystemWork& work) const;
  bool hasFactors(Node& node);
  void factor(Node& node);
  void computeBlocks(InteractionWork& work);
  void computeFreeOutput(InteractionWork& work);
  void writeEquations();
  void dropRounding(InteractionWork& work) const;
  void evaluateTrial();
  const Vector& actingInput(SystemWork& work) const;
  double leftOf(const SystemWork& work, const Vector& acting, std::size_t i) const;
  void measureTerms(SystemWork& work, const Vector& acting) const;
  bool hidesError(const SystemWork& work, const Vector& acting) const;
  double residualAt(double part);
  double residualOf(SystemWork& work) const;
  double residualOf(InteractionWork& work);

  double theta_;
  double weight_;                     // of the new input in the dynamics
  double place_;                      // of the relation in the step
  double stepWeight_;                 // of the new input in this step
  double stepTheta_;                  // of F at the end of this step
  std::size_t stepsToKnowInput_ = 0;  // until r at the beginning of a step is known
  bool isInputKnown_ = false;         // r is that of the relations as they are
  double begin_ = 0.;
  double end_ = 0.;
  double h_ = 0.;
  double relationTime_ = 0.;
  bool evaluated_ = false;  // inputs of relations at the trial state, and outputs of those that are not linear
  FirstOrderWorkspace work_;
};

}  // namespace delassus
