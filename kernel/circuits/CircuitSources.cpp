// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitSources.hpp>

#include <algorithm>
#include <utility>

namespace delassus {

CircuitSources::CircuitSources(std::vector<Waveform> waves)
    : waves_(std::move(waves)), isSet_(waves_.size()), piece_(waves_.size()), nextBreak_(waves_.size()) {
}

// The time at which a waveform is taken, or shown: within the present piece.
double CircuitSources::placed(std::size_t j, double t) const {
  const Piece& piece = piece_[j];
  if (t >= piece.end - margin_) return piece.end - 2. * margin_;
  return std::max(t, piece.begin);
}

// The same for a step that has ended where the present piece begins.
double CircuitSources::placedBefore(std::size_t j, double t) const {
  const bool isBegin = t <= piece_[j].begin + margin_;
  return isBegin ? piece_[j].begin - 2. * margin_ : placed(j, t);
}

double CircuitSources::value(std::size_t j, double t) const {
  return waves_[j].value(isJoined_ ? t : placed(j, t));
}

double CircuitSources::rate(std::size_t j, double t) const {
  return waves_[j].derivative(isJoined_ ? t : placed(j, t));
}

double CircuitSources::shown(std::size_t j, double t) const {
  return waves_[j].value(isJoined_ ? placed(j, t) : placedBefore(j, t));
}

double CircuitSources::shownRate(std::size_t j, double t) const {
  return waves_[j].derivative(isJoined_ ? placed(j, t) : placedBefore(j, t));
}

double CircuitSources::present(std::size_t j, double t) const {
  return waves_[j].value(placed(j, t));
}

double CircuitSources::presentRate(std::size_t j, double t) const {
  return waves_[j].derivative(placed(j, t));
}

void CircuitSources::setConstant(std::size_t j, double value) {
  waves_[j] = Waveform(value);
}

void CircuitSources::beginPieces(double t0, double margin) {
  margin_ = margin;
  isJoined_ = false;
  start_ = t0 + margin;
  for (std::size_t j = 0; j < waves_.size(); ++j) {
    const double first = waves_[j].nextBreak(start_);
    nextBreak_[j] = {0, first, following(j, first)};
    piece_[j] = {-never, first};
  }
}

double CircuitSources::following(std::size_t j, double t) const {
  return t < never ? waves_[j].nextBreak(t) : never;
}

void CircuitSources::joinPieces() {
  isJoined_ = true;
}

double CircuitSources::breakAt(std::size_t j, std::size_t k) {
  Break& next = nextBreak_[j];
  if (k < next.number) {  // a run begins again
    const double first = waves_[j].nextBreak(start_);
    next = {0, first, following(j, first)};
  }
  // Two are known, since clocks ask for the one after the next, too.
  while (next.number + 1 < k) next = {next.number + 1, next.after, following(j, next.after)};
  return k == next.number ? next.at : next.after;
}

void CircuitSources::pass(std::size_t j) {
  Piece& piece = piece_[j];
  piece.begin = piece.end;
  piece.end = waves_[j].nextBreak(piece.begin);
}

void CircuitSources::serializeState(StateArchive& archive) {
  for (std::size_t j = 0; j < waves_.size(); ++j) {
    archive.value("begin", piece_[j].begin);
    archive.value("end", piece_[j].end);
    if (!waves_[j].isConstant()) continue;
    double constant = waves_[j].value(0.);
    archive.value("constant", constant);
    if (archive.restores()) setConstant(j, constant);
  }
}

void SourceVector::add(std::size_t row, const LinearForm& form) {
  for (const LinearForm::Term& term : form.terms()) {
    const bool isSource = term.symbol.kind == CircuitSymbol::Kind::source;
    if (isSource || term.symbol.kind == CircuitSymbol::Kind::sourceRate) {
      terms_.push_back({row, term.symbol, term.value});
    }
  }
}

bool SourceVector::isConstant(const CircuitSources& sources) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return sources.isConstant(term.symbol.index); });
}

bool SourceVector::hasRates() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const Term& term) { return term.symbol.kind == CircuitSymbol::Kind::sourceRate; });
}

bool SourceVector::has(std::size_t source) const {
  return std::any_of(terms_.begin(), terms_.end(), [=](const Term& term) { return term.symbol.index == source; });
}

void SourceVector::addTo(const CircuitSources& sources, double t, Vector& out) const {
  for (const Term& term : terms_) {
    const bool isSource = term.symbol.kind == CircuitSymbol::Kind::source;
    const double u = isSource ? sources.value(term.symbol.index, t) : sources.rate(term.symbol.index, t);
    out(term.row) += term.value * u;
  }
}

void SourceVector::addRateTo(const CircuitSources& sources, double t, Vector& out) const {
  for (const Term& term : terms_) out(term.row) += term.value * sources.rate(term.symbol.index, t);
}

}  // namespace delassus
