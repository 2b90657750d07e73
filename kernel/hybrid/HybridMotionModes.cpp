// SPDX-License-Identifier: Apache-2.0
//
// The part of HybridMotion for what happens at an instant: impacts, and the mode that continues from there.
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {

void HybridMotion::start(double t, bool initial, double* z) {
  takeState(t, initial, z);
  starting_ = true;
}

// The states and parameters that the user has given. Nothing of the mode before holds them: a contact is open if it is.
void HybridMotion::takeState(double t, bool initial, double* z) {
  forget();
  isGiven_ = true;
  held_.set(blocks_, {});
  takeLaws();
  blocks_.refresh(t);
  blocks_.loadSystems();
  blocks_.computeMasses(t);
  refreshOutputs(t);
  for (Contact& contact : contacts_) {
    contact.element->requireConsistent(stateOf(contact, t), "Interaction '" + nameOf(contact) + "'", piece_.instant(t),
                                       initial);
    if (contact.element->hasGap() && gap(contact) > options_.gapTolerance) contact.mode = ContactMode::open;
  }
  blocks_.store(z);
  std::fill_n(z + blocks_.size(), size() - blocks_.size(), 0.);
}

void HybridMotion::enter(double t, double* z, std::vector<Event>& events) {
  if (hasChanged()) takeState(t, false, z);
  for (Contact& contact : contacts_) {
    contact.touches = false;
    contact.proposed = contact.isClosed() ? contact.mode : ContactMode::held;
    contact.rests = contact.mode == ContactMode::creeping;
  }
  resolve(t, z, events);
}

void HybridMotion::cross(double t, double* z, const std::vector<std::size_t>& fallen, std::vector<Event>& events) {
  solve(t, z);
  held_.balance(blocks_);
  for (Contact& contact : contacts_) {
    contact.touches = false;
    contact.proposed = contact.isClosed() ? contact.mode : ContactMode::held;
    contact.rests = contact.mode == ContactMode::creeping;
    // Others may come to rest in the same instant, up to rounding: the other foot of a block.
    if (!contact.element->comesToRest(stateOf(contact, t), isTied(contact, fallen))) continue;
    contact.proposed = ContactMode::held;
    contact.rests = true;
  }
  for (const std::size_t guard : endsWith(fallen, t)) {
    // An event determines what ends: where a guard is zero, the laws alone would leave it to rounding.
    Contact& contact = contacts_[guardOwners_[guard]];
    contact.element->propose(stateOf(contact, t), guard - contact.firstGuard, contact);
  }
  resolve(t, z, events);
}

// The guards that end with these. Forces that are balanced reach their bounds together, up to rounding.
std::vector<std::size_t> HybridMotion::endsWith(const std::vector<std::size_t>& fallen, double t) {
  constexpr double roundings = 1e4;
  const auto isBound = [](const Contact& contact, std::size_t slot) {
    return contact.element->isForceGuard(contact.mode, slot) && (slot == 0 || contact.mode == ContactMode::held);
  };
  const bool any = std::any_of(fallen.begin(), fallen.end(), [&](std::size_t guard) {
    const Contact& contact = contacts_[guardOwners_[guard]];
    return isBound(contact, guard - contact.firstGuard);
  });
  std::vector<std::size_t> ends = fallen;
  if (!any || !held_.isRedundant()) return ends;
  std::array<double, 3> g = {0., 0., 0.};
  std::array<double, 3> gDot = g;
  for (const Contact& contact : contacts_) {
    if (!contact.isClosed() || !isTied(contact, fallen)) continue;
    const ElementState state = stateOf(contact, t);
    contact.element->computeGuards(state, g.data(), gDot.data());
    for (std::size_t slot = 0; slot < contact.element->guards(); ++slot) {
      if (!isBound(contact, slot) || g[slot] > roundings * contact.element->guardRounding(state, slot)) continue;
      const std::size_t guard = contact.firstGuard + slot;
      if (std::find(fallen.begin(), fallen.end(), guard) == fallen.end()) ends.push_back(guard);
    }
  }
  return ends;
}

// Whether a contact shares a body with one of those whose guards have fallen.
bool HybridMotion::isTied(const Contact& contact, const std::vector<std::size_t>& fallen) const {
  const auto& own = blocks_.interactions()[contact.interaction];
  for (const std::size_t guard : fallen) {
    const auto& other = blocks_.interactions()[contacts_[guardOwners_[guard]].interaction];
    for (std::size_t c = own.begin; c < own.end; ++c) {
      for (std::size_t d = other.begin; d < other.end; ++d) {
        if (blocks_.systemOf(c) == blocks_.systemOf(d)) return true;
      }
    }
  }
  return false;
}

void HybridMotion::resolve(double t, double* z, std::vector<Event>& events) {
  refine();
  blocks_.renewIncrements();
  prepare(t, z);
  forget();
  violations_ = held_.violations();
  for (std::size_t i = 0; i < velocitiesBefore_.size(); ++i) assign(blocks_.systems()[i].v, velocitiesBefore_[i]);
  for (Vector& impulse : impulses_) setZero(impulse);
  impulsesAt_ = t;
  showsInstant_ = true;
  findTouching(t);
  separateTouching(t);
  resolveImpacts(t);
  decideModes(t);
  while (findShortFlights(t)) {
    endShortFlights(t);
    decideModes(t);
  }
  findOffsets(t);
  blocks_.store(z);
  std::fill_n(z + blocks_.size(), size() - blocks_.size(), 0.);
  logChanges(t, events);
  findForceSize(t, z);
  starting_ = false;
  forget();
}

void HybridMotion::refreshOutputs(double t) {
  for (std::size_t k = 0; k < blocks_.interactions().size(); ++k) blocks_.computeOutputs(k, t);
}

void HybridMotion::findTouching(double t) {
  refreshOutputs(t);
  for (Contact& contact : contacts_) {
    contact.before = contact.mode;
    contact.wasHit = contact.isShort = false;
    if (!contact.element->hasGap()) continue;
    const double falls = minimalFlight(t) * std::max(0., -rate(contact));
    const double near = starting_ ? std::max(falls, options_.gapTolerance) : falls;
    contact.touches = contact.touches || contact.isClosed() || gap(contact) <= near;
  }
}

// The largest of all forces, those of the systems included.
double HybridMotion::sizeOfForces() const {
  double size = blocks_.largestMultiplier();
  for (const auto& step : blocks_.systems()) size = std::max(size, normInf(step.forces));
  return size;
}

// The size of forces now and a little later: pendulums that hang straight down when they are hit have none at the
// instant, and what rounding leaves of them measures nothing.
void HybridMotion::findForceSize(double t, const double* z) {
  forceSize_ = sizeOfForces();
  if (const double ahead = shortTime(t); ahead != 0.) {
    const double now = std::exchange(forceSize_, 1.);
    rates(t, z, nearState_.data());
    for (std::size_t i = 0; i < nearState_.size(); ++i) nearState_[i] = z[i] + ahead * nearState_[i];
    solve(t + ahead, nearState_.data());
    forceSize_ = std::max(now, sizeOfForces());
  }
  if (forceSize_ == 0.) forceSize_ = 1.;
}

// Guards that are zero in the beginning mode, up to rounding, are shifted to just above zero, so that they cross it
// once if they fall. Modes that begin at an event are of this kind: the gap of a contact that was hit, a slip that
// begins.
void HybridMotion::findOffsets(double t) {
  held_.balance(blocks_);
  std::fill(guardOffsets_.begin(), guardOffsets_.end(), 0.);
  double g[3];
  double gDot[3];
  for (const Contact& contact : contacts_) {
    std::fill(g, g + 3, 1.);
    contact.element->computeGuards(stateOf(contact, t), g, gDot);
    for (std::size_t slot = 0; slot < contact.element->guards(); ++slot) {
      const double least = contact.element->guardRounding(stateOf(contact, t), slot);
      guardOffsets_[contact.firstGuard + slot] = std::max(0., least - g[slot]);
    }
  }
}

void HybridMotion::addElement(std::size_t contact, ContactMode proposed) {
  ContactElement element;
  static_cast<ElementLaw&>(element) = contacts_[contact];
  if (!elements_.empty()) element.row = elements_.back().row + elements_.back().rows();
  element.proposed = proposed;
  elements_.push_back(element);
  elementContacts_.push_back(contact);
}

// The contacts that may stay closed, joints and dry friction, as elements of the decision, with their K and b.
void HybridMotion::buildElements(double t) {
  elements_.clear();
  elementContacts_.clear();
  std::size_t computed = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const ElementState state = stateOf(contact, t);
    if (contact.element->hasGap() && !(contact.touches && state.isZero(0))) continue;
    if (computed != contact.interaction) blocks_.computeBias(contact.interaction, t);
    computed = contact.interaction;
    addElement(i, contact.proposed);
    elements_.back().direction = contact.element->slip(state);
    elements_.back().heading = contact.heading;
  }
  assembleDelassus();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& contact = contacts_[elementContacts_[i]];
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) {
      b_(elements_[i].row + a) = blocks_.acceleration(contact.interaction, contact.row + a);
      magnitudes_(elements_[i].row + a) = blocks_.accelerationScale(contact.interaction, contact.row + a);
    }
  }
}

