// SPDX-License-Identifier: Apache-2.0
//
// Switched converters as circuits: their exact motions in continuous and discontinuous conduction, conserved charge,
// Chua's oscillator.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/AffineFlow.hpp>
#include <support/CircuitRuns.hpp>
#include <support/PeriodicMotion.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double period = 1e-5;

constexpr double supply = 12., inductance = 2e-5, capacitance = 2e-4, duty = 0.4;

Gate pulses(double part) {
  return Gate::pulses({.period = period, .width = part * period});
}

void addOutput(Circuit& circuit, double load, double start) {
  circuit.capacitor("C", "out", "0", capacitance, start);
  circuit.resistor("R", "out", "0", load);
}

/// A converter of an inductor and a capacitor at the output, x = (i, v), whose switch is on at the start of a period:
///
///     L di/dt = s V − k v,   C dv/dt = k i − v/R,
///
/// with (s, k) as the switch conducts, as the diode does, and (0, 0) with i = 0 where neither does.
struct Converter {
  struct Mode {
    double source, output;
  };
  Mode on, off;
  Circuit (*circuit)(double load, const Vector& start);

  AffineFlow flow(const Mode& mode, double load) const {
    return {makeMatrix({{0., -mode.output / inductance}, {mode.output / capacitance, -1. / (load * capacitance)}}),
            makeVector({mode.source * supply / inductance, 0.})};
  }
  /// The periodic motion in which the diode conducts for `fall`.
  PeriodicMotion motion(double load, double fall) const {
    PeriodicMotion result{{{flow(on, load), duty * period}, {flow(off, load), fall}}, {}};
    const double idle = (1. - duty) * period - fall;
    if (idle > 0.) result.pieces.push_back({flow({0., 0.}, load), idle});
    AffineMap map = result.map();
    if (idle > 0.) {
      // The current is zero at the end, whatever the pieces before leave of it.
      for (std::size_t j = 0; j < 2; ++j) map.Phi(0, j) = 0.;
      map.g(0) = 0.;
    }
    result.start = map.fixedPoint();
    return result;
  }
  PeriodicMotion continuous(double load) const { return motion(load, (1. - duty) * period); }
  /// That of a light load: the diode conducts until the current is zero.
  PeriodicMotion discontinuous(double load) const {
    double below = 0., above = (1. - duty) * period;
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (below + above);
      const PeriodicMotion tried = motion(load, middle);
      const Vector end = tried.pieces[1].flow.over(middle)(tried.pieces[0].flow.over(duty * period)(tried.start));
      (end(0) > 0. ? below : above) = middle;
    }
    return motion(load, below);
  }
};

const Converter buck = {{1., 1.}, {0., 1.}, [](double load, const Vector& start) {
                          Circuit circuit;
                          circuit.source("V", "in", "0", supply);
                          circuit.idealSwitch("S", "in", "x", pulses(duty));
                          circuit.diode("D", "0", "x");
                          circuit.inductor("L", "x", "out", inductance, start(0));
                          addOutput(circuit, load, start(1));
                          return circuit;
                        }};

const Converter boost = {{1., 0.}, {1., 1.}, [](double load, const Vector& start) {
                           Circuit circuit;
                           circuit.source("V", "in", "0", supply);
                           circuit.inductor("L", "in", "x", inductance, start(0));
                           circuit.mosfet("S", "x", "0", pulses(duty));
                           circuit.diode("D", "x", "out");
                           addOutput(circuit, load, start(1));
                           return circuit;
                         }};

// Its output is negative.
const Converter buckBoost = {{1., 0.}, {0., -1.}, [](double load, const Vector& start) {
                               Circuit circuit;
                               circuit.source("V", "in", "0", supply);
                               circuit.idealSwitch("S", "in", "x", pulses(duty));
                               circuit.inductor("L", "x", "0", inductance, start(0));
                               circuit.diode("D", "out", "x");
                               addOutput(circuit, load, start(1));
                               return circuit;
                             }};

// The primary has twice as many turns; L is its magnetising inductance.
const Converter flyback = {{1., 0.}, {0., 2.}, [](double load, const Vector& start) {
                             Circuit circuit;
                             circuit.source("V", "in", "0", supply);
                             circuit.inductor("L", "in", "x", inductance, start(0));
                             circuit.transformer("T", "in", "x", "0", "y", 2.);
                             circuit.mosfet("S", "x", "0", pulses(duty));
                             circuit.diode("D", "y", "out");
                             addOutput(circuit, load, start(1));
                             return circuit;
                           }};

/// Mean and ripple of the output.
struct Output {
  double mean = 0., ripple = 0.;
};

