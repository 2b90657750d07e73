// SPDX-License-Identifier: Apache-2.0
//
// Bridges of four and six diodes and of six thyristors against closed forms, from event to event and by time stepping.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/delassus.hpp>
#include <functional>
#include <numbers>
#include <string>
#include <support/Bisection.hpp>
#include <support/CircuitRuns.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double pi = std::numbers::pi;
constexpr double frequency = 50., period = 1. / frequency, omega = 2. * pi * frequency;
constexpr double amplitude = 325.;

// The time since the last multiple of T, with the rounding of outputs there.
double within(double t, double T) {
  return t - T * std::floor(t / T * (1. + 1e-14));
}

// Four diodes from a source between a and b to a load between p and ground.
Circuit singlePhaseBridge() {
  Circuit circuit;
  circuit.source("V", "a", "b", sine(amplitude, frequency));
  circuit.diode("D1", "a", "p");
  circuit.diode("D2", "b", "p");
  circuit.diode("D3", "0", "a");
  circuit.diode("D4", "0", "b");
  return circuit;
}

// The closed form of a quantity of a circuit.
struct Quantity {
  const char* title;
  const char* probe;
  double scale;
  std::function<double(double t)> exact;
};

// From event to event it is the closed form, by time stepping with θ = 1 it is so to the order of the step.
void expectClosedForm(const Circuit& circuit, const Quantity& quantity) {
  // Outputs are at no edge of the motion.
  runEvents(circuit, 2. * period, 1.03e-4, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.probe(quantity.probe)(), quantity.exact(t), 1e-10 * quantity.scale) << quantity.title << ' ' << t;
  });
  std::vector<double> steps, errors;
  for (const double h : {2e-4, 1e-4, 5e-5, 2.5e-5}) {
    double sum = 0.;
    runStepping(circuit, 2. * period, h, 1., [&](double t, const CircuitInstance& c) {
      sum += h * std::abs(c.probe(quantity.probe)() - quantity.exact(t));
    });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder(quantity.title, steps, errors), 0.9);
}

// A bridge rectifies the magnitude; the source's current flows through two diodes.
TEST(CircuitBridges, FourDiodesGiveTheMagnitude) {
  Circuit circuit = singlePhaseBridge();
  circuit.resistor("R", "p", "0", 10.);
  const auto check = [](double t, const CircuitInstance& c) {
    const double u = amplitude * std::sin(omega * t);
    EXPECT_NEAR(c.voltage("p"), std::abs(u), 1e-9);
    EXPECT_NEAR(c.current("V"), -u / 10., 1e-10);
    EXPECT_NEAR(c.current("D1"), std::max(u, 0.) / 10., 1e-10);
  };
  runStepping(circuit, 2. * period, 1.1e-4, 1., check);
  runEvents(circuit, 2. * period, 1.1e-4, check);
}

// i = I sin(ωt − φ) + K e^(−t/τ) in each half period, and i(T/2) = i(0): a current that never ends goes from one pair
// of diodes to the other where the source is zero.
TEST(CircuitBridges, FourDiodesWithAnInductorCarryACurrentThatNeverEnds) {
  const double R = 10., L = 0.05, phi = std::atan(omega * L / R), I = amplitude / std::hypot(R, omega * L);
  const double K = 2. * I * std::sin(phi) / (1. - std::exp(-R / L * 0.5 * period));
  const auto current = [=](double t) {
    const double s = within(t, 0.5 * period);
    return I * std::sin(omega * s - phi) + K * std::exp(-R / L * s);
  };
  Circuit circuit = singlePhaseBridge();
  circuit.resistor("R", "p", "x", R);
  circuit.inductor("L", "x", "0", L, current(0.));
  expectClosedForm(circuit, {"full wave, RL", "i(L)", I, current});
}

// With a battery E in the load the diodes conduct from ωt = asin(E/V) to an angle found by bisection:
//
//     i = I sin(ωt − φ) − E/R + K e^(−t/τ),   zero at both.
TEST(CircuitBridges, FourDiodesWithAnInductorAndABatteryConductBetweenTwoAngles) {
  const double R = 10., L = 0.02, E = 200., phi = std::atan(omega * L / R), I = amplitude / std::hypot(R, omega * L);
  const double start = std::asin(E / amplitude) / omega;
  const double K = E / R - I * std::sin(omega * start - phi);
  const auto conducting = [=](double t) {
    return I * std::sin(omega * t - phi) - E / R + K * std::exp(-R / L * (t - start));
  };
  const double stop = bisect(start + 1e-3, start + 0.5 * period, conducting);
  ASSERT_LT(stop, start + 0.49 * period);
  const auto current = [=](double t) {
    const double since = t < start ? -1. : within(t - start, 0.5 * period);
    return since >= 0. && since < stop - start ? conducting(start + since) : 0.;
  };
  Circuit circuit = singlePhaseBridge();
  circuit.resistor("R", "p", "x", R);
  circuit.inductor("L", "x", "y", L);
  circuit.source("E", "y", "0", E);
  expectClosedForm(circuit, {"full wave, RL and a battery", "i(L)", I, current});
}

