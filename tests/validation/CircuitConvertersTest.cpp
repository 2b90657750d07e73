// SPDX-License-Identifier: Apache-2.0
//
// Switched converters as circuits: conversion ratios in continuous and discontinuous conduction, currents of straight
// pieces, conserved charge, Chua's oscillator.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double period = 1e-5;

/// A converter: its circuit for a load, started at the output that is expected.
using Make = std::function<Circuit(double duty, double load, double start)>;

Gate pulses(double duty) {
  return Gate::pulses({.period = period, .width = duty * period});
}

constexpr double supply = 12., inductance = 2e-5, capacitance = 2e-4;

void addOutput(Circuit& circuit, double load, double start) {
  circuit.capacitor("C", "out", "0", capacitance, start);
  circuit.resistor("R", "out", "0", load);
}

Circuit buck(double duty, double load, double start) {
  Circuit circuit;
  circuit.source("V", "in", "0", supply);
  circuit.idealSwitch("S", "in", "x", pulses(duty));
  circuit.diode("D", "0", "x");
  circuit.inductor("L", "x", "out", inductance, start / load);
  addOutput(circuit, load, start);
  return circuit;
}

Circuit boost(double duty, double load, double start) {
  Circuit circuit;
  circuit.source("V", "in", "0", supply);
  circuit.inductor("L", "in", "x", inductance, start * start / load / supply);
  circuit.mosfet("S", "x", "0", pulses(duty));
  circuit.diode("D", "x", "out");
  addOutput(circuit, load, start);
  return circuit;
}

Circuit buckBoost(double duty, double load, double start) {
  Circuit circuit;
  circuit.source("V", "in", "0", supply);
  circuit.idealSwitch("S", "in", "x", pulses(duty));
  circuit.inductor("L", "x", "0", inductance, start * start / load * (1. / supply - 1. / start));
  circuit.diode("D", "out", "x");
  addOutput(circuit, load, start);
  return circuit;
}

// The primary has twice as many turns.
Circuit flyback(double duty, double load, double start) {
  Circuit circuit;
  circuit.source("V", "in", "0", supply);
  circuit.inductor("Lm", "in", "x", inductance, start * start / load * (1. / supply + 0.5 / start));
  circuit.transformer("T", "in", "x", "0", "y", 2.);
  circuit.mosfet("S", "x", "0", pulses(duty));
  circuit.diode("D", "y", "out");
  addOutput(circuit, load, start);
  return circuit;
}

double meanOutput(const Circuit& circuit, bool byEvents) {
  const std::size_t periods = 150, last = 50;
  double sum = 0.;
  std::size_t count = 0;
  const auto add = [&](double t, const CircuitInstance& c) {
    if (t < (static_cast<double>(periods - last) + 1e-6) * period) return;
    sum += c.voltage("out");
    ++count;
  };
  if (byEvents) {
    runEvents(circuit, periods * period, 0.1 * period, add);
  } else {
    runStepping(circuit, periods * period, 0.01 * period, 1., add);
  }
  return sum / static_cast<double>(count);
}

void expectRatio(const Make& make, double duty, double load, double ratio) {
  const double expected = ratio * supply;
  const Circuit circuit = make(duty, load, expected);
  // Ratios are those of an output without ripple, which is 2·10⁻³ of it at most here. Steps of a hundredth of the
  // period end pulses of discontinuous conduction up to a step late.
  EXPECT_NEAR(meanOutput(circuit, false), expected, 1.5e-2 * std::abs(expected));
  EXPECT_NEAR(meanOutput(circuit, true), expected, 4e-3 * std::abs(expected));
}

constexpr double heavy = 2., light = 100.;  // loads of continuous and discontinuous conduction, Ω
double numberK(double load) {
  return 2. * inductance / (load * period);
}

TEST(CircuitConverters, BuckHasItsRatiosInBothConductions) {
  expectRatio(buck, 0.4, heavy, 0.4);
  expectRatio(buck, 0.4, light, 2. / (1. + std::sqrt(1. + 4. * numberK(light) / 0.16)));
}

TEST(CircuitConverters, BoostHasItsRatiosInBothConductions) {
  expectRatio(boost, 0.4, 5., 1. / 0.6);
  expectRatio(boost, 0.4, light, 0.5 * (1. + std::sqrt(1. + 4. * 0.16 / numberK(light))));
}

TEST(CircuitConverters, BuckBoostHasItsRatiosInBothConductions) {
  expectRatio(buckBoost, 0.4, heavy, -0.4 / 0.6);
  expectRatio(buckBoost, 0.4, light, -0.4 / std::sqrt(numberK(light)));
}

TEST(CircuitConverters, FlybackHasItsRatiosInBothConductions) {
  expectRatio(flyback, 0.4, 1., 0.5 * 0.4 / 0.6);
  // The energy of each pulse, V² D² T² / 2L, goes to the load.
  expectRatio(flyback, 0.4, light, 0.4 / std::sqrt(numberK(light)));
}

// Between two voltages a current has straight pieces: up to V D T/L, down to zero, then nothing.
TEST(CircuitConverters, CurrentInDiscontinuousConductionIsATriangle) {
  const double L = 1e-5, output = 8., duty = 0.3;
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
    double duty = 0.;
    const Gate gate = Gate::where([&duty](double t) { return duty - (t / period - std::floor(t / period)); });
    Circuit circuit;
    circuit.source("V", "in", "0", supply);
    circuit.idealSwitch("S", "in", "x", isSampled ? gate : pulses(0.));
    circuit.diode("D", "0", "x");
    circuit.inductor("L", "x", "out", inductance);
    addOutput(circuit, heavy, 0.);
    const Prepare prepare = [&](ClockedSimulation& simulation, CircuitInstance&) {
      if (isSampled) simulation.addSampling("controller", TimeDiscretisation(0., period), [&] { duty = 0.; });
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
