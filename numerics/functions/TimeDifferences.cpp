// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/functions/TimeDifferences.hpp>

namespace delassus {
namespace {

// Values that change by less than this multiple of what rounding explains tell nothing of a scale of time.
constexpr double insignificant = 3.;

// Parts of a piece of time at its ends, which nodes keep off: a function that jumps where a piece ends may do so some
// roundings before. There the derivative is extrapolated.
constexpr double edges = 1e-9;

using Weights = std::array<double, DifferenceFormula::nodes>;

// Distances 3, 3/√2 and 3/√7 of the middle.
constexpr Weights places = {-3., -2.1213203435596424, -1.1338934190276817, 0., 1.1338934190276817, 2.1213203435596424,
                            3.};

// Weights of the values at `count` places from `first` on in the derivative at `place` of the polynomial through them.
Weights weightsAt(double place, std::size_t first, std::size_t count) {
  Weights weights{};
  for (std::size_t j = first; j < first + count; ++j) {
    double sum = 0.;
    for (std::size_t m = first; m < first + count; ++m) {
      if (m == j) continue;
      double term = 1. / (places[j] - places[m]);
      for (std::size_t l = first; l < first + count; ++l) {
        if (l != j && l != m) term *= (place - places[l]) / (places[j] - places[l]);
      }
      sum += term;
    }
    weights[j] = sum;
  }
  return weights;
}

// The weights of orders 6, 4 and 2, the last two on the places around the nearest one.
std::array<Weights, DifferenceFormula::orders> allWeights(double place) {
  std::size_t nearest = 0;
  for (std::size_t j = 1; j < DifferenceFormula::nodes; ++j) {
    if (std::abs(places[j] - place) < std::abs(places[nearest] - place)) nearest = j;
  }
  const std::size_t five = std::clamp<std::size_t>(nearest, 2, 4) - 2;
  const std::size_t three = std::clamp<std::size_t>(nearest, 1, 5) - 1;
  return {weightsAt(place, 0, 7), weightsAt(place, five, 5), weightsAt(place, three, 3)};
}

// A centred difference has no use for the value in the middle.
std::array<Weights, DifferenceFormula::orders> centralWeights() {
  auto weights = allWeights(0.);
  for (Weights& w : weights) w[3] = 0.;
  return weights;
}

}  // namespace

DifferenceFormula::DifferenceFormula(double increment, const TimeRoom& whole) {
  static const auto central = centralWeights();
  const double length = whole.before + whole.after;
  const double edge = std::isfinite(length) ? edges * length : 0.;
  const TimeRoom room{whole.before - edge, whole.after - edge};
  const double reach = places.back();
  const double own = std::min(increment, (room.before + room.after) / (2. * reach));
  const double side = reach * own;
  const double shift = room.before < side ? side - room.before : room.after < side ? room.after - side : 0.;
  weights_ = shift == 0. ? central : allWeights(-shift / own);
  for (std::size_t j = 0; j < nodes; ++j) {
    offsets_[j] = std::clamp(shift + own * places[j], -room.before, room.after);
    for (Weights& w : weights_) w[j] /= own;
  }
}

double DifferenceFormula::amplification() const {
  double sum = 0.;
  for (const double w : weights_[0]) sum += std::abs(w);
  return sum;
}

void TimeDifferences::begin(std::size_t size) {
  for (Vector& rate : rates_) assignZero(rate, size);
  assignZero(value_, size);
  least_.resize(size, false);
  most_.resize(size, false);
  floor_.resize(size, false);
  change_.resize(size, false);
  std::fill(least_.begin(), least_.end(), std::numeric_limits<double>::infinity());
  std::fill(most_.begin(), most_.end(), -std::numeric_limits<double>::infinity());
}

void TimeDifferences::add(const DifferenceFormula& formula, std::size_t node) {
  for (std::size_t i = 0; i < value_.size(); ++i) {
    for (std::size_t k = 0; k < DifferenceFormula::orders; ++k) rates_[k](i) += formula.weight(k, node) * value_(i);
    least_(i) = std::min(least_(i), value_(i));
    most_(i) = std::max(most_(i), value_(i));
  }
}

// The part of an error that rounding explains, of values and of times.
void TimeDifferences::finish(const DifferenceFormula& formula, const Place& place, const Vector& terms) {
  constexpr double rounding = 5e-15;
  const double amplification = formula.amplification();
  const double span = formula.offset(DifferenceFormula::nodes - 1) - formula.offset(0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double size = std::max({terms(i), std::abs(least_(i)), std::abs(most_(i))});
    floor_(i) = amplification * (rounding * size + 2. * place.resolution * std::abs(rates_[0](i)));
    change_(i) = (most_(i) - least_(i)) / span;
  }
}

void TimeDifferences::keepEstimate() {
  assign(rates_[0], sizes_);
  assign(floor_, errors_);
  for (std::size_t i = 0; i < floor_.size(); ++i) {
    errors_(i) += std::abs(rates_[0](i) - rates_[1](i));
    if (change_(i) <= insignificant * floor_(i)) errors_(i) = -1.;
  }
}

// The larger of the estimates of both places, relative; infinite if no component changes significantly. Smaller errors
// than `enough` count as equal, so that the longest increment is taken: a function that begins at zero is exact over
// any short one there, and later it is not.
double TimeDifferences::errorOfBoth() const {
  constexpr double enough = 1e-10;
  double worst = -1.;
  for (std::size_t i = 0; i < floor_.size(); ++i) {
    double error = errors_(i);
    if (change_(i) > insignificant * floor_(i)) {
      error = std::max(error, floor_(i) + std::abs(rates_[0](i) - rates_[1](i)));
    }
    if (error < 0.) continue;
    const double size = std::max(std::abs(sizes_(i)), std::abs(rates_[0](i)));
    worst = std::max(worst, size > 0. ? error / size : std::numeric_limits<double>::infinity());
  }
  return worst < 0. ? std::numeric_limits<double>::infinity() : std::max(worst, enough);
}

// The orders 6 and 4 to nine digits, and 2 roughly: three estimates do not agree by chance.
bool TimeDifferences::agrees() const {
  constexpr double good = 1e-9;
  constexpr double rough = 3e-2;
  for (std::size_t i = 0; i < floor_.size(); ++i) {
    const double size = std::abs(rates_[0](i));
    if (!(std::abs(rates_[0](i) - rates_[1](i)) <= std::max(good * size, floor_(i)))) return false;
    if (!(std::abs(rates_[0](i) - rates_[2](i)) <= std::max(rough * change_(i), floor_(i)))) return false;
  }
  return true;
}

// Relative to the rate, which is not measured against less than `least` of what the terms would be in the longest time.
double TimeDifferences::relativeError(const Place& place, const Vector& terms) const {
  constexpr double least = 1e-4;
  double worst = 0.;
  for (std::size_t i = 0; i < floor_.size(); ++i) {
    const double error = std::abs(rates_[0](i) - rates_[1](i));
    const double size = std::max(std::abs(rates_[0](i)), least * terms(i) / place.longest);
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    if (error > 0.) worst = std::max(worst, error / size);
  }
  return worst;
}

}  // namespace delassus
