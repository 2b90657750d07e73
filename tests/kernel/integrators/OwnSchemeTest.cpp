// SPDX-License-Identifier: Apache-2.0
//
// A scheme from outside the library: the class of docs/how-to/own-scheme.md, line by line, and what that page says of
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <support/Restart.hpp>
#include <vector>

namespace {

using namespace delassus;

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

void GeneralisedAlphaOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  bodies_.update(topology.systemSerials(), [&](std::size_t i) { return makeBody(topology.systems()[i]); });
  contacts_.update(topology.interactionSerials(), [&](std::size_t k) { return makeContact(topology, k); });
  equations_.clear("GeneralisedAlphaOSI");
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    contact.number = k;
    contact.begin = topology.couplingBegin(k);
    contact.end = topology.couplingEnd(k);
    const std::size_t m = contact.interaction->size();
    equations_.addInteraction(m, contact.interaction->blocks());
    std::size_t entries = 0;
    for (std::size_t c = contact.begin; c < contact.end; ++c) {
      const std::size_t node = topology.couplings()[c].system;
      const std::size_t n = bodies_[node].v.size();
      // The columns of G that belong to this body, where they are.
      equations_.addCoupling(node, n, data(contact.G) + entries, contact.right.data() + entries);
      entries += m * n;
    }
  }
  equations_.finish();
  if (findStale()) refreshOutputs(t);
}

std::unique_ptr<GeneralisedAlphaOSI::Body> GeneralisedAlphaOSI::makeBody(
    const std::shared_ptr<DynamicalSystem>& system) const {
  auto body = std::make_unique<Body>();
  body->owner = system;
  body->system = system->secondOrder();
  if (body->system == nullptr) {
    throw Error(std::string(name()), "system '" + system->name() + "' is not a mechanical one.");
  }
  const std::size_t n = body->system->dimension();
  for (Vector* x : {&body->a, &body->d, &body->v, &body->p, &body->aNext, &body->dNext, &body->w, &body->force,
                    &body->residual, &body->vFree, &body->vChange, &body->displacement}) {
    *x = Vector(n);
  }
  for (Matrix* x : {&body->mass, &body->A, &body->B, &body->W}) *x = Matrix(n, n);
  body->q = body->system->q();
  return body;
}

std::unique_ptr<GeneralisedAlphaOSI::Contact> GeneralisedAlphaOSI::makeContact(const Topology& topology,
                                                                               std::size_t k) const {
  auto contact = std::make_unique<Contact>();
  contact->interaction = topology.interactions()[k];
  contact->relation = contact->interaction->relation().secondOrder();
  if (contact->relation == nullptr || contact->relation->isCompliant() ||
      !contact->interaction->law().actsOnVelocities()) {
    throw Error("Interaction '" + contact->interaction->name() + "'",
                "GeneralisedAlphaOSI takes laws of contact between rigid surfaces of mechanical systems.");
  }
  contact->interaction->setLevels(2);
  const std::size_t m = contact->interaction->size();
  std::size_t n = 0;
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    n += bodies_[topology.couplings()[c].system].v.size();
  }
  contact->y = contact->yDot = contact->noForce = Vector(m);
  contact->G = contact->GNow = Matrix(m, n);
  contact->right.resize(m * n);
  return contact;
}

// Marks what the user has changed since the last step, and what is new.
bool GeneralisedAlphaOSI::findStale() {
  bool any = false;
  for (Body& body : bodies_) {
    body.isStale = body.resets != body.system->stateResets() || body.changes != body.system->parameterChanges();
    any = any || body.isStale;
  }
  for (Contact& contact : contacts_) {
    contact.isStale = contact.changes != contact.relation->parameterChanges();
    for (std::size_t c = contact.begin; c < contact.end; ++c) contact.isStale = contact.isStale || bodyOf(c).isStale;
    any = any || contact.isStale;
  }
  return any;
}

void GeneralisedAlphaOSI::refreshOutputs(double t) {
  for (Body& body : bodies_) {
    assign(body.system->q(), body.q);
    assign(body.system->velocity(), body.v);
    if (!body.isStale) continue;
    body.isStart = true;
    body.factoredStep = 0.;
  }
  // First everything that can fail: a failure leaves what is stale as it is, to be computed again.
  for (Contact& contact : contacts_) {
    if (!contact.isStale) continue;
    if (contact.changes == never) contact.interaction->requireConfiguration(t, stacked(contact, &Body::q));
    contact.factorings = never;
    computeOutputs(contact, t);
  }
  for (Body& body : bodies_) {
    body.resets = body.system->stateResets();
    body.changes = body.system->parameterChanges();
  }
  for (Contact& contact : contacts_) {
    if (!contact.isStale) continue;
    assign(contact.y, contact.interaction->output(0));
    assign(contact.yDot, contact.interaction->output(1));
    contact.changes = contact.relation->parameterChanges();
  }
}

