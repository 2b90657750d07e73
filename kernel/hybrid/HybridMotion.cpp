// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {
HybridMotion::HybridMotion(std::unique_ptr<OneStepNSProblem> impactProblem, const HybridMotionOptions& options)
    : impactProblem_(std::move(impactProblem)),
      options_(inRange("EventDriven", options)),
      tolerances_{options.gapTolerance, options.velocityTolerance, options.creepSpeed} {
  if (!impactProblem_) throw Error("EventDriven", "the problem of impacts is null.");
  blocks_.setDifferenceTime(options.differenceTime);
}

void HybridMotion::bind(const NonSmoothDynamicalSystem& model, double t) {
  blocks_.bind(model, t);
  boundChanges_ = NonSmoothLaw::boundChanges();
  contacts_.clear();
  guardOwners_.clear();
  forceRows_.clear();
  gaps_.clear();
  impulses_.clear();
  for (std::size_t k = 0; k < blocks_.interactions().size(); ++k) {
    const Interaction& interaction = *blocks_.interactions()[k].interaction;
    impulses_.emplace_back(interaction.size());
    // Joints and boxes act row by row.
    const std::size_t rows = interaction.law().set()->isContact() ? interaction.law().size() : 1;
    for (std::size_t row = 0; row < interaction.size(); row += rows) {
      contacts_.push_back(makeContact(k, row));
      Contact& contact = contacts_.back();
      contact.firstGuard = guardOwners_.size();
      guardOwners_.insert(guardOwners_.end(), contact.element->guards(), contacts_.size() - 1);
      const SecondOrderR& relation = *blocks_.interactions()[k].relation;
      if (contact.element->hasGap() && (!relation.isLinear() || relation.isTimeDependent())) {
        gaps_.push_back(contacts_.size() - 1);
      }
      for (std::size_t i = 0; contact.element->guards() > 0 && i < contact.rows(); ++i)
        forceRows_.push_back({k, row + i});
    }
  }
  impactProblem_->bind(model, blocks_.equations());
  guardOffsets_.assign(guardOwners_.size(), 0.);
  velocitiesBefore_.clear();
  for (const auto& step : blocks_.systems()) velocitiesBefore_.push_back(step.v);
  held_.set(blocks_, {});
  evaluatedState_.assign(blocks_.size(), 0.);
  nearState_.assign(size(), 0.);
  nearGuards_.assign(guards(), 0.);
  nearRates_.assign(guards(), 0.);
  acceptedAt_ = t;
  forget();
}

HybridMotion::Contact HybridMotion::makeContact(std::size_t interaction, std::size_t row) const {
  const Interaction& own = *blocks_.interactions()[interaction].interaction;
  Contact contact;
  contact.interaction = interaction;
  contact.block = row / own.law().size();
  contact.row = row;
  static_cast<ElementLaw&>(contact) = lawOf(contact);
  if (own.law().hasRestitution()) contact.restitution = own.law().restitution();
  if (!contact.element->hasGap()) contact.mode = ContactMode::held;
  return contact;
}

ElementLaw HybridMotion::lawOf(const Contact& contact) const {
  const Interaction& own = interactionOf(contact);
  return elementOf(own.law(), contact.row, "Interaction '" + own.name() + "'");
}

bool HybridMotion::boundsHaveChanged() const {
  if (NonSmoothLaw::boundChanges() == boundChanges_) return false;
  return std::any_of(contacts_.begin(), contacts_.end(), [this](const Contact& contact) {
    const ElementLaw now = lawOf(contact);
    return now.lower != contact.lower || now.upper != contact.upper;
  });
}

void HybridMotion::takeLaws() {
  boundChanges_ = NonSmoothLaw::boundChanges();
  for (Contact& contact : contacts_) static_cast<ElementLaw&>(contact) = lawOf(contact);
}

std::string HybridMotion::nameOf(const Contact& contact) const {
  const Interaction& interaction = interactionOf(contact);
  const NonSmoothLaw& law = interaction.law();
  const bool only = interaction.size() == (law.set()->isContact() ? law.size() : 1);
  return only ? interaction.name() : interaction.name() + " [row " + std::to_string(contact.row) + "]";
}

std::string HybridMotion::guardName(std::size_t guard) const {
  const Contact& contact = contacts_[guardOwners_[guard]];
  return std::string(contact.element->guardName(contact.mode, guard - contact.firstGuard)) + " of '" + nameOf(contact) +
         "'";
}

