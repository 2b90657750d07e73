// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/LinearForm.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {

void LinearForm::add(const LinearForm& other, double factor) {
  if (factor == 0.) return;
  const std::vector<Term>& terms = other.terms();
  for (const Term& term : terms) {
    terms_.push_back({term.symbol, factor * term.value, std::abs(factor) * term.magnitude});
  }
  isMerged_ = false;
}

void LinearForm::scale(double factor) {
  for (Term& term : terms_) {
    term.value *= factor;
    term.magnitude *= std::abs(factor);
  }
}

void LinearForm::merge() const {
  // A sum of a few dozen terms is exact to this part of their magnitudes.
  constexpr double rounding = 1e-14;
  std::stable_sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.symbol < b.symbol; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < terms_.size();) {
    Term sum = terms_[k++];
    for (; k < terms_.size() && terms_[k].symbol == sum.symbol; ++k) {
      sum.value += terms_[k].value;
      sum.magnitude += terms_[k].magnitude;
    }
    if (std::abs(sum.value) > rounding * sum.magnitude) terms_[kept++] = sum;
  }
  terms_.resize(kept);
  isMerged_ = true;
}

const std::vector<LinearForm::Term>& LinearForm::terms() const {
  if (!isMerged_) merge();
  return terms_;
}

double LinearForm::of(CircuitSymbol symbol) const {
  for (const Term& term : terms()) {
    if (term.symbol == symbol) return term.value;
  }
  return 0.;
}

bool LinearForm::has(CircuitSymbol::Kind kind) const {
  return std::any_of(terms().begin(), terms().end(), [kind](const Term& term) { return term.symbol.kind == kind; });
}

bool LinearForm::hasSource(std::size_t source) const {
  return of({CircuitSymbol::Kind::source, source}) != 0. || of({CircuitSymbol::Kind::sourceRate, source}) != 0.;
}

LinearForm LinearForm::replacing(CircuitSymbol::Kind kind, const std::vector<LinearForm>& by) const {
  LinearForm result = without(kind);
  for (const Term& term : terms()) {
    if (term.symbol.kind == kind) result.add(by[term.symbol.index], term.value);
  }
  return result;
}

LinearForm LinearForm::without(CircuitSymbol::Kind kind) const {
  LinearForm result;
  for (const Term& term : terms()) {
    if (term.symbol.kind != kind) result.terms_.push_back(term);
  }
  return result;
}

}  // namespace delassus