// The capacitor follows |u| until the current of the diodes ends, at tan ωt = −ωRC, and discharges until |u| reaches it
// again.
TEST(CircuitBridges, FourDiodesWithACapacitorConductBetweenTwoAngles) {
  const double R = 100., C = 1e-4;
  const double stop = (pi - std::atan(omega * R * C)) / omega;
  const auto rectified = [](double t) { return amplitude * std::abs(std::sin(omega * t)); };
  const auto held = [=](double since) { return rectified(stop) * std::exp(-since / (R * C)); };
  const double idle =
      bisect(0.5 * period - stop, 0.75 * period - stop, [&](double s) { return held(s) - rectified(stop + s); });
  const auto voltage = [=](double t) {
    if (t <= stop) return rectified(t);
    const double since = within(t - stop, 0.5 * period);
    return since < idle ? held(since) : rectified(t);
  };
  Circuit circuit = singlePhaseBridge();
  circuit.capacitor("C", "p", "0", C);
  circuit.resistor("R", "p", "0", R);
  expectClosedForm(circuit, {"full wave, RC", "v(p)", amplitude, voltage});
}

const std::array<std::string, 3> phases = {"a", "b", "c"};

double phaseVoltage(double t, std::size_t k) {
  return amplitude * std::sin(omega * t - 2. * pi * static_cast<double>(k) / 3.);
}

Circuit threePhases() {
  Circuit circuit;
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = -2. * pi * static_cast<double>(k) / 3.;
    circuit.source("V" + phases[k], phases[k], "n", sine(amplitude, frequency, angle));
  }
  return circuit;
}

// Six diodes of a resistance each, and a load: the highest phase feeds it and the lowest takes its current. Where the
// voltage between two phases is below that of a diode, both share the current, as half the resistance.
struct SixDiodes {
  double diode, load;

  double output(double t) const {
    std::array<double, 3> v = {phaseVoltage(t, 0), phaseVoltage(t, 1), phaseVoltage(t, 2)};
    std::sort(v.begin(), v.end());
    const double alone = (v[2] - v[0]) * load / (load + 2. * diode), drop = alone * diode / load;
    const double between = load / (load + 1.5 * diode);
    if (v[1] > v[2] - drop) return (0.5 * (v[1] + v[2]) - v[0]) * between;
    if (v[1] < v[0] + drop) return (v[2] - 0.5 * (v[0] + v[1])) * between;
    return alone;
  }
  /// By trapezoids over one pulse of six, which are exact to 1e-8 V at its corners and better elsewhere.
  double mean() const {
    const std::size_t n = 60000;
    double sum = 0.;
    for (std::size_t k = 0; k < n; ++k) sum += output(period / 6. * static_cast<double>(k) / static_cast<double>(n));
    return sum / static_cast<double>(n);
  }
  Circuit circuit() const {
    Circuit circuit = threePhases();
    for (const std::string& phase : phases) {
      circuit.diode("D" + phase + "p", phase, "p", {.resistance = diode});
      circuit.diode("D" + phase + "m", "m", phase, {.resistance = diode});
    }
    circuit.resistor("R", "p", "m", load);
    return circuit;
  }
};

// Two diodes in series with the load carry the largest voltage between phases, or three near its corners.
TEST(CircuitBridges, SixDiodesShareTheCurrentAtTheCornersOfTheirOutput) {
  for (const SixDiodes& exact : {SixDiodes{0.1, 1e3}, SixDiodes{0.1, 10.}, SixDiodes{1., 10.}}) {
    const auto check = [&](double t, const CircuitInstance& c) {
      EXPECT_NEAR(c.voltage("R"), exact.output(t), 1e-10 * amplitude) << exact.load << ' ' << t;
    };
    const double h = period / 3600.;  // with outputs at the corners
    runEvents(exact.circuit(), period, h, check);
    // No state: each step is algebraic, and exact.
    runStepping(exact.circuit(), period, h, 1., check);
  }
}

