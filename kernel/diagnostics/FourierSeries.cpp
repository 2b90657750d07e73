// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/FourierSeries.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <numbers>
#include <string>

namespace delassus {
namespace {

// sin x / x
double sinc(double x) {
  return std::abs(x) < 1e-4 ? 1. - x * x / 6. : std::sin(x) / x;
}

// (sin x − x cos x) / x², whose numerator cancels for small x.
double firstMoment(double x) {
  constexpr double small = 0.02;  // the first term left out is x⁷/45360, below rounding
  if (std::abs(x) < small) return x * (1. / 3. - x * x * (1. / 30. - x * x / 840.));
  return (std::sin(x) - x * std::cos(x)) / (x * x);
}

}  // namespace

FourierSeries::FourierSeries(double begin, double period, std::size_t harmonics)
    : begin_(begin), period_(period), sums_(harmonics + 1), present_(harmonics + 1) {
  if (std::isfinite(begin) && period > 0. && std::isfinite(period) && harmonics > 0) return;
  throw Error("FourierSeries",
              "the period must be positive, the begin finite and the number of harmonics at least 1, "
              "got " +
                  toText(period) + ", " + toText(begin) + " and " + std::to_string(harmonics) + ".");
}

double FourierSeries::endOfPeriod() const {
  return begin_ + period_ * static_cast<double>(periods_ + 1);
}

void FourierSeries::add(double t, double value) {
  if (!std::isfinite(t) || !std::isfinite(value)) {
    throw Error("FourierSeries", "sample " + toText(value) + " at t = " + toText(t) + " is not finite.");
  }
  const double rounding = 8. * std::numeric_limits<double>::epsilon() * (std::abs(t) + period_);
  if (hasSample_ ? t < t_ : t > begin_ + rounding) {
    throw Error("FourierSeries",
                hasSample_
                    ? "samples must come in ascending time, but t = " + toText(t) + " follows " + toText(t_) + "."
                    : "the first sample, at t = " + toText(t) + ", comes after the first period has begun, at " +
                          toText(begin_) + ".");
  }
  double from = t_, valueFrom = value_;
  const double slope = hasSample_ && t > t_ ? (value - value_) / (t - t_) : 0.;
  const auto valueAt = [&](double at) { return value_ + slope * (at - t_); };
  if (!hasSample_ && t > begin_) t = begin_;
  if (hasSample_ && from < begin_ && t > begin_) {
    valueFrom = valueAt(begin_);
    from = begin_;
  }
  while (hasSample_ && from >= begin_ && t >= endOfPeriod() - rounding) {
    const double end = std::min(t, std::max(from, endOfPeriod()));
    const double valueEnd = end == t ? value : valueAt(end);
    addSegment(from, valueFrom, end, valueEnd);
    finishPeriod();
    from = end;
    valueFrom = valueEnd;
  }
  if (hasSample_ && from >= begin_) addSegment(from, valueFrom, t, value);
  hasSample_ = true;
  t_ = t;
  value_ = value;
}

// About the midpoint m of the segment, of width d: with x = kω d/2,
// ∫ y e^{−ikωt} dt = e^{−ikωm} d (y_m sin x / x − i (y_b − y_a)/2 (sin x − x cos x)/x²).
void FourierSeries::addSegment(double from, double valueFrom, double to, double valueTo) {
  const double width = to - from;
  if (!(width > 0.)) return;
  const double omega = 2. * std::numbers::pi / period_;
  const double middle = 0.5 * (from - begin_) + 0.5 * (to - begin_);
  const double mean = 0.5 * (valueFrom + valueTo), half = 0.5 * (valueTo - valueFrom);
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const double x = 0.5 * static_cast<double>(k) * omega * width;
    const double angle = std::remainder(static_cast<double>(k) * middle / period_, 1.) * 2. * std::numbers::pi;
    present_[k] += width * std::polar(1., -angle) * std::complex<double>(mean * sinc(x), -half * firstMoment(x));
  }
  presentSquares_ += width * (mean * mean + half * half / 3.);
}

void FourierSeries::finishPeriod() {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    sums_[k] += present_[k];
    present_[k] = 0.;
  }
  squares_ += presentSquares_;
  presentSquares_ = 0.;
  ++periods_;
}

void FourierSeries::requirePeriod() const {
  if (periods_ > 0) return;
  throw Error("FourierSeries",
              "the samples cover no whole period of " + toText(period_) + " from t = " + toText(begin_) + " on.");
}

std::complex<double> FourierSeries::coefficient(std::size_t k) const {
  requirePeriod();
  if (k >= sums_.size()) {
    throw Error("FourierSeries", "asked for harmonic " + std::to_string(k) + "; there are coefficients up to " +
                                     std::to_string(harmonics()) + ".");
  }
  return sums_[k] / (period_ * static_cast<double>(periods_));
}

double FourierSeries::mean() const {
  return coefficient(0).real();
}

double FourierSeries::amplitude(std::size_t k) const {
  return (k == 0 ? 1. : 2.) * std::abs(coefficient(k));
}

double FourierSeries::phase(std::size_t k) const {
  return std::arg(coefficient(k));
}

double FourierSeries::rms() const {
  requirePeriod();
  return std::sqrt(squares_ / (period_ * static_cast<double>(periods_)));
}

double FourierSeries::distortion() const {
  const double all = rms(), first = std::numbers::sqrt2 * std::abs(coefficient(1));
  return std::sqrt(std::max(0., all * all - mean() * mean() - first * first)) / first;
}

}  // namespace delassus