// One member of the bodies of a contact, one after another.
const Vector& GeneralisedAlphaOSI::stacked(const Contact& contact, const Vector Body::*member) {
  std::vector<double> all;
  for (std::size_t c = contact.begin; c < contact.end; ++c) {
    all.insert(all.end(), (bodyOf(c).*member).begin(), (bodyOf(c).*member).end());
  }
  stack_ = all;
  return stack_;
}

// y = h and ẏ = G v + ∂h/∂t of the trial state.
void GeneralisedAlphaOSI::computeOutputs(Contact& contact, double t) {
  setZero(contact.y);
  contact.relation->computeOutput(t, stacked(contact, &Body::q), contact.noForce, contact.y);
  requireFinite(contact.y, "Interaction '" + contact.interaction->name() + "': output");
  computeDrift(contact, t, contact.yDot);
  computeJacobian(contact, t, contact.GNow);
  multiply(1., contact.GNow, stacked(contact, &Body::v), 1., contact.yDot);
}

void GeneralisedAlphaOSI::computeDrift(Contact& contact, double t, Vector& drift) {
  setZero(drift);
  if (!contact.relation->isTimeDependent()) return;
  contact.relation->computeDrift(t, stacked(contact, &Body::q), drift);
  requireFinite(drift, "Interaction '" + contact.interaction->name() + "': derivative with respect to time");
}

void GeneralisedAlphaOSI::computeJacobian(Contact& contact, double t, Matrix& G) {
  // A relation may assign an expression, which gives its matrix other storage: the equations refer to that of G.
  const std::string what = "Interaction '" + contact.interaction->name() + "': Jacobian";
  assignZero(jacobian_, G.size1(), G.size2());
  contact.relation->computeJacobian(t, stacked(contact, &Body::q), contact.noForce, jacobian_);
  requireSize(jacobian_, G.size1(), G.size2(), what);
  requireFinite(jacobian_, what);
  std::copy(jacobian_.data().begin(), jacobian_.data().end(), G.data().begin());
}

void GeneralisedAlphaOSI::beginStep(const TimeStep& timeStep) {
  if (findStale()) refreshOutputs(timeStep.begin);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  step_ = timeStep.size;
  forecastContacts();
  for (Body& body : bodies_) {
    if (body.isStart) start(body);
    // The first trial state: a⁺ = a, and no impulse.
    assign(body.a, body.aNext);
    setZero(body.w);
    setZero(body.p);
    for (std::size_t j = 0; j < body.v.size(); ++j) body.v(j) = body.system->velocity()(j) + step_ * body.a(j);
    placeTrialState(body);
    evaluate(body);
  }
}

void GeneralisedAlphaOSI::forecastContacts() {
  linear_ = true;
  for (const Body& body : bodies_) linear_ = linear_ && body.system->isLinear();
  for (Contact& contact : contacts_) {
    const Interaction& interaction = *contact.interaction;
    const std::size_t rows = interaction.law().size();
    contact.isActive = false;
    for (std::size_t block = 0; block < interaction.blocks(); ++block) {
      // The first row of a law of contact is the gap.
      const bool closed = interaction.y(0)(block * rows) + 0.5 * step_ * interaction.y(1)(block * rows) <= 0.;
      equations_.setActive(contact.number, block, closed);
      contact.isActive = contact.isActive || closed;
    }
    if (contact.isActive) linear_ = linear_ && contact.relation->isLinear();
    // The solver starts from the impulse of the last step.
    assign(interaction.lambda(1), equations_.multiplier(contact.number));
  }
}

// Of a state that the user has set: a = d = M⁻¹F.
void GeneralisedAlphaOSI::start(Body& body) {
  SecondOrderDS& system = *body.system;
  computeMass(body, begin_, system.q());
  system.requireDefiniteMass(begin_, body.mass);
  computeAcceleration(body, begin_, system.q(), system.velocity(), body.d);
  assign(body.d, body.a);
}

void GeneralisedAlphaOSI::computeMass(Body& body, double t, const Vector& q) {
  body.system->mass(t, q, body.mass);
  body.factorOfMass.factor(body.mass, "System '" + body.system->name() + "': mass");
}

void GeneralisedAlphaOSI::computeAcceleration(Body& body, double t, const Vector& q, const Vector& v, Vector& d) {
  body.system->forces(t, q, v, d);
  body.factorOfMass.solve(d);
}