TEST(CircuitBridges, SixDiodesHaveTheMeanOfSixPulses) {
  const SixDiodes exact{0.1, 1e3};
  EXPECT_NEAR(exact.mean(), 537.4382, 5e-5);
  // The shared current adds 2e-6 V to that of two diodes.
  EXPECT_NEAR(exact.mean(), 3. / pi * std::sqrt(3.) * amplitude * 1e3 / (1e3 + 0.2), 1e-5);
  for (const bool byEvents : {false, true}) {
    double sum = 0.;
    std::size_t count = 0;
    const auto add = [&](double, const CircuitInstance& c) {
      sum += c.voltage("R");
      ++count;
    };
    const double h = period / 3600.;
    if (byEvents) {
      runEvents(exact.circuit(), 2. * period, h, add);
    } else {
      runStepping(exact.circuit(), 2. * period, h, 1., add);
    }
    ASSERT_EQ(count, 7200U);
    // Trapezoids of ωh = 1.7e-3 under corners of a slope of 563 V: 1.4e-4 V.
    EXPECT_NEAR(sum / 7200., exact.mean(), 2e-4) << byEvents;
  }
}

// Thyristors that are fired at α after their natural commutation, each on for a third of a period by its gate, so that
// two are on at any time, from the start.
Circuit sixThyristors(double alpha) {
  Circuit circuit = threePhases();
  for (std::size_t k = 0; k < 3; ++k) {
    const double fire = (pi / 6. + 2. * pi * static_cast<double>(k) / 3. + alpha) / omega, width = period / 3.;
    circuit.thyristor("T" + phases[k] + "p", phases[k], "p", Gate::pulses({period, width, fire - period}));
    circuit.thyristor("T" + phases[k] + "m", "m", phases[k], Gate::pulses({period, width, fire - 1.5 * period}));
  }
  return circuit;
}

// The voltage between two phases from α to α + 60° after their natural commutation, six times a period:
// √3 V sin(ψ + 60°).
double lineVoltage(double t, double alpha) {
  const double since = within(t - (pi / 6. + alpha) / omega + period, period / 6.);
  return std::sqrt(3.) * amplitude * std::sin(omega * since + alpha + pi / 3.);
}

// For angles in the middle between outputs: the sum of a sine at the middles of cells is its integral, but for a
// factor.
constexpr double cell = 2. * pi / 600.;
const std::vector<double> firingAngles = {0.5 * cell, 50.5 * cell, 99.5 * cell};

// A circuit whose output is that of the angle: at each output, and in its mean.
void expectSixPulses(const Circuit& circuit, double alpha) {
  for (const bool byEvents : {false, true}) {
    double sum = 0.;
    std::size_t count = 0;
    const auto check = [&](double t, const CircuitInstance& c) {
      EXPECT_NEAR(c.voltage("p", "m"), lineVoltage(t, alpha), 1e-10 * amplitude)
          << alpha << ' ' << t << ' ' << byEvents;
      sum += c.voltage("p", "m");
      ++count;
    };
    if (byEvents) {
      runEvents(circuit, 2. * period, period / 600., check);
    } else {
      runStepping(circuit, 2. * period, period / 600., 1., check);
    }
    ASSERT_EQ(count, 1200U);
    const double mean = sum / 1200. * std::sin(0.5 * cell) / (0.5 * cell);
    EXPECT_NEAR(mean, 3. / pi * std::sqrt(3.) * amplitude * std::cos(alpha), 1e-10 * amplitude) << byEvents;
  }
}

TEST(CircuitBridges, SixThyristorsHaveTheVoltagesOfTheirFiringAngle) {
  for (const double alpha : firingAngles) {
    Circuit circuit = sixThyristors(alpha);
    circuit.resistor("R", "p", "m", 10.);
    expectSixPulses(circuit, alpha);
  }
}

TEST(CircuitBridges, SixThyristorsHaveTheVoltagesOfTheirFiringAngleWithASmoothCurrent) {
  for (const double alpha : firingAngles) {
    Circuit circuit = sixThyristors(alpha);
    circuit.resistor("R", "p", "x", 10.);
    circuit.inductor("L", "x", "m", 0.5, 3. / pi * std::sqrt(3.) * amplitude * std::cos(alpha) / 10.);
    expectSixPulses(circuit, alpha);
  }
}

}  // namespace
