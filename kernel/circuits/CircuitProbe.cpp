// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitState that reads voltages and currents, and what jumps of the state carry.
#include <algorithm>
#include <cmath>
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
  return sum(false).value;
}

double CircuitState::Probe::valueAtOnce() const {
  return sum(true).value;
}

// Terms that cancel leave some bits of the largest, and what the solution of the other equations has left.
bool CircuitState::Probe::isPositive() const {
  constexpr double rounding = 1e-12;
  const Sum present = sum(false);
  return present.value > rounding * present.terms;
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

CircuitState::Probe::Sum CircuitState::Probe::sum(bool isAtOnce) const {
  const CircuitSources& sources = *state_->sources_;
  const double t = needsTime_ ? state_->time("a voltage or current that depends on a source") : 0.;
  const auto valueOf = [&](const Term& term) {
    const auto [part, index] = term.place;
    switch (term.kind) {
      case ProbeSymbol::state:
        return state_->parts_->systems()[part]->x()(index);
      case ProbeSymbol::multiplier:
        return state_->parts_->interactions()[part]->lambda(0)(index);
      case ProbeSymbol::source:
        return isAtOnce ? sources.present(index, t) : sources.shown(index, t);
      case ProbeSymbol::sourceRate:
        return isAtOnce ? sources.presentRate(index, t) : sources.shownRate(index, t);
      case ProbeSymbol::excess:
      case ProbeSymbol::unknown:
        break;
    }
    return 0.;
  };
  Sum result;
  for (const Term& term : terms_) {
    const double value = term.value * valueOf(term);
    result.value += value;
    result.terms += std::abs(value);
  }
  return result;
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
