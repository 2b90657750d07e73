// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <iosfwd>
#include <limits>
#include <numbers>
#include <type_traits>

namespace delassus {

/// A double with its derivative in one direction: arithmetic and the functions of the header cmath, found without
/// `std::`, carry the derivative along. Comparisons compare values. A derivative that is zero stays zero, also where a
/// function has none (√x at 0).
class Dual {
 public:
  /// Zero.
  Dual() = default;
  /// A constant.
  template <class Number>
  requires std::is_arithmetic_v<Number> Dual(Number value) : value_(static_cast<double>(value)) {}  // NOLINT: implicit
  /// A number with its derivative.
  Dual(double value, double derivative) : value_(value), derivative_(derivative) {}

  /// The two numbers.
  ///@{
  double value() const { return value_; }
  double derivative() const { return derivative_; }
  ///@}
  /// The value; an explicit conversion, which loses the derivative.
  explicit operator double() const { return value_; }

  /// Arithmetic.
  ///@{
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) { return {-a.value_, -a.derivative_}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value_ + b.value_, a.derivative_ + b.derivative_}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value_ - b.value_, a.derivative_ - b.derivative_}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, a.derivative_ * b.value_ + a.value_ * b.derivative_};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value_ / b.value_;
    return {quotient, (a.derivative_ - quotient * b.derivative_) / b.value_};
  }
  ///@}

  /// Of the values.
  ///@{
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend std::partial_ordering operator<=>(const Dual& a, const Dual& b) { return a.value_ <=> b.value_; }
  friend bool isfinite(const Dual& a) { return std::isfinite(a.value_); }
  friend bool isnan(const Dual& a) { return std::isnan(a.value_); }
  friend bool isinf(const Dual& a) { return std::isinf(a.value_); }
  friend bool signbit(const Dual& a) { return std::signbit(a.value_); }
  /// The value, as text.
  template <class Stream>
  requires requires(Stream& out, double x) { out << x; }
  friend Stream& operator<<(Stream& out, const Dual& a) {
    out << a.value_;
    return out;
  }
  ///@}

  /// The functions of the header cmath. Those that jump, floor(x) and the like, have the derivative zero.
  ///@{
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value_);
    return a.mapped(root, 0.5 / root);
  }
  friend Dual cbrt(const Dual& a) {
    const double root = std::cbrt(a.value_);
    return a.mapped(root, 1. / (3. * root * root));
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value_);
    return a.mapped(e, e);
  }
  friend Dual exp2(const Dual& a) {
    const double e = std::exp2(a.value_);
    return a.mapped(e, std::numbers::ln2 * e);
  }
  friend Dual expm1(const Dual& a) { return a.mapped(std::expm1(a.value_), std::exp(a.value_)); }
  friend Dual log(const Dual& a) { return a.mapped(std::log(a.value_), 1. / a.value_); }
  friend Dual log2(const Dual& a) { return a.mapped(std::log2(a.value_), 1. / (std::numbers::ln2 * a.value_)); }
  friend Dual log10(const Dual& a) { return a.mapped(std::log10(a.value_), 1. / (std::numbers::ln10 * a.value_)); }
  friend Dual log1p(const Dual& a) { return a.mapped(std::log1p(a.value_), 1. / (1. + a.value_)); }
  friend Dual sin(const Dual& a) { return a.mapped(std::sin(a.value_), std::cos(a.value_)); }
  friend Dual cos(const Dual& a) { return a.mapped(std::cos(a.value_), -std::sin(a.value_)); }
  friend Dual tan(const Dual& a) {
    const double t = std::tan(a.value_);
    return a.mapped(t, 1. + t * t);
  }
  friend Dual asin(const Dual& a) { return a.mapped(std::asin(a.value_), 1. / std::sqrt(1. - a.value_ * a.value_)); }
  friend Dual acos(const Dual& a) { return a.mapped(std::acos(a.value_), -1. / std::sqrt(1. - a.value_ * a.value_)); }
  friend Dual atan(const Dual& a) { return a.mapped(std::atan(a.value_), 1. / (1. + a.value_ * a.value_)); }
  friend Dual sinh(const Dual& a) { return a.mapped(std::sinh(a.value_), std::cosh(a.value_)); }
  friend Dual cosh(const Dual& a) { return a.mapped(std::cosh(a.value_), std::sinh(a.value_)); }
  friend Dual tanh(const Dual& a) {
    const double t = std::tanh(a.value_);
    return a.mapped(t, 1. - t * t);
  }
  friend Dual asinh(const Dual& a) { return a.mapped(std::asinh(a.value_), 1. / std::hypot(1., a.value_)); }
  friend Dual acosh(const Dual& a) { return a.mapped(std::acosh(a.value_), 1. / std::sqrt(a.value_ * a.value_ - 1.)); }
  friend Dual atanh(const Dual& a) { return a.mapped(std::atanh(a.value_), 1. / (1. - a.value_ * a.value_)); }
  friend Dual erf(const Dual& a) { return a.mapped(std::erf(a.value_), gauss(a.value_)); }
  friend Dual erfc(const Dual& a) { return a.mapped(std::erfc(a.value_), -gauss(a.value_)); }
  friend Dual abs(const Dual& a) { return a.mapped(std::abs(a.value_), a.value_ > 0. ? 1. : a.value_ < 0. ? -1. : 0.); }
  friend Dual fabs(const Dual& a) { return abs(a); }
  friend Dual floor(const Dual& a) { return std::floor(a.value_); }
  friend Dual ceil(const Dual& a) { return std::ceil(a.value_); }
  friend Dual round(const Dual& a) { return std::round(a.value_); }
  friend Dual trunc(const Dual& a) { return std::trunc(a.value_); }
  friend Dual copysign(const Dual& a, const Dual& b) {
    return std::signbit(a.value_) == std::signbit(b.value_) ? a : -a;
  }
  friend Dual fmax(const Dual& a, const Dual& b) { return a < b ? b : a; }
  friend Dual fmin(const Dual& a, const Dual& b) { return b < a ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return fmax(a, b); }
  friend Dual min(const Dual& a, const Dual& b) { return fmin(a, b); }
  friend Dual fmod(const Dual& a, const Dual& b) { return a - trunc(a.value_ / b.value_) * b; }
  friend Dual hypot(const Dual& a, const Dual& b) {
    const double length = std::hypot(a.value_, b.value_);
    return {length, times(a.derivative_, a.value_ / length) + times(b.derivative_, b.value_ / length)};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = y.value_ * y.value_ + x.value_ * x.value_;
    return {std::atan2(y.value_, x.value_),
            times(y.derivative_, x.value_ / square) - times(x.derivative_, y.value_ / square)};
  }
  friend Dual pow(const Dual& a, const Dual& b) {
    const double power = std::pow(a.value_, b.value_);
    // xʸ⁻¹ y by itself: power / x is not a number at x = 0.
    return {power, times(a.derivative_, b.value_ == 0. ? 0. : b.value_ * std::pow(a.value_, b.value_ - 1.)) +
                       times(b.derivative_, power == 0. ? 0. : power * std::log(a.value_))};
  }
  ///@}

 private:
  // The derivative of a function with this slope.
  static double times(double derivative, double slope) { return derivative == 0. ? 0. : derivative * slope; }
  static double gauss(double x) { return 2. * std::numbers::inv_sqrtpi * std::exp(-x * x); }
  static double trunc(double x) { return std::trunc(x); }
  Dual mapped(double value, double slope) const { return {value, times(derivative_, slope)}; }

  double value_ = 0., derivative_ = 0.;
};

}  // namespace delassus

/// As those of double, of the value.
template <>
class std::numeric_limits<delassus::Dual> : public std::numeric_limits<double> {};
