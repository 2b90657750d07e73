// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <numbers>

namespace delassus {

/// A double with its derivative in one direction: a + b ε with ε² = 0, so that f(a + b ε) = f(a) + f'(a) b ε for every
/// function that is written for numbers. Functions of the header cmath are there for it, found without `std::`.
///
/// A number that does not move (b = 0) has a derivative of zero even where f' is infinite: √x at x = 0 of a constant.
class Dual {
 public:
  /// 0.
  constexpr Dual() = default;
  /// A number that does not move; of it come the constants of a formula.
  constexpr Dual(double value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  /// The number `value` with its derivative.
  constexpr Dual(double value, double derivative) : value_(value), derivative_(derivative) {}

  /// a.
  constexpr double value() const { return value_; }
  /// b.
  constexpr double derivative() const { return derivative_; }
  /// The value alone, as a cast: its derivative is lost.
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr explicit operator T() const { return static_cast<T>(value_); }

  /// \cond (arithmetic)
  constexpr Dual& operator+=(Dual y) { return *this = *this + y; }
  constexpr Dual& operator-=(Dual y) { return *this = *this - y; }
  constexpr Dual& operator*=(Dual y) { return *this = *this * y; }
  constexpr Dual& operator/=(Dual y) { return *this = *this / y; }

  friend constexpr Dual operator+(Dual x) { return x; }
  friend constexpr Dual operator-(Dual x) { return {-x.value_, -x.derivative_}; }
  friend constexpr Dual operator+(Dual x, Dual y) { return {x.value_ + y.value_, x.derivative_ + y.derivative_}; }
  friend constexpr Dual operator-(Dual x, Dual y) { return {x.value_ - y.value_, x.derivative_ - y.derivative_}; }
  friend constexpr Dual operator*(Dual x, Dual y) {
    return {x.value_ * y.value_, x.derivative_ * y.value_ + x.value_ * y.derivative_};
  }
  friend constexpr Dual operator*(double x, Dual y) { return {x * y.value_, x * y.derivative_}; }
  friend constexpr Dual operator*(Dual x, double y) { return {x.value_ * y, x.derivative_ * y}; }
  friend constexpr Dual operator/(Dual x, Dual y) {
    const double quotient = x.value_ / y.value_;
    return {quotient, (x.derivative_ - quotient * y.derivative_) / y.value_};
  }
  friend constexpr Dual operator/(Dual x, double y) { return {x.value_ / y, x.derivative_ / y}; }
  /// \endcond

  /// Values are compared, not derivatives: which branch a formula takes.
  friend constexpr bool operator==(Dual x, Dual y) { return x.value_ == y.value_; }
  /// The same.
  friend constexpr std::partial_ordering operator<=>(Dual x, Dual y) { return x.value_ <=> y.value_; }

  /// f(x) for a function with value f and slope f' at x.
  friend constexpr Dual chained(double f, double slope, Dual x) {
    return {f, x.derivative_ == 0. ? 0. : slope * x.derivative_};
  }

 private:
  double value_ = 0.;
  double derivative_ = 0.;
};

// The functions of <cmath>. The derivative of a function with a kink is that to the right of it.
/// \cond
inline Dual abs(Dual x) {
  return std::signbit(x.value()) ? -x : x;
}
inline Dual fabs(Dual x) {
  return abs(x);
}
inline Dual floor(Dual x) {
  return std::floor(x.value());
}
inline Dual ceil(Dual x) {
  return std::ceil(x.value());
}
inline Dual trunc(Dual x) {
  return std::trunc(x.value());
}
inline Dual round(Dual x) {
  return std::round(x.value());
}
inline Dual fmod(Dual x, Dual y) {
  return x - trunc(x / y) * y;
}
inline Dual copysign(Dual x, Dual y) {
  return std::signbit(x.value()) == std::signbit(y.value()) ? x : -x;
}
inline Dual fmax(Dual x, Dual y) {
  return x < y || std::isnan(x.value()) ? y : x;
}
inline Dual fmin(Dual x, Dual y) {
  return y < x || std::isnan(x.value()) ? y : x;
}
inline bool isfinite(Dual x) {
  return std::isfinite(x.value());
}
inline bool isnan(Dual x) {
  return std::isnan(x.value());
}
inline bool isinf(Dual x) {
  return std::isinf(x.value());
}
inline bool signbit(Dual x) {
  return std::signbit(x.value());
}

inline Dual sqrt(Dual x) {
  const double root = std::sqrt(x.value());
  return chained(root, 0.5 / root, x);
}
inline Dual cbrt(Dual x) {
  const double root = std::cbrt(x.value());
  return chained(root, 1. / (3. * root * root), x);
}
inline Dual hypot(Dual x, Dual y) {
  const double length = std::hypot(x.value(), y.value());
  const double part = x.derivative() * x.value() + y.derivative() * y.value();
  return {length, part == 0. ? 0. : part / length};
}
inline Dual exp(Dual x) {
  const double value = std::exp(x.value());
  return chained(value, value, x);
}
inline Dual exp2(Dual x) {
  const double value = std::exp2(x.value());
  return chained(value, std::numbers::ln2 * value, x);
}
inline Dual expm1(Dual x) {
  return chained(std::expm1(x.value()), std::exp(x.value()), x);
}
inline Dual log(Dual x) {
  return chained(std::log(x.value()), 1. / x.value(), x);
}
inline Dual log2(Dual x) {
  return chained(std::log2(x.value()), std::numbers::log2e / x.value(), x);
}
inline Dual log10(Dual x) {
  return chained(std::log10(x.value()), std::numbers::log10e / x.value(), x);
}
inline Dual log1p(Dual x) {
  return chained(std::log1p(x.value()), 1. / (1. + x.value()), x);
}
inline Dual pow(Dual x, double y) {
  return chained(std::pow(x.value(), y), y == 0. ? 0. : y * std::pow(x.value(), y - 1.), x);
}
inline Dual pow(double x, Dual y) {
  const double power = std::pow(x, y.value());
  return chained(power, power == 0. ? 0. : std::log(x) * power, y);
}
inline Dual pow(Dual x, Dual y) {
  return {std::pow(x.value(), y.value()), pow(x, y.value()).derivative() + pow(x.value(), y).derivative()};
}
inline Dual sin(Dual x) {
  return chained(std::sin(x.value()), std::cos(x.value()), x);
}
inline Dual cos(Dual x) {
  return chained(std::cos(x.value()), -std::sin(x.value()), x);
}
inline Dual tan(Dual x) {
  const double value = std::tan(x.value());
  return chained(value, 1. + value * value, x);
}
inline Dual asin(Dual x) {
  return chained(std::asin(x.value()), 1. / std::sqrt(1. - x.value() * x.value()), x);
}
inline Dual acos(Dual x) {
  return chained(std::acos(x.value()), -1. / std::sqrt(1. - x.value() * x.value()), x);
}
inline Dual atan(Dual x) {
  return chained(std::atan(x.value()), 1. / (1. + x.value() * x.value()), x);
}
inline Dual atan2(Dual y, Dual x) {
  const double square = x.value() * x.value() + y.value() * y.value();
  const double turn = x.value() * y.derivative() - y.value() * x.derivative();
  return {std::atan2(y.value(), x.value()), turn == 0. ? 0. : turn / square};
}
inline Dual sinh(Dual x) {
  return chained(std::sinh(x.value()), std::cosh(x.value()), x);
}
inline Dual cosh(Dual x) {
  return chained(std::cosh(x.value()), std::sinh(x.value()), x);
}
inline Dual tanh(Dual x) {
  const double value = std::tanh(x.value());
  return chained(value, 1. - value * value, x);
}
inline Dual asinh(Dual x) {
  return chained(std::asinh(x.value()), 1. / std::sqrt(x.value() * x.value() + 1.), x);
}
inline Dual acosh(Dual x) {
  return chained(std::acosh(x.value()), 1. / std::sqrt(x.value() * x.value() - 1.), x);
}
inline Dual atanh(Dual x) {
  return chained(std::atanh(x.value()), 1. / (1. - x.value() * x.value()), x);
}
inline Dual erf(Dual x) {
  return chained(std::erf(x.value()), 2. * std::numbers::inv_sqrtpi * std::exp(-x.value() * x.value()), x);
}
inline Dual erfc(Dual x) {
  return 1. - erf(x) + Dual(std::erfc(x.value()) - (1. - std::erf(x.value())));
}
/// \endcond

}  // namespace delassus
