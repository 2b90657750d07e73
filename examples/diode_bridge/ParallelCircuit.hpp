// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

/// A capacitor, an inductor and a conductance G in parallel,
///
///     C ẋ₁ = −x₂ − G x₁,   L ẋ₂ = x₁
///
/// (voltage, and current of the inductor), and their exact motion: with m = −G/(2C) and ω² = 1/(LC) − m²,
/// e^{At} = e^{mt} (cos(ωt) I + sin(ωt)/ω (A − m I)), and hyperbolic functions where ω² < 0.
struct ParallelCircuit {
  using State = std::array<double, 2>;

  double inductance = 1e-2;   // L, H
  double capacitance = 1e-6;  // C, F

  State flow(const State& x, double t, double conductance) const {
    const double m = -0.5 * conductance / capacitance;
    const double square = 1. / (inductance * capacitance) - m * m;
    const double w = std::sqrt(std::abs(square));
    double even = 1.;
    double odd = t;
    if (square > 0.) {
      even = std::cos(w * t);
      odd = std::sin(w * t) / w;
    } else if (square < 0.) {
      even = std::cosh(w * t);
      odd = std::sinh(w * t) / w;
    }
    const double decay = std::exp(m * t);
    return {decay * (even * x[0] + odd * (m * x[0] - x[1] / capacitance)),
            decay * (even * x[1] + odd * (x[0] / inductance - m * x[1]))};
  }
};