void GeneralisedAlphaOSI::placeTrialState(Body& body) {
  const SecondOrderDS& system = *body.system;
  const double byChange = step_ * step_ * (beta_ - 0.5 * gamma_);
  for (std::size_t j = 0; j < body.v.size(); ++j) {
    body.displacement(j) = 0.5 * step_ * (system.velocity()(j) + body.v(j)) + byChange * (body.aNext(j) - body.a(j));
  }
  system.move(system.q(), body.displacement, body.q);
}

// The residual r = M ((1 − αm) a⁺ + αm a − αf d) − (1 − αf) F at the trial state.
void GeneralisedAlphaOSI::evaluate(Body& body) {
  body.system->forces(end_, body.q, body.v, body.force);
  if (!body.system->hasConstantMass()) computeMass(body, end_, body.q);
  for (std::size_t j = 0; j < body.v.size(); ++j) {
    body.residual(j) = -(1. - alphaF_) * body.force(j);
    body.vFree(j) = (1. - alphaM_) * body.aNext(j) + alphaM_ * body.a(j) - alphaF_ * body.d(j);
  }
  multiply(1., body.mass, body.vFree, 1., body.residual);
}

void GeneralisedAlphaOSI::computeFreeState() {
  for (Body& body : bodies_) {
    linearise(body);
    // v_free = v⁺ − W⁻¹ M (hγ B⁻¹ r + w)
    body.factorOfB.solve(body.residual);
    for (std::size_t j = 0; j < body.v.size(); ++j) {
      body.vChange(j) = step_ * gamma_ * body.residual(j) + body.w(j);
    }
    multiply(1., body.mass, body.vChange, 0., body.vFree);
    body.factorOfW.solve(body.vFree);
    for (std::size_t j = 0; j < body.v.size(); ++j) body.vFree(j) = body.v(j) - body.vFree(j);
  }
  for (Contact& contact : contacts_) {
    if (!contact.isActive) continue;
    computeBlocks(contact);
    computeDrift(contact, end_, contact.yDot);
    double* const free = equations_.freeOutput(contact.number);
    assign(contact.yDot, free);
    for (std::size_t c = contact.begin; c < contact.end; ++c) {
      equations_.couplings()[c].addOutput(data(bodyOf(c).vFree), free);
    }
    assign(contact.interaction->y(1), equations_.outputBefore(contact.number));
  }
}

void GeneralisedAlphaOSI::linearise(Body& body) {
  if (body.system->isLinear() && body.factoredStep == step_) return;
  const std::size_t n = body.v.size();
  if (byQ_.size1() != n) byQ_ = byV_ = Matrix(n, n);
  body.system->forceJacobians(end_, body.q, body.v, byQ_, byV_);
  const double ofV = (1. - alphaF_) * step_ * gamma_;
  const double ofQ = (1. - alphaF_) * step_ * step_;
  for (std::size_t k = 0; k < n * n; ++k) {
    const double inertia = (1. - alphaM_) * body.mass.data()[k];
    body.A.data()[k] = inertia - ofV * byV_.data()[k] - ofQ * beta_ * byQ_.data()[k];
    body.B.data()[k] = inertia - ofQ * (beta_ - 0.5 * gamma_) * byQ_.data()[k];
  }
  body.factoredStep = 0.;
  const std::string name = "System '" + body.system->name() + "': matrix ";
  body.factorOfB.factor(body.B, name + "B");
  body.factorOfB.solve(body.A);
  multiply(1., body.mass, body.A, 0., body.W);
  body.factorOfW.factor(body.W, name + "W = M B^-1 A");
  body.factoredStep = step_;
  ++body.factorings;
}

// G and W⁻¹Gᵀ, unless neither has changed.
void GeneralisedAlphaOSI::computeBlocks(Contact& contact) {
  std::uint64_t factorings = 0;
  for (std::size_t c = contact.begin; c < contact.end; ++c) factorings += bodyOf(c).factorings;
  if (contact.relation->isLinear() && contact.factorings == factorings) return;
  computeJacobian(contact, end_, contact.G);
  const std::size_t m = contact.interaction->size();
  const double* left = data(contact.G);
  double* right = contact.right.data();
  for (std::size_t c = contact.begin; c < contact.end; ++c) {
    const Body& body = bodyOf(c);
    const std::size_t n = body.v.size();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) right[j + i * n] = left[i + j * m];
    }
    body.factorOfW.solve(right, m);
    left += m * n;
    right += m * n;
  }
  contact.factorings = factorings;
  equations_.touchBlocks();
}

