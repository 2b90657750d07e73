// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/numerics/StateArchive.hpp>

#include "../support/PhaseCount.hpp"

namespace delassus {

/// A block that sticks and slides, in closed form phase by phase: v̇ = a + b sin ωt ∓ f while it slides down or up, with
/// the begin and the end of a phase found by bisection. a: the weight along the slope, f: the limit of friction (both
/// per mass), b sin ωt: the shaking.
class ShakenBlock {
 public:
  ShakenBlock(double weight, double friction, double shaking, double omega, double v0)
      : a_(weight),
        f_(friction),
        b_(shaking),
        omega_(omega),
        v0_(v0),
        side_(v0 > 0.   ? 1.
              : v0 < 0. ? -1.
                        : 0.) {}

  void serializeState(StateArchive& archive) {
    for (double* const number : {&v0_, &side_, &time_, &start_, &x0_, &x_, &v_}) archive.value("block", *number);
  }

  double position() const { return x_; }
  double velocity() const { return v_; }

  /// To a later time; each call must be short beside a phase.
  void advance(double t) {
    for (PhaseCount count("closed form of the block"); t > time_; count.next()) {
      if (side_ == 0. && !sticksUntil(t)) continue;
      if (side_ == 0.) {
        time_ = t;
        v_ = 0.;
      } else {
        slideTo(t);
      }
    }
    if (side_ != 0.) evaluate(t, x_, v_);
  }

 private:
  double driving(double t) const { return a_ + b_ * std::sin(omega_ * t); }

  // Begins a phase of sliding, and returns false, if the force leaves the cone of friction before t.
  bool sticksUntil(double t) {
    const double force = driving(t);
    if (std::abs(force) <= f_) return true;
    double before = time_, after = t;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (before + after);
      (std::abs(driving(middle)) <= f_ ? before : after) = middle;
    }
    begin(after, std::copysign(1., force), 0.);
    return false;
  }

  void begin(double t, double side, double v) {
    start_ = time_ = t;
    x0_ = x_;
    v0_ = v_ = v;
    side_ = side;
  }

  // v̇ = a + b sin ωt − side f from the beginning of the phase.
  void evaluate(double t, double& x, double& v) const {
    const double s = t - start_, c = a_ - side_ * f_, wave = b_ / omega_;
    v = v0_ + c * s - wave * (std::cos(omega_ * t) - std::cos(omega_ * start_));
    x = x0_ + v0_ * s + 0.5 * c * s * s - wave / omega_ * (std::sin(omega_ * t) - std::sin(omega_ * start_)) +
        wave * std::cos(omega_ * start_) * s;
  }

  void slideTo(double t) {
    double x = 0., v = 0.;
    evaluate(t, x, v);
    if (v * side_ >= 0.) {
      time_ = t;
      x_ = x;
      v_ = v;
      return;
    }
    double before = time_, after = t;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (before + after);
      evaluate(middle, x, v);
      (v * side_ >= 0. ? before : after) = middle;
    }
    evaluate(before, x_, v);
    const double force = driving(before);
    begin(after, std::abs(force) <= f_ ? 0. : std::copysign(1., force), 0.);
  }

  double a_, f_, b_, omega_;
  double v0_, side_;
  double time_ = 0., start_ = 0., x0_ = 0., x_ = 0., v_ = v0_;
};

}  // namespace delassus
