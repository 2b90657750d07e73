// SPDX-License-Identifier: Apache-2.0
//
// The part of HybridMotion for what happens at an instant: impacts, and the mode that continues from there.
#include <algorithm>
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
  held_.set(blocks_, {}, {});
  blocks_.refresh(t);
  blocks_.loadSystems();
  blocks_.computeMasses(t);
  refreshOutputs(t);
  for (Contact& contact : contacts_) {
    requireConsistent(contact, t, initial);
    if (contact.isContact && gap(contact) > options_.gapTolerance) contact.mode = ContactMode::open;
  }
  blocks_.store(z);
  std::fill_n(z + blocks_.size(), size() - blocks_.size(), 0.);
}

void HybridMotion::requireConsistent(const Contact& contact, double t, bool initial) const {
  if (contact.isBounded()) return;
  const std::string label = "Interaction '" + nameOf(contact) + "'";
  const bool joint = contact.isEquality();
  if (gap(contact) < -options_.gapTolerance || (joint && gap(contact) > options_.gapTolerance)) {
    throw Error(label, std::string(joint ? "its output must be zero" : "its gap must not be negative") +
                           " in the state at t = " + toText(piece_.instant(t)) + ", but y = " + toText(gap(contact)) +
                           " (tolerance " + toText(options_.gapTolerance) + ").");
  }
  const bool approaches = contact.isContact && gap(contact) <= options_.gapTolerance && rate(contact) < 0.;
  if (!initial || isZero(contact, 0) || !(joint || approaches)) return;
  throw Error(
      label,
      std::string(joint ? "the rate of its output must be zero" : "the contact is closed, and must not be approached") +
          " in the initial state at t = " + toText(piece_.instant(t)) + ", but dy/dt = " + toText(rate(contact)) + ".");
}

void HybridMotion::enter(double t, double* z, std::vector<Event>& events) {
  if (hasChanged()) takeState(t, false, z);
  for (Contact& contact : contacts_) {
    contact.touches = false;
    contact.proposed = contact.isClosed() ? contact.mode : ContactMode::held;
  }
  resolve(t, z, events);
}

void HybridMotion::cross(double t, double* z, const std::vector<std::size_t>& fallen, std::vector<Event>& events) {
  solve(t, z);
  held_.balance(blocks_);
  for (Contact& contact : contacts_) {
    contact.touches = false;
    contact.proposed = contact.isClosed() ? contact.mode : ContactMode::held;
    // Others may come to rest in the same instant, up to rounding: the other foot of a block.
    const int direction = directionOf(contact.mode);
    if (direction != 0 && isZero(contact, slipRowOf(contact)) && direction * slipAcceleration(contact, t) < 0.) {
      contact.proposed = ContactMode::held;
    }
  }
  for (const std::size_t guard : fallen) proposeAfter(guard);
  resolve(t, z, events);
}

// An event determines what ends: where a guard is zero, the laws alone would leave it to rounding.
void HybridMotion::proposeAfter(std::size_t guard) {
  constexpr double rounding = 1e-9;
  Contact& contact = contacts_[guardOwners_[guard]];
  const std::size_t slot = guard - contact.firstGuard;
  if (contact.isContact && !contact.isClosed()) {
    contact.touches = true;
    return;
  }
  if (contact.isContact) {
    // When the normal force vanishes, the rest of the friction vanishes with it.
    double largest = 0.;
    for (const Contact& other : contacts_) {
      if (other.isContact) largest = std::max(largest, force(other));
    }
    if (slot == 0 || force(contact) <= rounding * largest) {
      contact.proposed = ContactMode::open;
      return;
    }
  }
  if (directionOf(contact.mode) != 0) {
    contact.proposed = ContactMode::held;
    return;
  }
  // λ_T at its upper bound acts against a backward slip, which therefore follows.
  const std::size_t upperSlot = contact.isContact ? 1 : 0;
  contact.proposed = slot == upperSlot ? ContactMode::backward : ContactMode::forward;
}

void HybridMotion::resolve(double t, double* z, std::vector<Event>& events) {
  refine();
  prepare(t, z);
  forget();
  for (std::size_t i = 0; i < velocitiesBefore_.size(); ++i) assign(blocks_.systems()[i].v, velocitiesBefore_[i]);
  for (Vector& impulse : impulses_) setZero(impulse);
  impulsesAt_ = t;
  findTouching(t);
  separateTouching(t);
  resolveImpacts(t);
  decideModes(t);
  while (findShortFlights(t)) {
    endShortFlights(t);
    decideModes(t);
  }
  findOffsets(t);
  findForceSize();
  blocks_.store(z);
  std::fill_n(z + blocks_.size(), size() - blocks_.size(), 0.);
  logChanges(t, events);
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
    if (!contact.isContact) continue;
    const double falls = minimalFlight(t) * std::max(0., -rate(contact));
    const double near = starting_ ? std::max(falls, options_.gapTolerance) : falls;
    contact.touches = contact.touches || contact.isClosed() || gap(contact) <= near;
  }
}

