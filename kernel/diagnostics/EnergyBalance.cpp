// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/diagnostics/RestoredEntries.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <iomanip>
#include <sstream>

namespace delassus {
namespace {

// Over a segment of length h: h (a + b)/2 · (v + w)/2.
double meanProduct(double h, const Vector& a, const Vector& b, const Vector& v, const Vector& w) {
  double sum = 0.;
  for (std::size_t i = 0; i < v.size(); ++i) sum += (a(i) + b(i)) * (v(i) + w(i));
  return 0.25 * h * sum;
}

}  // namespace

void EnergyBalance::wasAdded(Simulation& simulation) {
  simulation_ = &simulation;
  begun_ = false;
  bodies_.clear();
  contacts_.clear();
  elements_ = {};
  boundSystems_.clear();
  kinetic_ = initial_ = forceWork_ = contactWork_ = removedWork_ = 0.;
  largestResidual_ = largestResidualAt_ = turnover_ = 0.;
}

// A restored balance continues from its snapshot, which precedes the last step if the checkpoint was made before it was
// notified of that step.
void EnergyBalance::begin(Simulation& simulation) {
  if (begun_) {
    if (simulation.stepIndex() > lastStep_) afterStep(simulation);
    return;
  }
  bind(simulation);
  takeSnapshot(simulation.time(), false, false);
  initial_ = kinetic_;
  lastStep_ = simulation.stepIndex();
  begun_ = true;
}

// Keeps the sums of the objects that remain in the model.
void EnergyBalance::bind(const Simulation& simulation) {
  const Topology& topology = simulation.model().topology();
  std::vector<Body> bodies;
  for (std::size_t k = 0; k < topology.systems().size(); ++k) {
    SecondOrderDS* const system = topology.systems()[k]->secondOrder();
    if (system == nullptr) continue;
    const std::uint64_t serial = topology.systemSerials()[k];
    const auto known =
        std::find_if(bodies_.begin(), bodies_.end(), [&](const Body& body) { return body.serial == serial; });
    if (known != bodies_.end()) {
      bodies.push_back(std::move(*known));
      continue;
    }
    Body body;
    body.serial = serial;
    body.name = system->name();
    body.system = system;
    for (Vector* v : {&body.change, &body.forces, &body.interactions}) assignZero(*v, system->dimension());
    bodies.push_back(std::move(body));
  }
  bodies_.swap(bodies);
  numbers_.clear();
  for (std::size_t k = 0; k < bodies_.size(); ++k) numbers_[bodies_[k].system] = k;
  std::vector<Contact> contacts;
  std::size_t old = 0;
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    const std::uint64_t serial = topology.interactionSerials()[k];
    while (old < contacts_.size() && detail::isBefore(contacts_[old].serial, serial)) {
      removedWork_ += contacts_[old++].work;
    }
    if (old < contacts_.size() && contacts_[old].serial == serial) {
      contacts.push_back(std::move(contacts_[old++]));
      continue;
    }
    const Interaction& interaction = *topology.interactions()[k];
    Contact contact;
    contact.serial = serial;
    contact.name = interaction.name();
    contact.interaction = &interaction;
    contacts.push_back(std::move(contact));
  }
  while (old < contacts_.size()) removedWork_ += contacts_[old++].work;
  contacts_.swap(contacts);
  elements_.bind(topology);
  boundTo_.take(topology.version());
  boundSystems_ = topology.systemSerials();
}

std::size_t EnergyBalance::resets() const {
  std::size_t sum = 0;
  for (const Body& body : bodies_) sum += body.system->stateResets();
  return sum;
}

// Mass and forces at the present configuration and the velocity of `instant`.
void EnergyBalance::evaluate(Body& body, double t, Instant& instant) const {
  SecondOrderDS& system = *body.system;
  system.mass(t, system.q(), instant.mass);
  system.forces(t, system.q(), instant.v, instant.force);
  system.inertialForces(system.q(), instant.v, instant.inertial);
}