// K = G M⁻¹ Gᵀ over the rows of the elements.
void HybridMotion::assembleDelassus() {
  const std::size_t rows = elements_.empty() ? 0 : elements_.back().row + elements_.back().rows();
  if (b_.size() != rows) b_.resize(rows, false);
  if (magnitudes_.size() != rows) magnitudes_.resize(rows, false);
  if (K_.size1() != rows) K_.resize(rows, rows, false);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& one = contacts_[elementContacts_[i]];
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) {
      for (std::size_t j = 0; j <= i; ++j) {
        const Contact& two = contacts_[elementContacts_[j]];
        for (std::size_t b = 0; b < elements_[j].rows(); ++b) {
          K_(elements_[i].row + a, elements_[j].row + b) = K_(elements_[j].row + b, elements_[i].row + a) =
              blocks_.delassus(two.interaction, two.row + b, one.interaction, one.row + a);
        }
      }
    }
  }
}

void HybridMotion::decideModes(double t) {
  blocks_.computeFreeAccelerations(t);
  buildElements(t);
  for (Contact& contact : contacts_) {
    if (contact.element->hasGap()) contact.mode = ContactMode::open;
  }
  if (!elements_.empty()) {
    const ContactDecision& decision = modeProblem_.solve(K_, b_, elements_, magnitudes_);
    if (!decision.found()) failDecision(t, decision);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      contacts_[elementContacts_[i]].mode = decision.modes[i];
      contacts_[elementContacts_[i]].heading = decision.headings[i];
    }
  }
  holdMode(t);
}

