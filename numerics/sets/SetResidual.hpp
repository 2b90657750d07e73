// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace delassus::numerics {

// What the certificate of a problem over sets is made of. Real is double or, where that does not tell, long double: all
// that is done with λ and w is done in Real. A set adds to map, data, finite, sum and weightSquared; where F has norms
// or differences of large terms, to contacts too; where it shifts w, to shift.

/// The sums of a certificate over all parts, to which each adds its own.
template <class Real>
struct ResidualSums {
  Real map = 0.;              ///< Σ ‖F‖² e, e = 1/d or 1
  double data = 0.;           ///< Σ ‖q‖² e
  Real finite = 0.;           ///< 0, or NaN once a λ or w is not finite: add 0 · x for each x that a map may drop
  double sum = 0.;            ///< Σ |λ_i|
  double weightSquared = 0.;  ///< largest square of what a change of w is multiplied by in F √e
  double shift = 1.;          ///< largest factor by which De Saxcé's shift raises a change of w; 1 without shift
  double contacts = 0.;  ///< Σ of (‖d λ / c‖² + ‖c w‖²) weight² of parts whose F rounds by more than itself

  /// Takes in the sums of other parts.
  void add(const ResidualSums& other) {
    map += other.map;
    data += other.data;
    finite += other.finite;
    sum += other.sum;
    weightSquared = std::max(weightSquared, other.weightSquared);
    shift = std::max(shift, other.shift);
    contacts += other.contacts;
  }
  /// Takes in the square of the weight of a row.
  void weigh(double squared) { weightSquared = std::max(weightSquared, squared); }
};

/// One part of a problem at a point.
template <class Real>
struct ResidualRows {
  std::size_t count;        ///< rows
  const Real* lambda;       ///< their λ
  const Real* w;            ///< their w = (W λ + q)_i
  const double* q;          ///< their q
  const double* block;      ///< their diagonal block of W, column-major; null for a measure without scales
  const double* lower;      ///< their bounds of λ, which count for boxes
  const double* upper;      ///< their bounds of λ, which count for boxes
  bool countEnergy = true;  ///< whether squares are divided by d
  std::size_t step = 0;     ///< between diagonal entries in `block`, which has nothing else then; 0: in a whole block

  /// 1/d or 1, by which squares of rows of scale d count.
  double weight(double d) const { return countEnergy ? 1. / d : 1.; }
  /// W_ii where that is positive, 1 otherwise.
  double diagonal(std::size_t i) const {
    const double d = block != nullptr ? block[i * (step > 0 ? step : count + 1)] : 1.;
    return d > 0. ? d : 1.;
  }
  /// Mean of the W_ii of some rows where that is positive, 1 otherwise.
  double mean(std::size_t first, std::size_t end) const {
    if (block == nullptr) return 1.;
    double total = 0.;
    for (std::size_t i = first; i < end; ++i) total += block[i * (step > 0 ? step : count + 1)];
    return total > 0. ? total / static_cast<double>(end - first) : 1.;
  }
};

}  // namespace delassus::numerics
