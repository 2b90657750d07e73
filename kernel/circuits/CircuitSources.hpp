// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/LinearForm.hpp>
#include <delassus/kernel/circuits/Waveform.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <vector>

namespace delassus {

/// The sources of a circuit in a model: their waveforms, and which piece of them holds now. In time stepping a step is
/// cut where a source jumps: the step before takes the value before the jump, the step after it that after it.
class CircuitSources {
 public:
  /// All of one piece.
  explicit CircuitSources(std::vector<Waveform> waves);

  std::size_t size() const { return waves_.size(); }  ///< how many
  bool isConstant(std::size_t j) const {
    return waves_[j].isConstant() && isSet_[j] == 0;
  }                                                   ///< whether u does not vary
  double value(std::size_t j, double t) const;        ///< u(t), of the present piece unless joined
  double rate(std::size_t j, double t) const;         ///< u̇(t) of the present piece
  double shown(std::size_t j, double t) const;        ///< u(t) that a step to t has ended with; joined, u(t)
  double shownRate(std::size_t j, double t) const;    ///< u̇(t) likewise
  double present(std::size_t j, double t) const;      ///< u(t) of the present piece, joined or not
  double presentRate(std::size_t j, double t) const;  ///< u̇(t) likewise
  void setConstant(std::size_t j, double value);      ///< replaces a waveform

  void letBeSet(std::size_t j) { isSet_[j] = 1; }  ///< an element sets it in the run: it counts as one that varies

  /// Begins pieces at t0, times within `margin` of each other being one.
  void beginPieces(double t0, double margin);
  /// Lets one piece of a source hold at all times.
  void joinPieces(std::size_t j) { piece_[j] = {}; }
  /// For an event-driven run, which takes functions within its own pieces: those here say what is shown, the value
  /// before a jump until it has been passed.
  void joinPieces();
  bool hasBreaks(std::size_t j) const { return piece_[j].end < never; }               ///< after the present piece
  double breakAt(std::size_t j, std::size_t k);                                       ///< instant of break k from t0 on
  void pass(std::size_t j);                                                           ///< the next piece holds
  bool isDue(std::size_t j, double t) const { return piece_[j].end <= t + margin_; }  ///< whether a break is at t
  /// Saves or restores pieces and constants.
  void serializeState(StateArchive& archive);

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  struct Piece {
    double begin = -never;
    double end = never;
  };

  // A break by its number, and the one after it.
  struct Break {
    std::size_t number = 0;
    double at = never;
    double after = never;
  };

  double following(std::size_t j, double t) const;
  double placed(std::size_t j, double t) const;
  double placedBefore(std::size_t j, double t) const;

  std::vector<Waveform> waves_;
  std::vector<char> isSet_;
  std::vector<Piece> piece_;
  std::vector<Break> nextBreak_;
  double start_ = 0.;  // of the first piece
  double margin_ = 0.;
  bool isJoined_ = false;
};

/// A vector that is linear in sources and their rates: b of a system, e of a relation.
class SourceVector {
 public:
  /// One term, added to a component.
  struct Term {
    std::size_t row = 0;   ///< component
    CircuitSymbol symbol;  ///< a source or its rate
    double value = 0.;     ///< coefficient
  };

  void clear() { terms_.clear(); }                    ///< makes it zero
  void add(std::size_t row, const LinearForm& form);  ///< takes the terms of sources and their rates
  void add(const SourceVector& other) {
    terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
  }                                                                            ///< takes its terms
  void reserve(std::size_t terms) { terms_.reserve(terms); }                   ///< storage for so many
  std::size_t size() const { return terms_.size(); }                           ///< how many terms
  bool empty() const { return terms_.empty(); }                                ///< whether it is zero
  bool isConstant(const CircuitSources& sources) const;                        ///< whether no source in it varies
  bool hasRates() const;                                                       ///< whether there are rates in it
  bool has(std::size_t source) const;                                          ///< whether that source is in it
  void addTo(const CircuitSources& sources, double t, Vector& out) const;      ///< adds its value
  void addRateTo(const CircuitSources& sources, double t, Vector& out) const;  ///< adds its derivative; without rates

 private:
  std::vector<Term> terms_;
};

}  // namespace delassus
