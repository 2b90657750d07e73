// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>

/// The limit cycle of a relay around three equal lags, 1/(s + 1)³:
///
///     ẋ₁ = −x₁ + x₂,   ẋ₂ = −x₂ + x₃,   ẋ₃ = −x₃ + λ,   λ = −sgn(x₁).
///
/// While λ = 1, x(t) = 𝟙 + E(t) (x* − 𝟙) with E(t) = e^{At}, upper triangular. By symmetry half a period τ leads from a
/// switching point x* to −x*, so (I + E(τ)) x* = (E(τ) − I) 𝟙, and τ is the root of x₁*(τ) = 0. (Åström, Oscillations
/// in systems with relay feedback, 1995.)
class LagLimitCycle {
 public:
  LagLimitCycle() {
    double below = 1.;  // x₁* > 0 there: the lags turn faster than τ = 1 allows; < 0 at 3
    double above = 3.;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (below + above);
      (switchingPoint(middle)[0] < 0.) == (switchingPoint(below)[0] < 0.) ? below = middle : above = middle;
    }
    half_ = 0.5 * (below + above);
    start_ = switchingPoint(half_);
  }

  double period() const { return 2. * half_; }
  /// x where λ becomes 1.
  const std::array<double, 3>& switchingPoint() const { return start_; }

  /// Largest |x₁|: where 𝟙 + e^{−t} (a + b t + c t²/2) has its minimum, at the root of b − a + (c − b) t − c t²/2 in
  /// the half period.
  double amplitude() const {
    const double a = start_[0] - 1.;
    const double b = start_[1] - 1.;
    const double c = start_[2] - 1.;
    const double root = std::sqrt((c - b) * (c - b) + 2. * c * (b - a));
    double worst = 0.;
    for (const double t : {(c - b - root) / c, (c - b + root) / c}) {
      if (t >= 0. && t <= half_) worst = std::max(worst, std::abs(1. + std::exp(-t) * (a + t * (b + 0.5 * t * c))));
    }
    return worst;
  }

 private:
  static std::array<double, 3> switchingPoint(double t) {
    const double e = std::exp(-t);
    const double x3 = (e - 1.) / (1. + e);
    const double x2 = (e * (1. + t) - 1. - e * t * x3) / (1. + e);
    const double x1 = (e * (1. + t + 0.5 * t * t) - 1. - e * t * (x2 + 0.5 * t * x3)) / (1. + e);
    return {x1, x2, x3};
  }

  double half_;
  std::array<double, 3> start_;
};

/// Period and amplitude of a sampled oscillation about zero, from its upward crossings; the first ones are left out.
class CycleMeter {
 public:
  explicit CycleMeter(std::size_t leaveOut = 5) : leaveOut_(leaveOut) {}

  void add(double t, double y) {
    if (started_ && before_ < 0. && y >= 0.) cross(timeBefore_ - before_ * (t - timeBefore_) / (y - before_));
    if (crossings_ > leaveOut_) amplitude_ = std::max(amplitude_, std::abs(y));
    before_ = y;
    timeBefore_ = t;
    started_ = true;
  }

  void serializeState(delassus::StateArchive& archive) {
    archive.value("crossings", crossings_);
    archive.value("started", started_);
    for (double* const number : {&before_, &timeBefore_, &first_, &last_, &amplitude_}) {
      archive.value("cycle", *number);
    }
  }

  std::size_t cycles() const { return crossings_ > leaveOut_ + 1 ? crossings_ - leaveOut_ - 1 : 0; }
  /// Mean over cycles(), which must not be 0.
  double period() const { return (last_ - first_) / static_cast<double>(cycles()); }
  double amplitude() const { return amplitude_; }

 private:
  void cross(double t) {
    if (++crossings_ == leaveOut_ + 1) first_ = t;
    last_ = t;
  }

  std::size_t leaveOut_;
  std::size_t crossings_ = 0;
  bool started_ = false;
  double before_ = 0.;
  double timeBefore_ = 0.;
  double first_ = 0.;
  double last_ = 0.;
  double amplitude_ = 0.;
};
