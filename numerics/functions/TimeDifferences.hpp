// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>

namespace delassus {

/// Times around t at which a function may be evaluated, s: beyond them it may jump. None of them is negative.
struct TimeRoom {
  double before = std::numeric_limits<double>::infinity();  ///< from the first of them to t
  double after = std::numeric_limits<double>::infinity();   ///< from t to the last of them
};

/// Nodes and weights of a derivative in time by differences: with f_j = f(t + offset(j)), j = 0 … 6,
///
///     ḟ(t) ≈ Σ weight(k, j) f_j,    k = 0, 1, 2,
///
/// of order 6 on all nodes (k = 0), 4 on the five and 2 on the three that are nearest to t. The ratios of the distances
/// are irrational, so that no periodic function has the same value at all nodes. The nodes are centred at t, or as
/// nearly as the room allows.
class DifferenceFormula {
 public:
  static constexpr std::size_t nodes = 7;   ///< that a difference of order 6 takes
  static constexpr std::size_t orders = 3;  ///< 6, 4 and 2

  /// Nodes at a mean distance of `increment`, or closer where the room is short.
  DifferenceFormula(double increment, const TimeRoom& room);

  /// Time of node j after t, s.
  double offset(std::size_t j) const { return offsets_[j]; }
  /// Weight of f_j, 1/s.
  double weight(std::size_t order, std::size_t j) const { return weights_[order][j]; }
  /// True if f_j counts.
  bool uses(std::size_t j) const { return weights_[0][j] != 0. || weights_[1][j] != 0. || weights_[2][j] != 0.; }
  /// Σ |weight(0, j)|: a rounding of f becomes this much larger, 1/s.
  double amplification() const;

 private:
  std::array<double, nodes> offsets_{};
  std::array<std::array<double, nodes>, orders> weights_{};
};

/// The derivative in time of a vector function that finds its own scale of time: the increment is taken at which
/// differences of three orders agree, as far as rounding lets them. A result that they do not agree on is not handed
/// out. Only the first call allocates.
class TimeDifferences {
 public:
  /// What is known of a function at t.
  struct Place {
    TimeRoom room{};         ///< in which it may be evaluated
    double resolution = 0.;  ///< rounding of the times at which it is evaluated, s
    double longest = 1e-3;   ///< increment that is tried, s
  };

  /// The increment, s, for which the estimated error of a function f(offset, result) is smallest, here and somewhat
  /// later. It is searched from short to long ones, so that a fast function is not taken for a slow one. `terms` are
  /// the magnitudes that measure the rounding of its components.
  template <class F>
  double choose(F&& f, const Place& place, const Vector& terms);

  /// The derivative of f(offset, result) by t into `rate`, with `increment` or, where the orders do not agree, the next
  /// shorter one of a quarter. Returns the increment that was used, or 0 if none gives four digits: `rate` is then not
  /// to be used, but not finite where f is not.
  template <class F>
  double compute(F&& f, const Place& place, const Vector& terms, double increment, Vector& rate);

 private:
  static constexpr double factor = 4.;
  static double shortest(const Place& place) { return std::max(1e-10 * place.longest, 512. * place.resolution); }

  template <class F>
  void evaluate(F& f, const Place& place, const Vector& terms, double increment, double shift);
  void begin(std::size_t size);
  void add(const DifferenceFormula& formula, std::size_t node);
  void finish(const DifferenceFormula& formula, const Place& place, const Vector& terms);
  void keepEstimate();
  double errorOfBoth() const;
  bool agrees() const;
  double relativeError(const Place& place, const Vector& terms) const;
  static bool isAcceptable(double error) { return error <= 1e-4; }

  Vector value_, least_, most_;
  Vector change_;  // of the values, of a second
  Vector floor_;   // the error that rounding explains
  std::array<Vector, DifferenceFormula::orders> rates_;
  Vector best_;
  Vector errors_, sizes_;  // of the first of two places; a negative error tells nothing
};

template <class F>
void TimeDifferences::evaluate(F& f, const Place& place, const Vector& terms, double increment, double shift) {
  const double moved = std::min(shift, place.room.after);
  const DifferenceFormula formula(increment, {place.room.before + moved, place.room.after - moved});
  begin(terms.size());
  for (std::size_t j = 0; j < DifferenceFormula::nodes; ++j) {
    if (!formula.uses(j)) continue;
    f(moved + formula.offset(j), value_);
    add(formula, j);
  }
  finish(formula, place, terms);
}

template <class F>
double TimeDifferences::choose(F&& f, const Place& place, const Vector& terms) {
  constexpr double later = 2.1;  // increments: not at an extremum again
  constexpr double worse = 1e4;  // than the best: f is fast at that scale
  double chosen = place.longest;
  double best = std::numeric_limits<double>::infinity();
  for (double h = shortest(place); h <= place.longest; h *= factor) {
    evaluate(f, place, terms, h, 0.);
    keepEstimate();
    evaluate(f, place, terms, h, later * h);
    const double error = errorOfBoth();
    if (isAcceptable(best) && error > worse * best) break;
    if (error > best) continue;
    best = error;
    chosen = h;
  }
  return chosen;
}

template <class F>
double TimeDifferences::compute(F&& f, const Place& place, const Vector& terms, double increment, Vector& rate) {
  double used = 0.;
  double least = std::numeric_limits<double>::infinity();
  for (double h = increment; h >= shortest(place) || h == increment; h /= factor) {
    evaluate(f, place, terms, h, 0.);
    rate = rates_[0];
    if (agrees()) return h;
    const double error = relativeError(place, terms);
    // Shorter increments do not help against what is not exact in f.
    if (error > least && isAcceptable(least)) break;
    if (error >= least) continue;
    least = error;
    best_ = rates_[0];
    used = h;
  }
  if (!isAcceptable(least)) return 0.;
  rate = best_;
  return used;
}

}  // namespace delassus
