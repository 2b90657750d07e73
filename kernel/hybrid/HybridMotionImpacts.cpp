// SPDX-License-Identifier: Apache-2.0
//
// The part of HybridMotion that does impacts.
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {
namespace {

// Distance from a border between modes, relative to the impulse, within which a solver's answer counts as on it.
constexpr double nearBorder = 1e-3;

}  // namespace

// Contacts are hit when their gap is below zero by rounding; this must not add up over many impacts.
void HybridMotion::separateTouching(double t) {
  constexpr double manyTimes = 64.;
  ModeRows rows;
  bool any = false;
  for (const Contact& contact : contacts_) {
    if (!contact.bears()) continue;
    rows.held.push_back({contact.interaction, contact.row});
    const double rounding = stateOf(contact, t).gapRounding();
    any = any || (contact.element->hasGap() && !contact.isClosed() && gap(contact) < -manyTimes * rounding);
  }
  if (!any) return;
  held_.set(blocks_, std::move(rows));
  held_.begin(blocks_);
  held_.close(blocks_);
  refreshOutputs(t);
}

// Contacts that are approached make an impact. So do joints whose rates are not zero: of velocities that the user has
// set, or that a joint finds which is new. (Nothing else violates joints: the mode before held them.)
void HybridMotion::resolveImpacts(double t) {
  constexpr int mostImpacts = 30;  // then a plastic one
  bool mayJolt = std::exchange(isGiven_, false);
  for (int k = 0;; ++k) {
    const Contact* approached = nullptr;
    for (Contact& contact : contacts_) {
      const bool isHit = contact.touches && rate(contact) < 0.;
      const bool isJolted = mayJolt && contact.element->isEquality();
      if ((!isHit && !isJolted) || stateOf(contact, t).isZero(0)) continue;
      // One event a joint, not one a row.
      if (!isHit) contact.wasHit = approached == nullptr || approached->interaction != contact.interaction;
      approached = &contact;
    }
    mayJolt = false;
    if (approached == nullptr) return;
    if (k > mostImpacts) {
      throw Error("Interaction '" + nameOf(*approached) + "'",
                  "the contact is still approached after an impact at t = " + toText(piece_.instant(t)) +
                      " (dy/dt = " + toText(rate(*approached)) + "): obstacles that close in leave no motion.");
    }
    solveImpact(t, k == mostImpacts);
  }
}

void HybridMotion::solveImpact(double t, bool plastic) {
  for (const Contact& contact : contacts_) {
    blocks_.equations().setActive(contact.interaction, contact.block, contact.bears());
  }
  blocks_.clearMultipliers();
  blocks_.beginImpact(plastic);
  const numerics::SolveReport report = impactProblem_->solve(blocks_.equations());
  if (!report.converged()) {
    throw Error("EventDriven", "the impact at t = " + toText(piece_.instant(t)) + " was not solved by " +
                                   std::string(impactProblem_->name()) + ": " + report.summary() +
                                   " Interactions: " + impactProblem_->activeNames() + ".");
  }
  polishImpact(t);
  blocks_.addVelocity();
  for (std::size_t k = 0; k < impulses_.size(); ++k) {
    for (std::size_t i = 0; i < impulses_[k].size(); ++i) impulses_[k](i) += blocks_.multiplier(k)[i];
  }
  for (Contact& contact : contacts_) {
    contact.rests = false;
    if (!contact.touches || !(force(contact) > 0.) || contact.wasHit) continue;
    contact.wasHit = true;
    contact.quickHits = t - contact.lastHit < minimalFlight(t) ? contact.quickHits + 1 : 0;
    contact.hitBefore = std::exchange(contact.lastHit, t);
  }
  refreshOutputs(t);
}

// Contacts that leave so slowly that they come back at once, and those whose hits have followed each other that fast
// for some time (bodies that are hit from two sides, whose impacts accumulate without an acceleration). True if there
// are any.
bool HybridMotion::findShortFlights(double t) {
  constexpr std::size_t quickHits = 5;
  constexpr double roundings = 16.;
  bool any = false;
  for (Contact& contact : contacts_) {
    const ElementState state = stateOf(contact, t);
    if (!contact.touches || contact.isClosed() || contact.isShort) continue;
    if (rate(contact) <= 0. || state.isZero(0)) continue;
    state.computeBias();
    const double fall = -state.acceleration(0);
    contact.flight = fall > 0. ? 2. * rate(contact) / fall : std::numeric_limits<double>::infinity();
    // A flight no higher than the rounding of the gap does not count either.
    const bool isLow = 0.25 * rate(contact) * contact.flight < roundings * state.gapRounding();
    if (contact.wasHit && contact.quickHits >= quickHits) contact.flight = t - contact.hitBefore;
    contact.isShort = contact.flight < minimalFlight(t) || isLow;
    any = any || contact.isShort;
  }
  return any;
}

// Removes the velocity of short flights, together with that of the held rows. A law would let them fly, since it does
// not pull.
void HybridMotion::endShortFlights(double t) {
  ModeRows rows = modeRows();
  rows.forces.clear();
  for (const Contact& contact : contacts_) {
    if (contact.isShort) rows.held.push_back({contact.interaction, contact.row});
  }
  held_.set(blocks_, std::move(rows));
  held_.begin(blocks_);
  held_.stop(blocks_);
  refreshOutputs(t);
}

// Impact solvers stop at a tolerance; the residual velocity of a sticking contact, or of a gap that closes for good,
// would become a slip or a flight. The laws of an impact are those of the modes, with w = ẏ⁺ + e ẏ⁻ in the place of
// accelerations and all contacts as if at rest: the sign of a slip is that of w. Uses the impulses of the polished
// modes if these are those of the solver.
void HybridMotion::polishImpact(double t) {
  elements_.clear();
  elementContacts_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (!contact.bears()) continue;
    SlipDirection heading = {0., 0.};
    const ContactMode proposed = contact.element->impactMode(stateOf(contact, t), nearBorder, heading);
    addElement(i, proposed);
    elements_.back().heading = heading;
  }
  assembleDelassus();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& contact = contacts_[elementContacts_[i]];
    const double* const free = blocks_.equations().freeOutput(contact.interaction) + contact.row;
    std::array<double, 3> w = {free[0], 0., 0.};
    if (contact.element->hasGap()) {
      const NonSmoothLaw& law = interactionOf(contact).law();
      std::copy_n(free, law.size(), w.begin());
      law.addImpactTerm(blocks_.equations().outputBefore(contact.interaction) + contact.row, w.data());
    }
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) b_(elements_[i].row + a) = w[a];
  }
  const ContactDecision& decision = modeProblem_.solve(K_, b_, elements_);
  if (!decision.found()) return;
  double largest = 0.;
  double difference = 0.;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& contact = contacts_[elementContacts_[i]];
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) {
      const double exact = decision.lambda(elements_[i].row + a);
      largest = std::max(largest, std::abs(exact));
      difference = std::max(difference, std::abs(exact - force(contact, a)));
    }
  }
  // Modes other than those of the solver belong to another solution, unless it was on the border.
  if (decision.status != ContactDecision::Status::kept && difference > nearBorder * largest) return;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Contact& contact = contacts_[elementContacts_[i]];
    double* const impulse = blocks_.multiplier(contact.interaction) + contact.row;
    for (std::size_t a = 0; a < elements_[i].rows(); ++a) impulse[a] = decision.lambda(elements_[i].row + a);
  }
}

}  // namespace delassus