std::string HybridMotion::owner(std::size_t i) const {
  for (const auto& step : blocks_.systems()) {
    const std::size_t own = step.q.size() + step.v.size();
    if (i < own) return "system '" + step.owner->name() + "'";
    i -= own;
  }
  const std::size_t interaction =
      i < forceRows_.size() ? forceRows_[i].interaction : contacts_[gaps_[i - forceRows_.size()]].interaction;
  return "interaction '" + blocks_.interactions()[interaction].interaction->name() + "'";
}

std::optional<HybridSystem::StatePlace> HybridMotion::placeOf(const DynamicalSystem& system) const {
  std::size_t offset = 0;
  for (const auto& step : blocks_.systems()) {
    if (const auto place = blocks_.nodes().placeOf(step.number, system)) {
      return StatePlace{offset + place->firstQ, offset + step.q.size() + place->firstV};
    }
    offset += step.q.size() + step.v.size();
  }
  return std::nullopt;
}

void HybridMotion::prepare(double t, const double* z) {
  if (preparedAt_ && t == evaluatedTime_ && std::equal(evaluatedState_.begin(), evaluatedState_.end(), z)) return;
  forget();
  blocks_.load(z);
  blocks_.computeMasses(t);
  held_.project(blocks_, t);
  evaluatedTime_ = t;
  std::copy_n(z, evaluatedState_.size(), evaluatedState_.begin());
  preparedAt_ = true;
}

void HybridMotion::solve(double t, const double* z) {
  prepare(t, z);
  if (solvedAt_) return;
  blocks_.clearMultipliers();
  blocks_.computeFreeAccelerations(t);
  held_.hold(blocks_, t);
  solvedAt_ = true;
}

void HybridMotion::rates(double t, const double* z, double* zDot) {
  // Forces are integrated with this much lower weight than the state, since the state alone locates events.
  constexpr double weight = 1e-4;
  solve(t, z);
  blocks_.storeRates(zDot);
  double* target = zDot + blocks_.size();
  for (const auto& [interaction, row] : forceRows_)
    *target++ = weight / forceSize_ * blocks_.multiplier(interaction)[row];
  for (const std::size_t i : gaps_) {
    const Contact& contact = contacts_[i];
    if (!contact.isClosed()) blocks_.computeOutputs(contact.interaction, t);
    *target++ = contact.isClosed() ? 0. : rate(contact);
  }
}

void HybridMotion::computeGuards(double t, const double* z, double* g, double* gDot) {
  evaluateGuards(t, z, g, gDot);
  bool any = false;
  for (const Contact& contact : contacts_) {
    for (std::size_t slot = 0; slot < contact.element->guards(); ++slot)
      any = any || contact.element->isForceGuard(contact.mode, slot);
  }
  if (any) differenceForceGuards(t, z, g, gDot);
}

void HybridMotion::evaluateGuards(double t, const double* z, double* g, double* gDot) {
  if (held_.isEmpty()) {
    prepare(t, z);
  } else {
    solve(t, z);
    held_.balance(blocks_);
  }
  std::fill_n(g, guards(), 1.);
  std::fill_n(gDot, guards(), 1.);
  std::size_t computed = static_cast<std::size_t>(-1);
  for (const Contact& contact : contacts_) {
    if (contact.element->guards() == 0) continue;
    if (computed != contact.interaction) blocks_.computeOutputs(contact.interaction, t);
    computed = contact.interaction;
    contact.element->computeGuards(stateOf(contact, t), g + contact.firstGuard, gDot + contact.firstGuard);
  }
  for (std::size_t i = 0; i < guards(); ++i) g[i] += guardOffsets_[i];
}

// A time is known only to its last bits.
double HybridMotion::minimalFlight(double t) const {
  constexpr double bits = 64.;
  return std::max(options_.minimalFlight, bits * std::numeric_limits<double>::epsilon() * std::abs(t));
}

// A time for differences along the motion, negative at the end of the piece; 0 if the piece is too short for it.
double HybridMotion::shortTime(double t) const {
  constexpr double flights = 100.;
  const double ahead = flights * minimalFlight(t);
  if (t + ahead <= piece_.last) return ahead;
  return t - ahead >= piece_.first ? -ahead : 0.;
}

void HybridMotion::setPiece(const TimePiece& piece) {
  piece_ = piece;
  blocks_.setPiece(piece.first, piece.last);
}