void GeneralisedAlphaOSI::updateState() {
  for (Body& body : bodies_) {
    body.v.swap(body.vChange);
    assign(body.vFree, body.v);
    setZero(body.p);
  }
  for (const Contact& contact : contacts_) {
    double* const impulse = equations_.multiplier(contact.number);
    if (!contact.isActive) std::fill_n(impulse, contact.interaction->size(), 0.);
    for (std::size_t c = contact.begin; contact.isActive && c < contact.end; ++c) {
      equations_.couplings()[c].addState(impulse, data(bodyOf(c).v));
      equations_.couplings()[c].addInput(impulse, data(bodyOf(c).p));
    }
  }
  for (Body& body : bodies_) {
    const Vector& v = body.system->velocity();
    assign(body.p, body.w);
    body.factorOfMass.solve(body.w);
    for (std::size_t j = 0; j < v.size(); ++j) {
      body.vChange(j) = body.v(j) - body.vChange(j);
      const double smooth = body.v(j) - v(j) - body.w(j);
      body.aNext(j) = (smooth - step_ * (1. - gamma_) * body.a(j)) / (step_ * gamma_);
    }
    placeTrialState(body);
  }
}

StepResidual GeneralisedAlphaOSI::residual() {
  StepResidual worst;
  for (Body& body : bodies_) {
    if (!allFinite(body.v)) return {std::numeric_limits<double>::infinity(), 0., body.system->name()};
    evaluate(body);
    const double speed = std::max(normInf(body.v), normInf(body.system->velocity()));
    const double scale = std::max(step_ * normInf(body.force), normInf(body.p));
    // M (v⁺ − v) is known only up to rounding in M v.
    const double rounding = residualRounding * static_cast<double>(body.v.size()) * normMax(body.mass) * speed;
    const double left = step_ * normInf(body.residual) - rounding;
    worst.include(left > 0. ? left / (left + scale) : 0., speed > 0. ? normInf(body.vChange) / speed : 0.,
                  body.system->name());
  }
  return worst;
}

void GeneralisedAlphaOSI::prepareAccept() {
  for (Body& body : bodies_) {
    if (!body.system->hasConstantMass()) computeMass(body, end_, body.q);
    computeAcceleration(body, end_, body.q, body.v, body.dNext);
  }
  for (Contact& contact : contacts_) computeOutputs(contact, end_);
}

void GeneralisedAlphaOSI::accept() {
  for (Contact& contact : contacts_) {
    Interaction& interaction = *contact.interaction;
    const double* const impulse = equations_.multiplier(contact.number);
    interaction.output(0).swap(contact.y);
    interaction.output(1).swap(contact.yDot);
    assign(impulse, interaction.multiplier(1));
    for (std::size_t j = 0; j < interaction.size(); ++j) interaction.multiplier(0)(j) = impulse[j] / step_;
    for (std::size_t block = 0; block < interaction.blocks(); ++block) {
      interaction.setActive(block, equations_.isActive(contact.number, block));
    }
  }
  for (Body& body : bodies_) {
    body.a.swap(body.aNext);
    body.d.swap(body.dNext);
    body.isStart = false;
    body.system->accept(begin_, body.q, body.v, body.p);
  }
}

void GeneralisedAlphaOSI::serializeState(StateArchive& archive) {
  archive.section("GeneralisedAlphaOSI");
  for (Body& body : bodies_) {
    archive.value("resets", body.resets);
    archive.value("changes", body.changes);
    archive.value("isStart", body.isStart);
    archive.value("factoredStep", body.factoredStep);
    archive.value("factorings", body.factorings);
    for (Vector* x : {&body.a, &body.d}) archive.value("vector", *x);
    for (Matrix* x : {&body.mass, &body.B, &body.W}) archive.value("matrix", *x);
    if (!archive.restores() || body.factoredStep == 0.) continue;
    // Factors of the same matrices are the same.
    body.factorOfMass.tryFactor(body.mass);
    body.factorOfB.tryFactor(body.B);
    body.factorOfW.tryFactor(body.W);
  }
  for (Contact& contact : contacts_) {
    archive.value("changes", contact.changes);
    archive.value("factorings", contact.factorings);
    archive.values("G", data(contact.G), contact.G.data().size());
    archive.values("right", contact.right.data(), contact.right.size());
  }
  equations_.serializeState(archive);
}

using std::numbers::pi;