void EnergyBalance::addElementForces(double t, Instant Body::*instant) {
  if (elements_.isEmpty()) return;
  elements_.addForces(t, [&](const DynamicalSystem& system) {
    const auto number = numbers_.find(&system);
    if (number == numbers_.end()) return ElementWorks::Place{};
    Instant& own = bodies_[number->second].*instant;
    return ElementWorks::Place{&own.v, &own.force};
  });
}

// With `accounted`, the states at the end of the segment were evaluated, and are the present ones unless there was an
// impact. (The force of an element follows from the velocities of several systems.)
void EnergyBalance::takeSnapshot(double t, bool accounted, bool jumped) {
  const bool arePresent = accounted && std::all_of(bodies_.begin(), bodies_.end(), [](const Body& body) {
                            const Vector& v = body.system->velocity();
                            return std::equal(v.begin(), v.end(), body.end.v.begin(), body.end.v.end());
                          });
  kinetic_ = 0.;
  for (Body& body : bodies_) {
    if (arePresent) {
      for (const auto vector : {&Instant::v, &Instant::force, &Instant::inertial}) {
        (body.last.*vector).swap(body.end.*vector);
      }
      body.last.mass.swap(body.end.mass);
    } else {
      assign(body.system->velocity(), body.last.v);
      evaluate(body, t, body.last);
    }
    kinetic_ += 0.5 * quadraticForm(body.last.mass, body.last.v);
  }
  if (!arePresent) addElementForces(t, &Body::last);
  elements_.takeSnapshot(t, jumped);
  for (Contact& contact : contacts_) {
    const Interaction& interaction = *contact.interaction;
    if (interaction.levels() < 2) continue;
    assign(interaction.y(1), contact.yDot);
    assign(interaction.lambda(0), contact.lambda);
    assign(interaction.lambda(1), contact.impulse);
  }
  resets_ = resets();
  time_ = t;
}

// False if the state has jumped by something other than the motion.
bool EnergyBalance::isContinuous(const Simulation& simulation) const {
  return simulation.time() >= time_ && simulation.model().topology().systemSerials() == boundSystems_ &&
         resets() == resets_;
}

// At the instant of the last snapshot: true unless the impulses are those that it has seen.
bool EnergyBalance::hasNewImpulse() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& contact) {
    if (contact.interaction->levels() < 2) return false;
    const Vector& now = contact.interaction->lambda(1);
    const bool isKnown = contact.impulse.size() == now.size();
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now(i) != 0. && !(isKnown && now(i) == contact.impulse(i))) return true;
    }
    return false;
  });
}

// At events the impulse belongs to the end of the segment.
void EnergyBalance::findStateBeforeImpact(Body& body, double t, double h) const {
  // An impact at the instant of another event begins with the state after that.
  if (h == 0.) {
    assign(body.last.v, body.end.v);
  } else if (normInf(body.system->p()) > 0.) {
    body.system->mass(t, body.system->q(), body.end.mass);
    if (!body.factor.tryFactor(body.end.mass)) return;
    assign(body.system->p(), body.jump);
    body.factor.solve(body.jump);
    addScaled(-1., body.jump, body.end.v);
  }
}

// The states at t, before an impact there.
void EnergyBalance::evaluateEnd(double t, double h, bool smooth) {
  for (Body& body : bodies_) {
    assign(body.system->velocity(), body.end.v);
    if (smooth) findStateBeforeImpact(body, t, h);
    evaluate(body, t, body.end);
  }
  addElementForces(t, &Body::end);
  elements_.account(h);
}