Output outputOf(const PeriodicMotion& motion) {
  const int samples = 1000;
  Output output;
  double lowest = 1e9, highest = -1e9;
  for (int k = 0; k < samples; ++k) {
    const double v = motion.at(k * period / samples)(1);
    output.mean += v / samples;
    lowest = std::min(lowest, v);
    highest = std::max(highest, v);
  }
  output.ripple = highest - lowest;
  return output;
}

// From event to event the circuit is the exact motion; by time stepping it is so to the order of the step.
void expectMotion(const char* title, const Converter& converter, const PeriodicMotion& motion, double load) {
  const Circuit circuit = converter.circuit(load, motion.start);
  double highest = 0.;
  runEvents(circuit, 10. * period, 0.01 * period, [&](double t, const CircuitInstance& c) {
    const Vector exact = motion.at(t);
    EXPECT_NEAR(c.current("L"), exact(0), 1e-10 * supply) << title << ' ' << t;
    EXPECT_NEAR(c.voltage("out"), exact(1), 1e-10 * supply) << title << ' ' << t;
    highest = std::max(highest, c.current("L"));
  });
  EXPECT_NEAR(highest, motion.at(duty * period)(0), 1e-10 * supply);
  std::vector<double> steps, errors;
  for (const double h : {period / 100., period / 200., period / 400.}) {
    double sum = 0.;
    runStepping(circuit, 5. * period, h, 1., [&](double t, const CircuitInstance& c) {
      const Vector exact = motion.at(t);
      sum += h * (std::abs(c.current("L") - exact(0)) + std::abs(c.voltage("out") - exact(1)));
    });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder(title, steps, errors), 0.9);
}

// Ratio and ripple are those of an output without ripple, which is up to 5·10⁻³ of it.
void expectOutput(const PeriodicMotion& motion, double ratio, double ripple) {
  const Output output = outputOf(motion);
  EXPECT_NEAR(output.mean, ratio * supply, 4e-3 * std::abs(ratio) * supply);
  EXPECT_NEAR(output.ripple, ripple, 0.05 * ripple);
}

constexpr double light = 100.;  // Ω, a load of discontinuous conduction
constexpr double numberK = 2. * inductance / (light * period);
constexpr double rise = supply * duty * period / inductance;  // of a current that the supply alone drives

// What flows into the capacitor while the inductor gives more than the load takes, of a current that falls to zero.
double rippleOfATriangle(double top, double mean, double time) {
  return (top - mean) * (top - mean) / top * 0.5 * time / capacitance;
}

TEST(CircuitConverters, BuckIsItsExactMotion) {
  const double load = 2.;
  const PeriodicMotion motion = buck.continuous(load);
  expectMotion("buck converter, continuous", buck, motion, load);
  expectOutput(motion, duty, (1. - duty) * duty * supply * period * period / (8. * inductance * capacitance));
}

TEST(CircuitConverters, BuckIsItsExactMotionInDiscontinuousConduction) {
  const PeriodicMotion motion = buck.discontinuous(light);
  expectMotion("buck converter, discontinuous", buck, motion, light);
  const double ratio = 2. / (1. + std::sqrt(1. + 4. * numberK / (duty * duty)));
  // It rises and falls: the triangle is as long as both.
  expectOutput(motion, ratio, rippleOfATriangle((1. - ratio) * rise, ratio * supply / light, duty * period / ratio));
}

TEST(CircuitConverters, BoostIsItsExactMotion) {
  const double load = 5., ratio = 1. / (1. - duty);
  const PeriodicMotion motion = boost.continuous(load);
  expectMotion("boost converter, continuous", boost, motion, load);
  expectOutput(motion, ratio, ratio * supply / load * duty * period / capacitance);
}

TEST(CircuitConverters, BoostIsItsExactMotionInDiscontinuousConduction) {
  const PeriodicMotion motion = boost.discontinuous(light);
  expectMotion("boost converter, discontinuous", boost, motion, light);
  const double ratio = 0.5 * (1. + std::sqrt(1. + 4. * duty * duty / numberK));
  expectOutput(motion, ratio, rippleOfATriangle(rise, ratio * supply / light, duty * period / (ratio - 1.)));
}

TEST(CircuitConverters, BuckBoostIsItsExactMotion) {
  const double load = 2., ratio = duty / (1. - duty);
  const PeriodicMotion motion = buckBoost.continuous(load);
  expectMotion("buck-boost converter, continuous", buckBoost, motion, load);
  expectOutput(motion, -ratio, ratio * supply / load * duty * period / capacitance);
}