// Forces have no known rates, so a difference along the motion is taken.
void HybridMotion::differenceForceGuards(double t, const double* z, const double* g, double* gDot) {
  constexpr double roundings = 100.;
  const double ahead = shortTime(t);
  if (ahead == 0.) return;
  rates(t, z, nearState_.data());
  for (std::size_t i = 0; i < nearState_.size(); ++i) nearState_[i] = z[i] + ahead * nearState_[i];
  evaluateGuards(t + ahead, nearState_.data(), nearGuards_.data(), nearRates_.data());
  for (const Contact& contact : contacts_) {
    for (std::size_t slot = 0; slot < contact.element->guards(); ++slot) {
      if (!contact.element->isForceGuard(contact.mode, slot)) continue;
      const std::size_t i = contact.firstGuard + slot;
      const double change = nearGuards_[i] - g[i];
      if (std::abs(change) > roundings * contact.element->guardRounding(stateOf(contact, t), slot))
        gDot[i] = change / ahead;
    }
  }
}

// All that a user sees of a state, from the working copies.
void HybridMotion::complete(double t, const double* z) {
  solve(t, z);
  if (completeAt_) return;
  held_.requireDirections(blocks_, piece_.instant(t));
  held_.balance(blocks_);
  if (t != impulsesAt_) {
    for (Vector& impulse : impulses_) setZero(impulse);
  }
  for (auto& step : blocks_.systems()) setZero(step.p);
  for (std::size_t k = 0; k < blocks_.interactions().size(); ++k) {
    blocks_.computeOutputs(k, t);
    const auto& step = blocks_.interactions()[k];
    for (std::size_t c = step.begin; c < step.end; ++c) {
      blocks_.equations().couplings()[c].addInput(data(impulses_[k]), data(blocks_.systems()[blocks_.systemOf(c)].p));
    }
  }
  completeAt_ = true;
}

void HybridMotion::show(double t, const double* z, MotionAudit& audit) {
  complete(t, z);
  blocks_.show(z, audit);
  showViolations(held_.violations(), audit);
  if (!std::exchange(showsInstant_, false)) return;
  showViolations(violations_, audit);
  blocks_.showImpacts(velocitiesBefore_, audit);
}

void HybridMotion::showViolations(const std::vector<HeldConstraints::Violation>& violations, MotionAudit& audit) const {
  for (const auto& [interaction, y] : violations) blocks_.showViolation(interaction, y, audit);
}

void HybridMotion::accept(double t, const double* z) {
  complete(t, z);
  for (std::size_t k = 0; k < blocks_.interactions().size(); ++k) {
    const auto& step = blocks_.interactions()[k];
    assign(step.y, step.interaction->output(0));
    assign(step.yDot, step.interaction->output(1));
    assign(blocks_.multiplier(k), step.interaction->multiplier(0));
    assign(impulses_[k], step.interaction->multiplier(1));
  }
  for (const Contact& contact : contacts_) {
    blocks_.interactions()[contact.interaction].interaction->setActive(contact.block, contact.isClosed());
  }
  for (auto& step : blocks_.systems()) {
    step.system->accept(acceptedAt_, step.q, step.v, step.p);
    step.system->setAcceleration(step.acceleration);
  }
  acceptedAt_ = t;
  forget();  // the working copies are the old states now
}

bool HybridMotion::refine() {
  if (!blocks_.adoptIncrements()) return false;
  forget();
  return true;
}

// What the mode holds follows from the modes of the contacts; the rest of a contact belongs to an instant.
void HybridMotion::serializeState(StateArchive& archive) {
  if (archive.count("contacts", contacts_.size()) != contacts_.size()) {
    archive.refuse("The run that was saved has another number of contacts and constraints in motion.");
  }
  for (Contact& contact : contacts_) {
    archive.value("mode", contact.mode);
    archive.values("heading", contact.heading.data(), contact.heading.size());
    archive.value("last hit", contact.lastHit);
    archive.value("hit before", contact.hitBefore);
    archive.value("quick hits", contact.quickHits);
  }
  archive.value("guard offsets", guardOffsets_);
  archive.value("force size", forceSize_);
  archive.value("starting", starting_);
  for (Vector& impulse : impulses_) archive.value("impulse", impulse);
  archive.value("time of the impulses", impulsesAt_);
  archive.value("time of the state", acceptedAt_);
  blocks_.serializeState(archive);
  if (!archive.restores()) return;
  held_.set(blocks_, modeRows());
  forget();
}

void HybridMotion::serializeMemory(StateArchive& archive) {
  impactProblem_->serializeState(archive);
  modeProblem_.serializeState(archive);
}

void HybridMotion::repeat(bool) {
  blocks_.equations().exchangeVersions(versionsAside_);
  forget();
}

}  // namespace delassus
