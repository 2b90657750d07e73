// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace delassus::test {

/// A mass m on a spring k and a damper c (of either sign) on a belt that runs at V, with dry friction of the limit F,
/// driven by P cos Ωt:
///
///     m ẍ + c ẋ + k x = P cos Ωt − F sgn(ẋ − V).
///
/// Each phase of slip or stick has a closed form; its end is the first root of a function of that, found by bisection.
/// (Den Hartog, Trans. ASME 53, 1931, for c = V = 0.)
struct DryOscillator {
  double m = 1., c = 0., k = 1., F = 0., V = 0., P = 0., Omega = 1.;

  /// From (t, x, v) on; `slip` is the sign of ẋ − V, 0 in a phase of stick.
  struct Phase {
    double t = 0., x = 0., v = 0.;
    int slip = 0;
  };

  std::pair<double, double> at(const Phase& phase, double t) const {
    if (phase.slip == 0) return {phase.x + V * (t - phase.t), V};
    // Particular solution: offset and response to the drive.
    const double offset = -phase.slip * F / k;
    const double stiffness = k - m * Omega * Omega;
    const double denominator = stiffness * stiffness + c * Omega * c * Omega;
    const double inPhase = P * stiffness / denominator;
    const double outOfPhase = P * c * Omega / denominator;
    const auto driven = [&](double time) {
      const double angle = Omega * time;
      return std::pair{offset + inPhase * std::cos(angle) + outOfPhase * std::sin(angle),
                       Omega * (-inPhase * std::sin(angle) + outOfPhase * std::cos(angle))};
    };
    const double decay = c / (2. * m);
    const double omega = std::sqrt(k / m - decay * decay);
    const auto [x0, v0] = driven(phase.t);
    const double a = phase.x - x0;
    const double b = (phase.v - v0 + decay * a) / omega;
    const double since = t - phase.t;
    const double envelope = std::exp(-decay * since);
    const double cosine = std::cos(omega * since);
    const double sine = std::sin(omega * since);
    const auto [x, v] = driven(t);
    return {x + envelope * (a * cosine + b * sine),
            v + envelope * ((omega * b - decay * a) * cosine - (omega * a + decay * b) * sine)};
  }

  /// Friction that would hold the mass on the belt at x.
  double holding(double t, double x) const { return k * x + c * V - P * std::cos(Omega * t); }

  /// First root of a function that is positive after `from`, by steps and bisection; `end` if there is none before.
  static double firstRoot(const std::function<double(double)>& f, double from, double step, double end) {
    for (double t = from + step; t < end + step; t += step) {
      if (f(t) > 0.) continue;
      double low = t - step;
      double high = t;
      for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (f(middle) > 0. ? low : high) = middle;
      }
      return high;
    }
    return end;
  }

  /// All phases from the first until `end`. Roots closer than `step` are not told apart.
  std::vector<Phase> phases(Phase phase, double end, double step = 1e-3) const {
    std::vector<Phase> all = {phase};
    while (true) {
      const auto margin = [&](double t) {
        const auto [x, v] = at(phase, t);
        return phase.slip == 0 ? F - std::abs(holding(t, x)) : phase.slip * (v - V);
      };
      const double t = firstRoot(margin, phase.t, step, end);
      if (t >= end) return all;
      const auto [x, v] = at(phase, t);
      const double force = holding(t, x);
      int next = 0;
      if (phase.slip == 0 || std::abs(force) > F) next = force > 0. ? -1 : 1;
      phase = {t, x, V, next};
      all.push_back(phase);
    }
  }

  std::pair<double, double> at(const std::vector<Phase>& all, double t) const {
    std::size_t i = all.size() - 1;
    while (i > 0 && all[i].t > t) --i;
    return at(all[i], t);
  }
};

}  // namespace delassus::test