// The ratios of errors of successive halvings of h.
template <class Error>
std::vector<double> ratios(Error errorWith, std::size_t steps, int halvings) {
  std::vector<double> all;
  double before = errorWith(steps);
  for (int k = 0; k < halvings; ++k) {
    steps *= 2;
    const double error = errorWith(steps);
    all.push_back(before / error);
    before = error;
  }
  return all;
}

void run(NonSmoothDynamicalSystem& model, std::size_t steps, double rho) {
  TimeStepping simulation(model, (model.T() - model.t0()) / static_cast<double>(steps), GeneralisedAlphaOSI(rho));
  simulation.run();
}

TEST(OwnScheme, IsOfOrderTwoForADampedAndForcedOscillator) {
  // q̈ + c q̇ + k q = f cos(ωt), from the state on the particular solution plus a free oscillation.
  const double c = 0.4, k = 9., f = 2., omega = 1.7, T = 3.;
  const double det = (k - omega * omega) * (k - omega * omega) + c * c * omega * omega;
  const double p = f * (k - omega * omega) / det, s = f * c * omega / det;
  const double decay = c / 2., nu = std::sqrt(k - decay * decay);
  const auto exact = [&](double t) {
    return p * std::cos(omega * t) + s * std::sin(omega * t) + std::exp(-decay * t) * std::cos(nu * t);
  };
  for (const double rho : {0., 0.5, 0.8, 1.}) {
    const auto error = [&](std::size_t steps) {
      auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({p + 1.}), makeVector({s * omega - decay}),
                                                         makeMatrix({{1.}}), makeMatrix({{k}}), makeMatrix({{c}}));
      mass->setExternalForces([&](double t, Vector& force) { force(0) = f * std::cos(omega * t); });
      NonSmoothDynamicalSystem model(0., T);
      model.insert(mass);
      run(model, steps, rho);
      return std::abs(mass->q()(0) - exact(T));
    };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

// l = g = m = 1, from rest at an angle of 2.
std::shared_ptr<LagrangianDS> makePendulum() {
  auto pendulum = std::make_shared<LagrangianDS>(makeVector({2.}), Vector(1), makeMatrix({{1.}}));
  pendulum->setInternalForces(
      automatic([](const auto&, const auto& q, const auto&, auto& force) { force(0) = sin(q(0)); }));
  return pendulum;
}

TEST(OwnScheme, IsOfOrderTwoForALargePendulum) {
  const double quarter = std::comp_ellint_1(std::sin(1.));
  for (const double rho : {0., 0.8, 1.}) {
    const auto error = [&](std::size_t steps) {
      auto pendulum = makePendulum();
      NonSmoothDynamicalSystem model(0., quarter);
      model.insert(pendulum);
      run(model, steps, rho);
      return std::abs(pendulum->q()(0));
    };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

TEST(OwnScheme, IsOfOrderTwoWithAMassThatChanges) {
  // A bead on the parabola y = x²: (1 + 4x²) ẍ + 4 x ẋ² = −2 x, of which ½ (1 + 4x²) ẋ² + x² is a constant.
  for (const double rho : {0.8, 1.}) {
    const auto place = [&](std::size_t steps) {
      auto bead = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}));
      bead->setMass([](const Vector& q, Matrix& M) { M(0, 0) = 1. + 4. * q(0) * q(0); });
      bead->setNNL(automatic([](const auto& q, const auto& v, auto& N) { N(0) = 4. * q(0) * v(0) * v(0); }));
      bead->setInternalForces(
          automatic([](const auto&, const auto& q, const auto&, auto& force) { force(0) = 2. * q(0); }));
      NonSmoothDynamicalSystem model(0., 2.);
      model.insert(bead);
      run(model, steps, rho);
      return bead->q()(0);
    };
    const double reference = place(12800);
    const auto error = [&](std::size_t steps) { return std::abs(place(steps) - reference); };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

Vector bothOf(const SecondOrderDS& system) {
  Vector both = system.q();
  append(system.velocity(), both);
  return both;
}

TEST(OwnScheme, IsOfOrderTwoForAFreeRigidBody) {
  for (const double rho : {0.8, 1.}) {
    const auto twist = [&](std::size_t steps) {
      auto body = std::make_shared<NewtonEulerDS>(
          NewtonEulerDS::at({0., 0., 0.}), makeVector({0., 0., 0., 0.3, 2., 0.1}), 1., diagonalMatrix({1., 2., 2.5}));
      NonSmoothDynamicalSystem model(0., 2.);
      model.insert(body);
      run(model, steps, rho);
      return bothOf(*body);
    };
    const Vector reference = twist(12800);
    const auto error = [&](std::size_t steps) {
      const Vector x = twist(steps);
      double sum = 0.;
      for (std::size_t i = 0; i < x.size(); ++i) sum = std::max(sum, std::abs(x(i) - reference(i)));
      return sum;
    };
    for (const double ratio : ratios(error, 100, 3)) EXPECT_NEAR(ratio, 4., 0.3) << "rho = " << rho;
  }
}

TEST(OwnScheme, DampsFastOscillationsByRhoAStep) {
  for (const double rho : {0.3, 0.5, 0.8, 0.95}) {
    // h ω = 1e5.
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{1e10}}), makeMatrix({{0.}}));
    NonSmoothDynamicalSystem model(0., 200.);
    model.insert(mass);
    TimeStepping simulation(model, 1., GeneralisedAlphaOSI(rho));
    // The three modes of a fast oscillation have the same factor: n steps leave a polynomial in n times ρⁿ.
    std::vector<double> q;
    simulation.run([&] { q.push_back(std::abs(mass->q()(0))); });
    const double perStep = std::pow(q[199] / q[99], 0.01);
    EXPECT_NEAR(perStep, rho, 0.03 * rho);
  }
}

