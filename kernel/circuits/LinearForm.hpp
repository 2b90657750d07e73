// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace delassus {

/// A symbol of a circuit's equations: what a voltage or a current may depend on.
struct CircuitSymbol {
  /// What it stands for.
  enum class Kind {
    state,       ///< voltage of a capacitor or current of an inductor
    multiplier,  ///< λ of a row
    source,      ///< u of a source
    sourceRate,  ///< u̇ of a source
    excess,      ///< current of a capacitor, or voltage of an inductor, that is no state
    unknown      ///< of the resistive part, eliminated when the circuit is built
  };
  Kind kind = Kind::state;  ///< what it stands for
  std::size_t index = 0;    ///< number among its kind

  /// By kind, then by number.
  friend auto operator<=>(const CircuitSymbol&, const CircuitSymbol&) = default;
};

/// A linear form Σ cₖ sₖ of symbols, with the magnitudes of the terms that each coefficient is a sum of: what cancels
/// to rounding is zero, so that no diode has a feedthrough of 10⁻¹⁷.
class LinearForm {
 public:
  /// One coefficient.
  struct Term {
    CircuitSymbol symbol;   ///< s
    double value = 0.;      ///< c
    double magnitude = 0.;  ///< Σ |terms of c|
  };

  LinearForm() = default;  ///< zero
  /// value · symbol.
  LinearForm(CircuitSymbol symbol, double value) : terms_{{symbol, value, value < 0. ? -value : value}} {}

  /// Adds factor · other; the sum is merged by the next reader.
  ///@{
  void add(const LinearForm& other, double factor = 1.);
  void add(CircuitSymbol symbol, double value) { add(LinearForm(symbol, value)); }
  ///@}
  void scale(double factor);  ///< multiplies it by a number
  /// Adds a term whose magnitude is known; the sum is merged by the next reader.
  void append(const Term& term) {
    terms_.push_back(term);
    isMerged_ = false;
  }

  /// Terms by symbol, each symbol once, none that is zero to rounding.
  const std::vector<Term>& terms() const;
  double of(CircuitSymbol symbol) const;          ///< its coefficient, or 0
  bool has(CircuitSymbol::Kind kind) const;       ///< whether there is a symbol of this kind
  bool hasSource(std::size_t source) const;       ///< whether it depends on a source or its rate
  bool empty() const { return terms().empty(); }  ///< whether it is zero

  /// The form with each symbol of `kind` replaced by a form.
  LinearForm replacing(CircuitSymbol::Kind kind, const std::vector<LinearForm>& by) const;
  /// Its terms of other kinds.
  LinearForm without(CircuitSymbol::Kind kind) const;

 private:
  void merge() const;

  mutable std::vector<Term> terms_;
  mutable bool isMerged_ = true;
};

}  // namespace delassus