// The largest of all forces, those of the systems included.
void HybridMotion::findForceSize() {
  forceSize_ = 0.;
  for (const auto& step : blocks_.systems()) forceSize_ = std::max(forceSize_, normInf(step.forces));
  forceSize_ = std::max(forceSize_, blocks_.largestMultiplier());
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
    guardsOfContact(contact, t, g, gDot);
    for (std::size_t slot = 0; slot < guardsOf(contact); ++slot) {
      const double least = roundingOf(contact, slot);
      guardOffsets_[contact.firstGuard + slot] = std::max(0., least - g[slot]);
    }
  }
}

// The contacts that may stay closed, joints and dry friction, as elements of the decision, with their K and b.
void HybridMotion::buildElements(double t) {
  elements_.clear();
  elementContacts_.clear();
  std::size_t rows = 0;
  std::size_t computed = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (contact.isContact && !(contact.touches && isZero(contact, 0))) continue;
    if (computed != contact.interaction) blocks_.computeBias(contact.interaction, t);
    computed = contact.interaction;
    ContactElement element;
    static_cast<ElementLaw&>(element) = contact;
    element.row = rows;
    element.proposed = contact.proposed;
    const std::size_t slipRow = slipRowOf(contact);
    const bool hasFriction = contact.hasFriction() || contact.isBounded();
    if (hasFriction && !isZero(contact, slipRow)) element.direction = rate(contact, slipRow) > 0. ? 1 : -1;
    element.proposed = element.admissible(contact.proposed);
    rows += element.rows();
    elements_.push_back(element);
    elementContacts_.push_back(i);
  }
  assembleDelassus(rows);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& contact = contacts_[elementContacts_[i]];
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) {
      b_(elements_[i].row + a) = blocks_.acceleration(contact.interaction, contact.row + a);
      magnitudes_(elements_[i].row + a) = blocks_.accelerationScale(contact.interaction, contact.row + a);
    }
  }
}

// K = G M⁻¹ Gᵀ over the rows of the elements.
void HybridMotion::assembleDelassus(std::size_t rows) {
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
    if (contact.isContact) contact.mode = ContactMode::open;
  }
  if (!elements_.empty()) {
    const ContactDecision& decision = modeProblem_.solve(K_, b_, elements_, magnitudes_);
    if (!decision.found()) failDecision(t, decision);
    for (std::size_t i = 0; i < elements_.size(); ++i) contacts_[elementContacts_[i]].mode = decision.modes[i];
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
  setHeld();
  held_.begin(blocks_);
  blocks_.clearMultipliers();
  blocks_.computeFreeAccelerations(t);
  held_.hold(blocks_, t);
}

void HybridMotion::setHeld() {
  std::vector<HeldConstraints::Row> rows;
  std::vector<HeldConstraints::Force> forces;
  for (const Contact& contact : contacts_) {
    const int direction = directionOf(contact.mode);
    if (!contact.isClosed()) continue;
    HeldConstraints::Row row;
    row.interaction = contact.interaction;
    row.row = contact.row;
    if (contact.isBounded()) {
      row.position = false;
      row.lower = contact.lower;
      row.upper = contact.upper;
      if (direction == 0) {
        rows.push_back(row);
      } else {
        forces.push_back({contact.interaction, contact.row, direction > 0 ? contact.lower : contact.upper});
      }
      continue;
    }
    if (contact.isContact) row.lower = 0.;
    if (direction != 0) {
      row.slipRow = contact.row + 1;
      row.slipFactor = -direction * contact.mu;
    }
    rows.push_back(row);
    if (contact.hasFriction() && direction == 0) {
      row.row = contact.row + 1;
      row.position = false;
      row.lower = -std::numeric_limits<double>::infinity();
      row.mu = contact.mu;
      rows.push_back(row);
    }
  }
  held_.set(blocks_, std::move(rows), std::move(forces));
}

void HybridMotion::logChanges(double t, std::vector<Event>& events) {
  for (const Contact& contact : contacts_) {
    const bool wasOpen = contact.before == ContactMode::open;
    if (contact.isContact) {
      const bool settles = contact.isShort && contact.isClosed() && wasOpen;
      if (settles && contact.wasHit) {
        log(t, EventKind::accumulation, contact, events);
        events.back().duration =
            contact.restitution < 1. ? contact.flight / (1. - contact.restitution) : contact.flight;
      } else if (contact.wasHit) {
        log(t, EventKind::impact, contact, events);
      } else if (wasOpen && contact.isClosed() && !starting_) {
        log(t, EventKind::landing, contact, events);
      }
      if (!wasOpen && !contact.isClosed()) log(t, EventKind::takeOff, contact, events);
    }
    if (wasOpen || !contact.isClosed() || contact.before == contact.mode || starting_) continue;
    log(t, contact.mode == ContactMode::held ? EventKind::stick : EventKind::slip, contact, events);
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
    append(system.q, event.q);
    append(velocitiesBefore_[blocks_.systemOf(c)], event.before);
    append(system.v, event.after);
  }
  event.impulse = impulses_[contact.interaction];
  events.push_back(std::move(event));
}

}  // namespace delassus