TEST(OwnScheme, LeavesSlowOscillationsAlone) {
  for (const double rho : {0., 0.5, 1.}) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{1.}}), makeMatrix({{0.}}));
    NonSmoothDynamicalSystem model(0., 20. * pi);
    model.insert(mass);
    run(model, 6280, rho);
    const double energy = 0.5 * (mass->q()(0) * mass->q()(0) + mass->velocity()(0) * mass->velocity()(0));
    EXPECT_NEAR(energy, 0.5, rho == 1. ? 1e-10 : 1e-4) << "rho = " << rho;
  }
}

constexpr double g = 9.81;

struct Ball {
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> floor;
  NonSmoothDynamicalSystem model;

  Ball(double height, double mass, double restitution, double T)
      : ball(std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{mass}}))),
        floor(std::make_shared<Interaction>(NewtonImpactNSL(restitution), LagrangianLinearTIR(makeMatrix({{1.}})))),
        model(0., T) {
    ball->setExternalForces(makeVector({-mass * g}));
    model.insert("ball", ball);
    model.link(floor, ball);
  }
  double energy() const { return 0.5 * ball->velocity()(0) * ball->velocity()(0) + g * ball->q()(0); }
};

TEST(OwnScheme, ABallBouncesWithoutGainOfEnergy) {
  const double h = 1e-3, height = 1., fastest = std::sqrt(2. * g * height);
  for (const double rho : {0., 0.8, 1.}) {
    for (const double e : {0., 0.5, 0.8, 1.}) {
      SCOPED_TRACE("rho = " + std::to_string(rho) + ", e = " + std::to_string(e));
      Ball ball(height, 2., e, 3.);
      TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
      double energy = ball.energy(), lowest = 0., impulse = 0.;
      std::size_t impacts = 0;
      simulation.run([&] {
        // Bounces slower than the fall of a step, g h, come to rest in the floor, and may gain what they rise there.
        EXPECT_LE(ball.energy(), energy + g * h * g * h * (1. - e) / (8. * (1. + e)) + 1e-12);
        energy = ball.energy();
        lowest = std::min(lowest, ball.ball->q()(0));
        impulse += ball.floor->lambda(1)(0);
        if (ball.floor->lambda(1)(0) > 2. * fastest) ++impacts;
      });
      EXPECT_GE(lowest, -h * fastest);
      // Of the whole motion: m (v(T) − v(0)) = −m g T + Σ λ.
      EXPECT_NEAR(impulse, 2. * (ball.ball->velocity()(0) + g * 3.), 1e-10);
      if (e == 1.) {
        EXPECT_NEAR(energy, g * height, 1e-10);
      }
      if (e == 0.) {
        EXPECT_EQ(impacts, 1U);
      }
    }
  }
}

TEST(OwnScheme, ImpactsAreOfOrderOne) {
  // v and q at a time after the first impact; the flight is exact, so that only the instant of the impact is off.
  const double e = 0.8, T = 0.7, fall = std::sqrt(2. / g), up = e * g * fall;
  const double exact = up * (T - fall) - 0.5 * g * (T - fall) * (T - fall);
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
    Ball ball(1., 1., e, T);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(0.8));
    simulation.run();
    EXPECT_LE(std::abs(ball.ball->q()(0) - exact), 10. * h);
  }
}