void HybridMotion::failDecision(double t, const ContactDecision& decision) const {
  std::string names;
  if (decision.paradox != ContactDecision::none) {
    names = "with the contact '" + nameOf(contacts_[elementContacts_[decision.paradox]]) + "' closed";
  } else {
    for (const std::size_t i : elementContacts_) names += (names.empty() ? "'" : ", '") + nameOf(contacts_[i]) + "'";
    names = "with the contacts " + names;
  }
  throw Error("EventDriven", "no motion goes on from the state at t = " + toText(piece_.instant(t)) + " " + names +
                                 ": " + decision.reason + ".");
}

// Sets what the modes hold, and computes the accelerations in them.
void HybridMotion::holdMode(double t) {
  held_.set(blocks_, modeRows());
  held_.begin(blocks_);
  blocks_.clearMultipliers();
  blocks_.computeFreeAccelerations(t);
  held_.hold(blocks_, t);
  held_.requireDirections(blocks_, piece_.instant(t));
}

ModeRows HybridMotion::modeRows() const {
  ModeRows rows;
  for (const Contact& contact : contacts_) {
    const std::size_t held = rows.held.size();
    const std::size_t forces = rows.forces.size();
    contact.element->hold(contact, contact.mode, contact.heading, contact.row, rows);
    for (std::size_t i = held; i < rows.held.size(); ++i) rows.held[i].interaction = contact.interaction;
    for (std::size_t i = forces; i < rows.forces.size(); ++i) rows.forces[i].interaction = contact.interaction;
  }
  return rows;
}

void HybridMotion::logChanges(double t, std::vector<Event>& events) {
  std::vector<EventKind> kinds;
  for (const Contact& contact : contacts_) {
    kinds.clear();
    contact.element->log({contact.before, contact.mode, contact.wasHit, contact.isShort, starting_}, kinds);
    for (const EventKind kind : kinds) {
      log(t, kind, contact, events);
      if (kind != EventKind::accumulation) continue;
      events.back().duration = contact.restitution < 1. ? contact.flight / (1. - contact.restitution) : contact.flight;
    }
  }
}

void HybridMotion::log(double t, EventKind kind, const Contact& contact, std::vector<Event>& events) const {
  const auto& step = blocks_.interactions()[contact.interaction];
  Event event;
  event.t = t;
  event.kind = kind;
  event.source = nameOf(contact);
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const auto& system = blocks_.systems()[blocks_.systemOf(c)];
    const StepEquations::Coupling& coupling = blocks_.equations().couplings()[c];
    append(blocks_.configurationOf(c), event.q);
    append(coupling.of(velocitiesBefore_[blocks_.systemOf(c)]), event.before);
    append(coupling.of(system.v), event.after);
  }
  event.impulse = impulses_[contact.interaction];
  events.push_back(std::move(event));
}

}  // namespace delassus
