// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitState that reads voltages and currents, and what jumps of the state carry.
#include <algorithm>
#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

using ProbeSymbol = CircuitSymbol::Kind;

}  // namespace

CircuitState::Probe::Probe(const CircuitState& state, const LinearForm& form) : state_(&state) {
  for (const LinearForm::Term& term : form.terms()) {
    const std::size_t index = term.symbol.index;
    CircuitParts::Place place{0, index};
    if (term.symbol.kind == ProbeSymbol::state) place = state.parts_->placeOfState(index);
    if (term.symbol.kind == ProbeSymbol::multiplier) place = state.parts_->placeOfRow(index);
    const bool isSource = term.symbol.kind == ProbeSymbol::source || term.symbol.kind == ProbeSymbol::sourceRate;
    needsTime_ = needsTime_ || (isSource && !state.sources_->isConstant(index));
    terms_.push_back({term.symbol.kind, place, term.value});
  }
}

double CircuitState::Probe::value() const {
  return sum(false);
}

double CircuitState::Probe::valueAtOnce() const {
  return sum(true);
}

double CircuitState::Probe::impulse() const {
  if (!state_->hasImpulses_) return 0.;
  double sum = 0.;
  for (const Term& term : terms_) {
    if (term.kind != ProbeSymbol::multiplier) continue;
    const Vector& impulse = state_->impulses_[term.place.part];
    if (impulse.size() > 0) sum += term.value * impulse(term.place.index);
  }
  return sum;
}

bool CircuitState::Probe::hasMultipliers() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const Term& term) { return term.kind == ProbeSymbol::multiplier; });
}

double CircuitState::Probe::sum(bool isAtOnce) const {
  const CircuitSources& sources = *state_->sources_;
  const double t = needsTime_ ? state_->time("a voltage or current that depends on a source") : 0.;
  double sum = 0.;
  for (const Term& term : terms_) {
    switch (term.kind) {
      case ProbeSymbol::state:
        sum += term.value * state_->parts_->systems()[term.place.part]->x()(term.place.index);
        break;
      case ProbeSymbol::multiplier:
        sum += term.value * state_->parts_->interactions()[term.place.part]->lambda(0)(term.place.index);
        break;
      case ProbeSymbol::source:
        sum += term.value * (isAtOnce ? sources.present(term.place.index, t) : sources.shown(term.place.index, t));
        break;
      case ProbeSymbol::sourceRate:
        sum +=
            term.value * (isAtOnce ? sources.presentRate(term.place.index, t) : sources.shownRate(term.place.index, t));
        break;
      case ProbeSymbol::excess:
      case ProbeSymbol::unknown:
        break;
    }
  }
  return sum;
}

void CircuitState::forgetImpulses() {
  for (Vector& impulse : impulses_) impulse.resize(0, false);
  hasImpulses_ = false;
}

// Those of this instant stay, since events of one instant come one after another.
void CircuitState::forgetImpulsesBefore(double instant) {
  if (instant == impulsesAt_) return;
  forgetImpulses();
  impulsesAt_ = instant;
}

// Of several jumps at one instant it is the sum.
void CircuitState::takeImpulse(const Event& event) {
  const auto& interactions = parts_->interactions();
  impulses_.resize(interactions.size());
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    if (interactions[k]->name() != event.source) continue;
    if (impulses_[k].size() == 0) impulses_[k] = Vector(event.impulse.size());
    addScaled(1., event.impulse, impulses_[k]);
    hasImpulses_ = true;
  }
}

}  // namespace delassus