TEST(OwnScheme, ABallRestsOnTheFloor) {
  const double h = 1e-3, height = 0.05;
  for (const double rho : {0., 0.8, 1.}) {
    Ball ball(height, 3., 0., 10.);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
    while (simulation.time() < 0.2) simulation.step();
    const double place = ball.ball->q()(0);
    EXPECT_LE(place, 0.);
    EXPECT_GE(place, -h * std::sqrt(2. * g * height));
    simulation.run([&] {
      EXPECT_NEAR(ball.floor->lambda(1)(0), 3. * g * h, 1e-14);
      EXPECT_NEAR(ball.floor->lambda(0)(0), 3. * g, 1e-11);
      EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-15);
      EXPECT_NEAR(ball.ball->q()(0), place, 1e-15);
    });
  }
}

TEST(OwnScheme, ABallPlacedOnTheFloorSinksByTheFallOfAStepAtMost) {
  // Where the gap is zero to rounding, the forecast may let go of it once.
  const double h = 1e-3;
  for (const double rho : {0., 0.8, 1.}) {
    Ball ball(0., 3., 0., 10.);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
    simulation.run([&] {
      EXPECT_LE(ball.ball->q()(0), 1e-15);
      EXPECT_GE(ball.ball->q()(0), -1.001 * g * h * h);
    });
    EXPECT_NEAR(ball.floor->lambda(1)(0), 3. * g * h, 1e-14);
    EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-15);
  }
}

TEST(OwnScheme, AContactThatHoldsDoesNotDrift) {
  // On a spring, a little within the floor, pressed to it by a force that swings: the gap moves by h² |β − γ/2| times
  // the change of the force, over any number of steps.
  const double h = 1e-2;
  for (const double rho : {0., 0.8, 1.}) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({-0.001}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{400.}}), makeMatrix({{1.}}));
    mass->setExternalForces([](double t, Vector& force) { force(0) = -20. + 10. * std::sin(7. * t); });
    auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})));
    NonSmoothDynamicalSystem model(0., 50.);
    model.insert(mass);
    model.link(floor, mass);
    TimeStepping simulation(model, h, GeneralisedAlphaOSI(rho));
    double largest = 0.;
    simulation.run([&] {
      largest = std::max(largest, std::abs(mass->q()(0) + 0.001));
      EXPECT_NEAR(mass->velocity()(0), 0., 1e-14);
      EXPECT_TRUE(floor->isActive());
    });
    // (β − γ/2) = (1 − ρ)² / (4 (1 + ρ)²), and the force changes by 20 at most.
    const double weight = (1. - rho) / (2. * (1. + rho));
    EXPECT_LE(largest, weight * weight * 20. * h * h + 1e-15);
  }
}

TEST(OwnScheme, AStiffChainFallsOnTheFloorWithoutGainOfEnergy) {
  // Five masses and springs, h ω up to 20, on a rigid floor.
  const std::size_t n = 5;
  const double k = 1e8, h = 1e-3;
  Vector q0(n);
  Matrix M(n, n), K(n, n), C(n, n), H(1, n);
  for (std::size_t i = 0; i < n; ++i) {
    M(i, i) = 1.;
    q0(i) = 0.5;
    K(i, i) = i == 0 || i + 1 == n ? k : 2. * k;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -k;
  }
  H(0, 0) = 1.;
  for (const double rho : {0.2, 0.8}) {
    auto chain = std::make_shared<LagrangianLinearTIDS>(q0, Vector(n), M, K, C);
    chain->setExternalForces(Vector(n, -g));
    auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(H));
    NonSmoothDynamicalSystem model(0., 2.);
    model.insert(chain);
    model.link(floor, chain);
    TimeStepping simulation(model, h, GeneralisedAlphaOSI(rho));
    const auto energy = [&] {
      double sum = 0.;
      for (std::size_t i = 0; i < n; ++i) {
        const double v = chain->velocity()(i);
        sum += 0.5 * v * v + g * chain->q()(i);
        if (i > 0) sum += 0.5 * k * std::pow(chain->q()(i) - chain->q()(i - 1), 2);
      }
      return sum;
    };
    const double start = energy();
    double largest = 0.;
    simulation.run([&] { largest = std::max(largest, energy()); });
    EXPECT_LE(largest, start * 1.001) << "rho = " << rho;
    EXPECT_NEAR(chain->q()(0), 0., 4e-3) << "rho = " << rho;
  }
}

