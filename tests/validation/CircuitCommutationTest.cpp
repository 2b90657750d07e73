// SPDX-License-Identifier: Apache-2.0
//
// Overlap of the commutation of a bridge of six thyristors with inductances at its source and a stiff current.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
#include <support/CircuitRuns.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double pi = std::numbers::pi;
constexpr double period = 0.02, omega = 2. * pi / period, amplitude = 325., current = 20., inductance = 2e-3;
const double lineToLine = std::sqrt(3.) * amplitude;

// ψ in [0, 2π), with the rounding of outputs at 0.
double wrapped(double angle) {
  return angle - 2. * pi * std::floor(angle / (2. * pi) + 1e-12);
}

// While two thyristors conduct, V_LL drives the current from one phase to the next through 2 L:
// i = V_LL/(2ωL) (cos α − cos ψ), from α on, and the overlap u ends where i is all of the current,
//
//     cos α − cos(α + u) = 2 ω L I/V_LL.
class Overlap {
 public:
  explicit Overlap(double alpha) : alpha_(alpha) {
    u_ = std::acos(std::cos(alpha) - 2. * omega * inductance * current / lineToLine) - alpha;
  }

  double angle() const { return u_; }
  /// The current of the upper thyristor of a phase, at ψ after its natural commutation.
  double upper(double psi) const {
    const double at = wrapped(psi - alpha_), third = 2. * pi / 3.;
    if (at < u_) return rise(at);
    if (at < third) return current;
    return at < third + u_ ? current - rise(at - third) : 0.;
  }
  double phase(double psi) const { return upper(psi) - upper(psi - pi); }
  /// The mean voltage of the load: 3 V_LL/π cos α, less what the overlaps take.
  double mean() const { return 3. / pi * (lineToLine * std::cos(alpha_) - omega * inductance * current); }

 private:
  double rise(double at) const {
    return lineToLine / (2. * omega * inductance) * (std::cos(alpha_) - std::cos(alpha_ + at));
  }

  double alpha_, u_;
};

// ψ of phase k at time t: a thyristor of phase 0 has ψ = α + 90° at t = 0, in the middle of its conduction.
double psiAt(double t, int k, double alpha) {
  return omega * t + alpha + 0.5 * pi - 2. * pi * k / 3.;
}

Circuit bridge(double alpha) {
  const Overlap exact(alpha);
  Circuit circuit;
  for (int k = 0; k < 3; ++k) {
    const std::string phase(1, static_cast<char>('a' + k));
    // v_k − v_{k−1} is zero at ψ = 0.
    circuit.source("V" + phase, "s" + phase, "0", sine(amplitude, 1. / period, psiAt(0., k, alpha) + pi / 6.));
    circuit.inductor("L" + phase, "s" + phase, phase, inductance, exact.phase(psiAt(0., k, alpha)));
    const auto gate = [&](double shift) {
      const double since = wrapped(psiAt(0., k, alpha) - alpha - shift) / omega;  // the thyristor was fired
      return Gate::pulses({.period = period, .width = period / 3., .delay = -since});
    };
    circuit.thyristor("P" + phase, phase, "p", gate(0.));
    circuit.thyristor("N" + phase, "n", phase, gate(pi));
  }
  circuit.currentSource("I", "p", "n", current);
  return circuit;
}

TEST(CircuitCommutation, OverlapOfSixThyristorsEndsAtItsAngle) {
  for (const double alpha : {0.2, pi / 4.}) {
    const Overlap exact(alpha);
    ASSERT_LT(exact.angle(), pi / 3.);
    const double end = 1.5 * period, h = period / 360.7;
    double sum = 0., last = 0.;
    runEvents(bridge(alpha), end, h, [&](double t, const CircuitInstance& c) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(c.current("L" + std::string(1, static_cast<char>('a' + k))), exact.phase(psiAt(t, k, alpha)),
                    1e-10 * current)
            << alpha << ' ' << t;
      }
      // What the sources give goes to the load: the mean of its voltage over a period.
      if (t > 0. && t <= period) sum += c.voltage("p", "n") * (t - last);
      last = t;
    });
    // By a rectangle rule over six jumps of about V_LL each.
    EXPECT_NEAR(sum / period, exact.mean(), 0.01 * exact.mean());
  }
}

TEST(CircuitCommutation, TimeSteppingHasTheOverlapWithItsOrder) {
  const double alpha = pi / 4.;
  const Overlap exact(alpha);
  std::vector<double> steps, errors;
  for (const double h : {period / 1000., period / 2000., period / 4000.}) {
    double sum = 0.;
    runStepping(bridge(alpha), 1.25 * period, h, 1., [&](double t, const CircuitInstance& c) {
      sum += h * std::abs(c.current("La") - exact.phase(psiAt(t, 0, alpha)));
    });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("overlap", steps, errors), 0.9);
}

}  // namespace