// Work and impulses of a body from the last snapshot to the end; gives the work of its interactions.
double EnergyBalance::accountBody(Body& body, double h, bool smooth) {
  const Instant& last = body.last;
  const Instant& end = body.end;
  const Vector& velocity = body.system->velocity();
  const Vector& p = body.system->p();
  double forces = 0.;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double applied = last.force(i) - last.inertial(i) + end.force(i) - end.inertial(i);
    forces += 0.25 * h * applied * (last.v(i) + end.v(i));
    body.forces(i) += 0.5 * h * applied;
    body.interactions(i) += p(i);
  }
  forceWork_ += forces;
  turnover_ += std::abs(forces);
  // M⁺v⁺ − M v − ΔM v̄ = M̄ Δv, less the impulse of inertial forces.
  assign(end.v, body.jump);
  addScaled(-1., last.v, body.jump);
  for (std::size_t i = 0; i < p.size(); ++i) {
    body.change(i) += (smooth ? p(i) : 0.) - 0.5 * h * (last.inertial(i) + end.inertial(i));
  }
  multiply(0.5, last.mass, body.jump, 1., body.change);
  multiply(0.5, end.mass, body.jump, 1., body.change);
  double work = 0.;
  const Vector& before = smooth ? end.v : last.v;
  for (std::size_t i = 0; i < p.size(); ++i) work += 0.5 * p(i) * (before(i) + velocity(i));
  return work;
}

void EnergyBalance::accountContacts(double h, bool smooth) {
  smoothWork_ = 0.;
  for (Contact& contact : contacts_) {
    const Interaction& interaction = *contact.interaction;
    if (interaction.levels() < 2) continue;
    const Vector& yDot = interaction.y(1);
    const bool known = contact.yDot.size() == yDot.size();
    const Vector& before = known ? contact.yDot : yDot;
    const Vector& impulse = interaction.lambda(1);
    for (std::size_t i = 0; i < yDot.size(); ++i) contact.work += 0.5 * impulse(i) * (before(i) + yDot(i));
    if (!smooth || !known) continue;
    const double work = meanProduct(h, contact.lambda, interaction.lambda(0), contact.yDot, yDot);
    contact.work += work;
    smoothWork_ += work;
  }
}

void EnergyBalance::account(const Simulation& simulation, bool smoothContacts) {
  const double t = simulation.time();
  const double kineticBefore = kinetic_;
  const bool continuous = isContinuous(simulation);
  if (!boundTo_.isCurrent(simulation.model().topology().version())) bind(simulation);
  // Several entries of one instant, and an output there, have one impulse.
  const bool accounts = continuous && (t > time_ || hasNewImpulse());
  if (accounts) {
    const double h = t - time_;
    double work = 0.;
    evaluateEnd(t, h, smoothContacts);
    for (Body& body : bodies_) work += accountBody(body, h, smoothContacts);
    accountContacts(h, smoothContacts);
    contactWork_ += work + smoothWork_;
    turnover_ += std::abs(work) + std::abs(smoothWork_);
  }
  takeSnapshot(t, accounts, !continuous);
  if (!continuous) initial_ += kinetic_ - kineticBefore;
  if (std::abs(residual()) > largestResidual_) {
    largestResidual_ = std::abs(residual());
    largestResidualAt_ = t;
  }
}

void EnergyBalance::afterStep(Simulation& simulation) {
  account(simulation, !simulation.hasImpulsesOfSteps());
  lastStep_ = simulation.stepIndex();
}

void EnergyBalance::onEvent(Simulation& simulation, const Event&) {
  account(simulation, !simulation.hasImpulsesOfSteps());
}

void EnergyBalance::serializeState(StateArchive& archive) {
  if (!begun_ && !archive.restores()) return;
  if (simulation_ == nullptr) archive.refuse("The energy balance was added to no simulation.");
  const Topology& topology = simulation_->model().topology();
  bool sameSystems = boundSystems_ == topology.systemSerials();
  archive.value("same systems", sameSystems);
  serializeBodies(archive);
  serializeContacts(archive);
  elements_.serializeState(archive, topology);
  archive.value("last step", lastStep_);
  archive.value("resets", resets_);
  archive.value("time", time_);
  archive.value("kinetic energy", kinetic_);
  archive.value("initial kinetic energy", initial_);
  archive.value("work of forces", forceWork_);
  archive.value("work of interactions", contactWork_);
  archive.value("work of removed interactions", removedWork_);
  archive.value("largest residual", largestResidual_);
  archive.value("time of the largest residual", largestResidualAt_);
  archive.value("turnover", turnover_);
  if (!archive.restores()) return;
  begun_ = true;
  boundTo_.forget();
  boundSystems_.clear();
  if (sameSystems) boundSystems_ = topology.systemSerials();
}