TEST(OwnScheme, APointFallsOnADisk) {
  // Nonlinear systems and relations need Newton's method; every step is certified.
  auto point = std::make_shared<LagrangianDS>(makeVector({0., 1.3}), makeVector({0.5, 0.}), diagonalMatrix({1., 1.}));
  point->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& force) {
    force(0) = 0.5 * q(0) * q(0) * q(0);
    force(1) = g + 0. * q(1);
  }));
  auto disk = std::make_shared<Interaction>(NewtonImpactNSL(0.3),
                                            LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                      y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - 1.;
                                                                    })));
  NonSmoothDynamicalSystem model(0., 0.4);
  model.insert(point);
  model.link(disk, point);
  TimeStepping simulation(model, 1e-3, GeneralisedAlphaOSI(0.8));
  double lowest = 0.;
  simulation.run([&] { lowest = std::min(lowest, disk->y(0)(0)); });
  EXPECT_GE(lowest, -1e-3 * std::sqrt(2. * g * 0.3) - 1e-4);
  EXPECT_LE(simulation.statistics().newtonIterations, 4U * simulation.steps());
}

TEST(OwnScheme, ABlockSlidesAndStopsByFriction) {
  // μ = 0.4, from 2 m/s, with gravity along −y; a stiff and damped joint of its two parts that does not matter.
  const double h = 1e-3, mu = 0.4, k = 1e4, c = 5.;
  const Matrix M = diagonalMatrix({1., 1., 1.});
  const Matrix K = makeMatrix({{k, 0., -k}, {0., 0., 0.}, {-k, 0., k}});
  const Matrix C = makeMatrix({{c, 0., -c}, {0., 0., 0.}, {-c, 0., c}});
  auto block = std::make_shared<LagrangianLinearTIDS>(makeVector({0., -1e-4, 0.}), makeVector({2., 0., 2.}), M, K, C);
  block->setExternalForces(makeVector({0., -g, 0.}));
  auto floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2),
                                             LagrangianLinearTIR(makeMatrix({{0., 1., 0.}, {1., 0., 0.}})));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(block);
  model.link(floor, block);
  TimeStepping simulation(model, h, GeneralisedAlphaOSI(0.8));
  simulation.run([&] {
    EXPECT_NEAR(floor->lambda(1)(0), g * h, 1e-12);
    EXPECT_LE(std::abs(floor->lambda(1)(1)), mu * g * h * (1. + 1e-8));
    EXPECT_TRUE(simulation.lastStep().solve.converged());
  });
  // The two parts, of 2 kg, slow down by the friction of 1 kg: over v²/(2 μ g / 2).
  EXPECT_NEAR(0.5 * (block->q()(0) + block->q()(2)), 4. / (mu * g), 5e-3);
  EXPECT_NEAR(block->velocity()(0), 0., 1e-6);
}

TEST(OwnScheme, RefusesOtherLaws) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  auto dry = std::make_shared<Interaction>(RelayNSL(1, -1., 1.), LagrangianLinearTIR(makeMatrix({{1.}})));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  dry->setName("dry");
  model.link(dry, mass);
  TimeStepping simulation(model, 0.1, GeneralisedAlphaOSI());
  try {
    simulation.initialise();
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'dry'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(GeneralisedAlphaOSI(1.1), Error);
}

TEST(OwnScheme, AStateSetByTheUserStartsAnew) {
  Ball once(1., 2., 0.5, 1.), again(0.2, 2., 0.5, 2.);
  TimeStepping a(once.model, 1e-2, GeneralisedAlphaOSI()), b(again.model, 1e-2, GeneralisedAlphaOSI());
  for (int k = 0; k < 100; ++k) b.step();
  again.ball->setState(makeVector({1.}), makeVector({0.}));
  for (int k = 0; k < 100; ++k) {
    a.step();
    b.step();
    ASSERT_EQ(once.ball->q()(0), again.ball->q()(0)) << "after step " << k;
  }
}

TEST(OwnScheme, RestartsToTheBit) {
  test::expectSameAfterRestart("ball", [] {
    auto model = std::make_shared<Ball>(0.1, 2., 0.5, 0.5);
    auto simulation = std::make_shared<TimeStepping>(model->model, 1e-2, GeneralisedAlphaOSI(0.7));
    return test::restartRun(model, simulation);
  });
  struct Swing {
    std::shared_ptr<LagrangianDS> pendulum = makePendulum();
    std::shared_ptr<Interaction> wall =
        std::make_shared<Interaction>(NewtonImpactNSL(0.6), LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({0.3})));
    NonSmoothDynamicalSystem model{0., 4.};
    Swing() {
      model.insert(pendulum);
      model.link(wall, pendulum);
    }
  };
  test::expectSameAfterRestart("pendulum", [] {
    auto model = std::make_shared<Swing>();
    auto simulation = std::make_shared<TimeStepping>(model->model, 0.05, GeneralisedAlphaOSI(0.7));
    return test::restartRun(model, simulation);
  });
}

}  // namespace