TEST(CircuitConverters, BuckBoostIsItsExactMotionInDiscontinuousConduction) {
  const PeriodicMotion motion = buckBoost.discontinuous(light);
  expectMotion("buck-boost converter, discontinuous", buckBoost, motion, light);
  const double ratio = duty / std::sqrt(numberK);
  expectOutput(motion, -ratio, rippleOfATriangle(rise, ratio * supply / light, duty * period / ratio));
}

TEST(CircuitConverters, FlybackIsItsExactMotion) {
  const double load = 1., ratio = 0.5 * duty / (1. - duty);
  const PeriodicMotion motion = flyback.continuous(load);
  expectMotion("flyback converter, continuous", flyback, motion, load);
  expectOutput(motion, ratio, ratio * supply / load * duty * period / capacitance);
}

TEST(CircuitConverters, FlybackIsItsExactMotionInDiscontinuousConduction) {
  const PeriodicMotion motion = flyback.discontinuous(light);
  expectMotion("flyback converter, discontinuous", flyback, motion, light);
  // The energy of each pulse, V² D² T² / 2L, goes to the load, by twice the current of the primary.
  const double ratio = duty / std::sqrt(numberK);
  expectOutput(motion, ratio, rippleOfATriangle(2. * rise, ratio * supply / light, 0.5 * duty * period / ratio));
}

// Between two voltages a current has straight pieces: up to V D T/L, down to zero, then nothing.
TEST(CircuitConverters, CurrentInDiscontinuousConductionIsATriangle) {
  const double L = 1e-5, output = 8.;
  Circuit circuit;
  circuit.source("V", "in", "0", supply);
  circuit.source("Vo", "out", "0", output);
  circuit.idealSwitch("S", "in", "x", pulses(duty));
  circuit.diode("D", "0", "x");
  circuit.inductor("L", "x", "out", L);
  const double up = (supply - output) / L, top = up * duty * period, down = output / L;
  runEvents(circuit, 5. * period, 0.07 * period, [&](double t, const CircuitInstance& c) {
    const double phase = t - period * std::floor(t / period + 1e-9);
    const double exact = phase <= duty * period ? up * phase : std::max(top - down * (phase - duty * period), 0.);
    EXPECT_NEAR(c.current("L"), exact, 1e-10 * top) << t;
  });
}

// Pulses of no width close no switch, from the start on.
TEST(CircuitConverters, ABuckConverterOfDutyZeroStaysAtRest) {
  const auto atRest = [](double, const CircuitInstance& c) {
    EXPECT_NEAR(c.current("L"), 0., 1e-14);
    EXPECT_NEAR(c.voltage("out"), 0., 1e-14);
  };
  for (const bool isSampled : {false, true}) {
    double part = 0.;
    const Gate gate = Gate::where([&part](double t) { return part - (t / period - std::floor(t / period)); });
    Circuit circuit;
    circuit.source("V", "in", "0", supply);
    circuit.idealSwitch("S", "in", "x", isSampled ? gate : pulses(0.));
    circuit.diode("D", "0", "x");
    circuit.inductor("L", "x", "out", inductance);
    addOutput(circuit, 2., 0.);
    const Prepare prepare = [&](ClockedSimulation& simulation, CircuitInstance&) {
      if (isSampled) simulation.addSampling("controller", TimeDiscretisation(0., period), [&] { part = 0.; });
    };
    runEvents(circuit, 3. * period, 0.3 * period, atRest, prepare);
    runStepping(circuit, 3. * period, 0.3 * period, 1., atRest, prepare);
  }
}

// Two capacitors are joined: charge is conserved, half of the energy is lost.
TEST(CircuitConverters, ChargeIsConservedWhereASwitchJoinsCapacitors) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 2e-6, 9.);
  circuit.capacitor("C2", "b", "0", 1e-6, 0.);
  circuit.resistor("R1", "a", "0", 1e12);
  circuit.resistor("R2", "b", "0", 1e12);
  circuit.idealSwitch("S", "a", "b", Gate::pulses({.period = 1., .width = 1., .delay = 1.5e-4}));
  runStepping(circuit, 3e-4, 1e-5, 1., [&](double t, const CircuitInstance& c) {
    // The leakage of 1e12 Ω is below 1e-9 of the charge.
    EXPECT_NEAR(2. * c.voltage("a") + c.voltage("b"), 18., 1e-8);
    EXPECT_NEAR(c.voltage("b"), t > 1.55e-4 ? 6. : 0., 1e-8) << t;
  });
}

