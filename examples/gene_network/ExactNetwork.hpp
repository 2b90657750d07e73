// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "../support/PhaseCount.hpp"

/// The exact solution of two genes with step functions,
///
///     ẋ₁ = −k₁ x₁ + p s(x₂ − a) (1 − s(x₁ − b)),   ẋ₂ = −k₂ x₂ + p s(x₁ − a) (1 − s(x₂ − b)),   a < b,
///
/// s the unit step: exponentials between the thresholds, and rest (sliding) on b where production pushes against it
/// from below. Starts with x₁ = x₂ = a, where the solution is not unique, are left out.
struct ExactNetwork {
  std::array<double, 2> degradation;
  double production;
  double low;   // a
  double high;  // b

  std::array<double, 2> at(std::array<double, 2> x, double t) const {
    for (PhaseCount phases("exact solution of the network");; phases.next()) {
      const std::array<bool, 2> slides = {slidesAtHigh(x, 0), slidesAtHigh(x, 1)};
      const std::array<double, 2> p = {rate(x, 0), rate(x, 1)};
      const std::array<double, 2> left = {slides[0] ? infinity : timeToThreshold(x[0], p[0], degradation[0]),
                                          slides[1] ? infinity : timeToThreshold(x[1], p[1], degradation[1])};
      const double now = std::min({t, left[0], left[1]});
      for (std::size_t i = 0; i < 2; ++i) {
        if (slides[i]) continue;
        const double rest = p[i] / degradation[i];
        x[i] = rest + (x[i] - rest) * std::exp(-degradation[i] * now);
        if (now == left[i]) x[i] = std::abs(x[i] - low) < std::abs(x[i] - high) ? low : high;
      }
      if (now == t) return x;
      t -= now;
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  bool isOn(const std::array<double, 2>& x, std::size_t i) const {
    if (x[i] != low) return x[i] > low;
    return (x[1 - i] > low ? production : 0.) > degradation[i] * low;  // where it goes
  }
  bool slidesAtHigh(const std::array<double, 2>& x, std::size_t i) const {
    return x[i] == high && isOn(x, 1 - i) && production > degradation[i] * high;
  }
  double rate(const std::array<double, 2>& x, std::size_t i) const {
    return x[i] < high && isOn(x, 1 - i) ? production : 0.;
  }
  double timeToThreshold(double x, double p, double k) const {
    const double rest = p / k;
    double time = infinity;
    for (const double threshold : {low, high}) {
      const double ratio = (x - rest) / (threshold - rest);
      if (ratio > 1. && x != threshold) time = std::min(time, std::log(ratio) / k);
    }
    return time;
  }
};
