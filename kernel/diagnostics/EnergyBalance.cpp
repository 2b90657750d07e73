// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <iomanip>
#include <sstream>

namespace delassus {
namespace {

double quadratic(const Matrix& A, const Vector& v) {
  double sum = 0.;
  for (std::size_t j = 0; j < v.size(); ++j) {
    for (std::size_t i = 0; i < v.size(); ++i) sum += v(i) * A(i, j) * v(j);
  }
  return sum;
}

// Over a segment of length h: h (a + b)/2 · (v + w)/2.
double meanProduct(double h, const Vector& a, const Vector& b, const Vector& v, const Vector& w) {
  double sum = 0.;
  for (std::size_t i = 0; i < v.size(); ++i) sum += (a(i) + b(i)) * (v(i) + w(i));
  return 0.25 * h * sum;
}

// The velocities before an impact with the impulse p.
void subtractImpulse(const Matrix& mass, const Vector& p, Vector& v) {
  LUFactorization factor;
  if (!factor.tryFactor(mass)) return;
  Vector jump = p;
  factor.solve(jump);
  addScaled(-1., jump, v);
}

}  // namespace

void EnergyBalance::begin(Simulation& simulation) {
  bind(simulation);
  takeSnapshot(simulation.time());
  initial_ = kinetic_ - forceWork_ - contactWork_;
}

// Keeps the sums of what stays in the model.
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
  std::vector<Contact> contacts;
  std::size_t old = 0;
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    const std::uint64_t serial = topology.interactionSerials()[k];
    while (old < contacts_.size() && contacts_[old].serial < serial) removedWork_ += contacts_[old++].work;
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
  boundVersion_ = topology.version();
  boundSystems_ = topology.systemSerials();
}

std::size_t EnergyBalance::resets() const {
  std::size_t sum = 0;
  for (const Body& body : bodies_) sum += body.system->stateResets();
  return sum;
}

void EnergyBalance::takeSnapshot(double t) {
  kinetic_ = 0.;
  for (Body& body : bodies_) {
    SecondOrderDS& system = *body.system;
    assign(system.velocity(), body.v);
    system.mass(t, system.q(), body.mass);
    system.forces(t, system.q(), body.v, body.force);
    system.inertialForces(system.q(), body.v, body.inertial);
    kinetic_ += 0.5 * quadratic(body.mass, body.v);
  }
  for (Contact& contact : contacts_) {
    const Interaction& interaction = *contact.interaction;
    if (interaction.levels() < 2) continue;
    assign(interaction.y(1), contact.yDot);
    assign(interaction.lambda(0), contact.lambda);
  }
  resets_ = resets();
  time_ = t;
}

// False if the state has jumped by something else than the motion.
bool EnergyBalance::isContinuous(const Simulation& simulation) const {
  return simulation.model().topology().systemSerials() == boundSystems_ && resets() == resets_;
}

// Work and impulses of a body from the last snapshot to t, by the state before an impact at t; gives the work of its
// interactions.
double EnergyBalance::accountBody(Body& body, double t, double h, bool smooth) {
  SecondOrderDS& system = *body.system;
  const Vector& p = system.p();
  Vector end = system.velocity();
  Vector force, inertial;
  Matrix mass;
  system.mass(t, system.q(), mass);
  // In steps the impulse belongs to all of it, at events to the end.
  if (smooth) subtractImpulse(mass, p, end);
  system.forces(t, system.q(), end, force);
  system.inertialForces(system.q(), end, inertial);
  double forces = 0.;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double applied = body.force(i) - body.inertial(i) + force(i) - inertial(i);
    forces += 0.25 * h * applied * (body.v(i) + end(i));
    body.forces(i) += 0.5 * h * applied;
    body.interactions(i) += p(i);
  }
  forceWork_ += forces;
  turnover_ += std::abs(forces);
  // M⁺v⁺ − M v − ΔM v̄ = M̄ Δv, less what inertial forces do.
  for (std::size_t i = 0; i < end.size(); ++i) {
    double change = -0.5 * h * (body.inertial(i) + inertial(i));
    for (std::size_t j = 0; j < end.size(); ++j) {
      change += 0.5 * (body.mass(i, j) + mass(i, j)) * (end(j) - body.v(j));
    }
    body.change(i) += change + (smooth ? p(i) : 0.);
  }
  double work = 0.;
  const Vector& before = smooth ? end : body.v;
  for (std::size_t i = 0; i < p.size(); ++i) work += 0.5 * p(i) * (before(i) + system.velocity()(i));
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
  if (simulation.model().topology().version() != boundVersion_) bind(simulation);
  if (continuous) {
    const double h = t - time_;
    double work = 0.;
    for (Body& body : bodies_) work += accountBody(body, t, h, smoothContacts);
    accountContacts(h, smoothContacts);
    contactWork_ += work + smoothWork_;
    turnover_ += std::abs(work) + std::abs(smoothWork_);
  }
  takeSnapshot(t);
  if (!continuous) initial_ += kinetic_ - kineticBefore;
  if (std::abs(residual()) > largestResidual_) {
    largestResidual_ = std::abs(residual());
    largestResidualAt_ = t;
  }
}

void EnergyBalance::afterStep(Simulation& simulation) {
  account(simulation, !simulation.hasImpulsesOfSteps());
}

void EnergyBalance::onEvent(Simulation& simulation, const Event&) {
  // Several entries of one instant have one impulse.
  if (simulation.time() > time_) account(simulation, true);
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
  for (const Momentum& momentum : this->momentum()) {
    const double moved = std::max(normInf(momentum.forces), normInf(momentum.interactions));
    text << "  momentum of '" << momentum.system << "': largest residual " << normInf(momentum.residual) << " of "
         << moved << '\n';
  }
  return text.str();
}

}  // namespace delassus
