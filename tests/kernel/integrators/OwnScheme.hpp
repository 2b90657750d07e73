// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scheme from outside the library: the class of docs/how-to/own-scheme.md, line by line, which OwnScheme.cpp defines.
#include <cstddef>
#include <delassus/delassus.hpp>
#include <memory>
#include <string_view>

namespace delassus::test {

/// The generalised-α scheme, with impacts and contact forces as one impulse p a step:
///
///     (1 − αm) a⁺ + αm a = (1 − αf) d⁺ + αf d,    M(q⁺) d⁺ = F(t⁺, q⁺, v⁺),    M(q⁺) w = Gᵀ p,
///     v⁺ = v + h ((1 − γ) a + γ a⁺) + w,          q⁺ = q ⊕ (½ h (v + v⁺) + h² (β − γ/2) (a⁺ − a)),
///     if y + ½ h ẏ ≤ 0:   0 ≤ ẏ⁺ + e ẏ ⟂ p ≥ 0,      else p = 0.
class GeneralisedAlphaOSI final : public OneStepIntegrator {
 public:
  /// `rho`: what a step leaves of an oscillation that is much faster than h; from 0 to 1, no damping.
  explicit GeneralisedAlphaOSI(double rho = 0.8)
      : rho_(rho),
        alphaM_((2. * rho - 1.) / (rho + 1.)),
        alphaF_(rho / (rho + 1.)),
        gamma_(0.5 + alphaF_ - alphaM_),
        beta_(0.25 * (gamma_ + 0.5) * (gamma_ + 0.5)) {
    if (!(rho >= 0. && rho <= 1.))
      throw Error("GeneralisedAlphaOSI", "rho must be in [0, 1], got " + toText(rho) + '.');
  }

  std::string_view name() const override { return "GeneralisedAlphaOSI"; }
  std::size_t maxRelativeDegree() const override { return 2; }
  Settings settings() const override {
    Settings settings;
    settings.add("rho", rho_);
    return settings;
  }
  StepEquations& equations() override { return equations_; }
  const StepEquations& equations() const override { return equations_; }
  bool isLinear() const override { return linear_; }

  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  StepResidual residual() override;
  void prepareAccept() override;
  void accept() override;
  void serializeState(StateArchive& archive) override;

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  /// Of one system.
  struct Body {
    std::shared_ptr<DynamicalSystem> owner;
    SecondOrderDS* system = nullptr;
    std::size_t resets = never;  // of the state and the parameters that a and d belong to
    std::size_t changes = never;
    bool isStale = true;              // these have changed
    bool isStart = true;              // a and d are to be computed from the state
    Vector a, d;                      // at the beginning of the step
    Vector q, v, p, aNext, dNext, w;  // of the trial state; w is the jump of the velocity by p
    Vector force, residual, vFree, vChange, displacement;
    Matrix mass, A, B, W;  // W = M B⁻¹ A
    LUFactorization factorOfMass, factorOfB, factorOfW;
    double factoredStep = 0.;  // h for which these hold; 0: none
    std::uint64_t factorings = 0;
  };

  /// Of one interaction, with its couplings begin … end − 1 in the equations.
  struct Contact {
    std::shared_ptr<Interaction> interaction;
    SecondOrderR* relation = nullptr;
    std::size_t changes = never;  // of the parameters that the outputs were computed for
    bool isStale = true;
    std::size_t number = 0, begin = 0, end = 0;
    bool isActive = false;
    std::uint64_t factorings = never;  // of its bodies, that the right blocks were computed with
    Vector y, yDot, noForce;
    Matrix G, GNow;             // in the blocks; for rates
    std::vector<double> right;  // W⁻¹ Gᵀ, body after body
  };

  std::unique_ptr<Body> makeBody(const std::shared_ptr<DynamicalSystem>& system) const;
  std::unique_ptr<Contact> makeContact(const Topology& topology, std::size_t k) const;
  Body& bodyOf(std::size_t coupling) const { return bodies_[equations_.couplings()[coupling].node]; }
  const Vector& stacked(const Contact& contact, const Vector Body::*member);
  bool findStale();
  void refreshOutputs(double t);
  void computeOutputs(Contact& contact, double t);
  void computeDrift(Contact& contact, double t, Vector& drift);
  void computeJacobian(Contact& contact, double t, Matrix& G);
  void forecastContacts();
  void start(Body& body);
  void computeMass(Body& body, double t, const Vector& q);
  void computeAcceleration(Body& body, double t, const Vector& q, const Vector& v, Vector& d);
  void placeTrialState(Body& body);
  void evaluate(Body& body);
  void linearise(Body& body);
  void computeBlocks(Contact& contact);

  double rho_, alphaM_, alphaF_, gamma_, beta_;
  double begin_ = 0., end_ = 0., step_ = 0.;
  bool linear_ = true;
  StepEquations equations_;
  WorkList<Body> bodies_;
  WorkList<Contact> contacts_;
  Vector stack_;
  Matrix byQ_, byV_, jacobian_;
};

}  // namespace delassus::test