// Chua's circuit: the piecewise linear element is on its curve, and both ways of integration agree while chaos has not
// yet told them apart.
TEST(CircuitConverters, ChuasOscillatorFollowsItsCurve) {
  const double ga = -0.76e-3, gb = -0.41e-3, corner = 1.;
  Circuit circuit;
  circuit.inductor("L", "b", "0", 18e-3, 0.);
  circuit.capacitor("C2", "b", "0", 100e-9, 0.1);
  circuit.capacitor("C1", "a", "0", 10e-9, 0.);
  circuit.resistor("R", "a", "b", 1.6e3);
  circuit.piecewiseLinear("N", "a", "0", {{{-corner, -ga * corner}, {corner, ga * corner}}, gb, gb});
  std::vector<double> stepped, followed;
  double largest = 0.;
  const auto record = [&](std::vector<double>& all) {
    return [&](double, const CircuitInstance& c) {
      const double v = c.voltage("a");
      const double i = gb * v + 0.5 * (ga - gb) * (std::abs(v + corner) - std::abs(v - corner));
      EXPECT_NEAR(c.current("N"), i, 1e-12);
      largest = std::max(largest, std::abs(v));
      all.push_back(v);
    };
  };
  runStepping(circuit, 5e-4, 5e-8, 0.5, record(stepped));
  runEvents(circuit, 5e-4, 5e-8, record(followed));
  ASSERT_EQ(stepped.size(), followed.size());
  double difference = 0.;
  for (std::size_t k = 0; k < stepped.size(); ++k) {
    difference = std::max(difference, std::abs(stepped[k] - followed[k]));
  }
  // Of order h, and growing with the oscillation.
  EXPECT_LT(difference, 0.02);
  EXPECT_GT(largest, corner);
  EXPECT_LT(largest, 10.);
}

// A voltage that controls a switch, with hysteresis: a capacitor is charged between two thresholds.
TEST(CircuitConverters, HysteresisChargesBetweenItsThresholds) {
  const double R = 1e3, C = 1e-6, low = 3., high = 3.6, source = 5., load = 1e3;
  Circuit circuit;
  circuit.source("V", "in", "0", source);
  circuit.idealSwitch("S", "in", "x", Gate::voltage("out", "0", {.closes = low, .opens = high, .initially = true}));
  circuit.resistor("Rs", "x", "out", R / 10.);
  circuit.capacitor("C", "out", "0", C);
  circuit.resistor("R", "out", "0", load);
  double lowest = 10., highest = 0.;
  const auto record = [&](double t, const CircuitInstance& c) {
    if (t < 1e-3) return;
    lowest = std::min(lowest, c.voltage("out"));
    highest = std::max(highest, c.voltage("out"));
  };
  const EventDrivenStatistics counts = runEvents(circuit, 5e-3, 1e-6, record);
  EXPECT_GE(lowest, low - 1e-9);
  EXPECT_LE(highest, high + 1e-9);
  EXPECT_NEAR(highest - lowest, high - low, 0.02);
  EXPECT_GT(counts.events, 20U);
  lowest = 10.;
  highest = 0.;
  runStepping(circuit, 5e-3, 1e-6, 1., record);
  // A step too far: 14 mV in 1 µs while charging, 4 mV while not.
  EXPECT_NEAR(highest, high, 0.02);
  EXPECT_NEAR(lowest, low, 0.02);
}

// An inverting amplifier and an integrator by an ideal amplifier, and one that saturates.
TEST(CircuitConverters, AmplifiersHoldTheirInputsTogetherUntilTheySaturate) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., 1e3));
  circuit.resistor("R1", "in", "m", 1e3);
  circuit.resistor("R2", "m", "out", 2e3);
  circuit.opAmp("A", "0", "m", "out");
  circuit.resistor("R3", "out", "q", 1e3);
  circuit.capacitor("C", "q", "int", 1e-6, 0.);
  circuit.opAmp("B", "0", "q", "int");
  circuit.resistor("R4", "in", "s", 1e3);
  circuit.resistor("R5", "s", "sat", 10e3);
  circuit.opAmp("S", "0", "s", "sat", {-5., 5.});
  const double w = 2. * M_PI * 1e3;
  const auto check = [&](double tolerance) {
    return [=](double t, const CircuitInstance& c) {
      EXPECT_NEAR(c.voltage("out"), -2. * std::sin(w * t), 1e-10);
      EXPECT_NEAR(c.voltage("int"), 2. * (1. - std::cos(w * t)) / (1e3 * 1e-6 * w), tolerance);
      EXPECT_NEAR(c.voltage("sat"), std::clamp(-10. * std::sin(w * t), -5., 5.), 1e-9);
    };
  };
  runEvents(circuit, 2e-3, 1.3e-5, check(1e-9));
  // The trapezoidal rule is off by (ωh)²/12 of the swing.
  runStepping(circuit, 2e-3, 1e-5, 0.5, check(3e-4));
}

}  // namespace