void EnergyBalance::serializeBodies(StateArchive& archive) {
  const Topology& topology = simulation_->model().topology();
  detail::serializeEntries(archive, topology.systemSerials(), bodies_, [&](Body& body, std::size_t place) {
    archive.value("name", body.name);
    for (Vector* const x : {&body.last.v, &body.last.force, &body.last.inertial}) archive.value("last instant", *x);
    body.last.mass.serializeState(archive);
    for (Vector* const x : {&body.change, &body.forces, &body.interactions}) archive.value("momentum", *x);
    if (!archive.restores() || place == topology.systems().size()) return;
    body.system = topology.systems()[place]->secondOrder();
    if (body.system != nullptr && body.system->dimension() == body.change.size()) return;
    archive.refuse("It has the energy of '" + body.name + "' with " + std::to_string(body.change.size()) +
                   " velocities, where this model has '" + topology.systems()[place]->name() + "'.");
  });
}

void EnergyBalance::serializeContacts(StateArchive& archive) {
  const Topology& topology = simulation_->model().topology();
  detail::serializeEntries(archive, topology.interactionSerials(), contacts_, [&](Contact& contact, std::size_t place) {
    archive.value("name", contact.name);
    for (Vector* const x : {&contact.yDot, &contact.lambda, &contact.impulse}) archive.value("last instant", *x);
    archive.value("work", contact.work);
    if (!archive.restores() || place == topology.interactions().size()) return;
    contact.interaction = topology.interactions()[place].get();
    if (contact.yDot.empty() || contact.yDot.size() == contact.interaction->size()) return;
    archive.refuse("It has the work of '" + contact.name + "' with " + std::to_string(contact.yDot.size()) +
                   " rows, where this model has '" + contact.interaction->name() + "'.");
  });
}

std::vector<EnergyBalance::InteractionWork> EnergyBalance::byInteraction() const {
  std::vector<InteractionWork> all;
  for (const Contact& contact : contacts_) all.push_back({contact.name, contact.work});
  if (removedWork_ != 0.) all.push_back({"removed", removedWork_});
  return all;
}

std::vector<EnergyBalance::Momentum> EnergyBalance::momentum() const {
  std::vector<Momentum> all;
  for (const Body& body : bodies_) {
    Momentum momentum{body.name, body.change, body.forces, body.interactions, body.change};
    addScaled(-1., body.forces, momentum.residual);
    addScaled(-1., body.interactions, momentum.residual);
    all.push_back(std::move(momentum));
  }
  return all;
}

std::string EnergyBalance::text() const {
  constexpr std::size_t shown = 20;
  std::ostringstream text;
  text.precision(6);
  text << "kinetic energy " << initial_ << " -> " << kinetic_ << ", work of forces " << forceWork_
       << ", of interactions " << contactWork_ << "\nresidual " << residual() << ", largest " << largestResidual_
       << " at t = " << largestResidualAt_ << " (energy moved: " << turnover_ << ")\n";
  std::vector<InteractionWork> works = byInteraction();
  std::sort(works.begin(), works.end(),
            [](const InteractionWork& a, const InteractionWork& b) { return std::abs(a.work) > std::abs(b.work); });
  for (std::size_t k = 0; k < std::min(works.size(), shown); ++k) {
    text << "  '" << works[k].name << "' " << works[k].work << '\n';
  }
  if (works.size() > shown) text << "  and " << works.size() - shown << " more\n";
  std::size_t left = shown;
  for (const ElementWorks::Work& element : byElement()) {
    if (left-- == 0) break;
    text << "  force element '" << element.name << "' " << element.work << ", stored " << element.stored
         << ", dissipated " << element.dissipated() << '\n';
  }
  if (byElement().size() > shown) text << "  and " << byElement().size() - shown << " more force elements\n";
  for (const Momentum& momentum : this->momentum()) {
    const double moved = std::max(normInf(momentum.forces), normInf(momentum.interactions));
    text << "  momentum of '" << momentum.system << "': largest residual " << normInf(momentum.residual) << " of "
         << moved << '\n';
  }
  return text.str();
}

}  // namespace delassus
