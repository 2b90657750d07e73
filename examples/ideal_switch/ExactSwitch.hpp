// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>

#include "../support/PhaseCount.hpp"

/// Parameters of the two capacitors with a switch between them, and their exact solution.
///
///     C₁ ẋ₁ = (E − x₁)/R − i,   C₂ ẋ₂ = i − G x₂,   i = (x₁ − x₂) (g_off + λ (g_on − g_off))
///
/// The switch closes (λ = 1) where x₂ has fallen to `low` and opens (λ = 0) where it has risen to `high`.
struct SwitchedCapacitors {
  double source = 10.;         // E, V
  double resistance = 5.;      // R, Ohm
  double capacitance1 = 1e-3;  // C₁, F
  double capacitance2 = 1e-3;  // C₂, F
  double load = 0.1;           // G, S
  double gOn = 1.;             // S
  double gOff = 1e-4;          // S
  double low = 3.2;            // V
  double high = 3.4;           // V
};

/// Mode by mode: x(t) = x̄ + e^{At} (x − x̄). An RC network has real eigenvalues m ± q, and
/// e^{At} = e^{mt} (cosh(qt) I + sinh(qt)/q (A − m I)); thresholds are met by bisection to rounding.
class ExactSwitch {
 public:
  using State = std::array<double, 2>;

  ExactSwitch(const SwitchedCapacitors& p, State start) : p_(p), x_(start), closed_(start[1] < p.high) {}

  /// Goes on by dt, which must be short against the period of the switchings.
  void advance(double dt) {
    for (PhaseCount phases("exact solution of the switch"); reached(flow(dt)); phases.next()) {
      double before = 0.;
      double after = dt;
      for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (before + after);
        (reached(flow(middle)) ? after : before) = middle;
      }
      x_ = flow(after);
      x_[1] = closed_ ? p_.high : p_.low;
      dt -= after;
      closed_ = !closed_;
      ++switchings_;
    }
    x_ = flow(dt);
  }

  void serializeState(delassus::StateArchive& archive) {
    archive.values("exact", x_.data(), x_.size());
    archive.value("mode", closed_);
    archive.value("switchings", switchings_);
  }

  const State& x() const { return x_; }
  bool isClosed() const { return closed_; }
  std::size_t switchings() const { return switchings_; }

 private:
  bool reached(const State& x) const { return closed_ ? x[1] >= p_.high : x[1] <= p_.low; }

  State flow(double t) const {
    const double g = closed_ ? p_.gOn : p_.gOff;
    const double a = -(1. / p_.resistance + g) / p_.capacitance1;
    const double b = g / p_.capacitance1;
    const double c = g / p_.capacitance2;
    const double d = -(p_.load + g) / p_.capacitance2;
    const double determinant = a * d - b * c;
    const double in = p_.source / (p_.resistance * p_.capacitance1);
    const State rest = {-d * in / determinant, c * in / determinant};
    const double m = 0.5 * (a + d);
    const double q = std::sqrt(0.25 * (a - d) * (a - d) + b * c);
    const double even = 0.5 * (std::exp((m + q) * t) + std::exp((m - q) * t));
    const double odd = 0.5 * (std::exp((m + q) * t) - std::exp((m - q) * t)) / q;
    const State from = {x_[0] - rest[0], x_[1] - rest[1]};
    return {rest[0] + even * from[0] + odd * ((a - m) * from[0] + b * from[1]),
            rest[1] + even * from[1] + odd * (c * from[0] + (d - m) * from[1])};
  }

  SwitchedCapacitors p_;
  State x_;
  bool closed_;
  std::size_t switchings_ = 0;
};
