// SPDX-License-Identifier: Apache-2.0
//
// The rest of the class of docs/how-to/own-scheme.md, line by line.
#include "OwnScheme.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <memory>
#include <string>

namespace delassus::test {

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

}  // namespace delassus::test
