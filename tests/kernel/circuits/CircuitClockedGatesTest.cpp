// SPDX-License-Identifier: Apache-2.0
//
// Gates that functions of time steer, beside gates with edges at known instants.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <functional>
#include <support/CircuitRuns.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double pi = 3.14159265358979323846, period = 1e-2;

// A load that two switches feed: one by a function, one by pulses at each half period of it.
Circuit makeFeeder(Gate gate) {
  Circuit circuit;
  circuit.source("V", "in", "0", 10.);
  circuit.idealSwitch("S", "in", "a", std::move(gate), {.onResistance = 1.});
  circuit.idealSwitch("T", "in", "a", Gate::pulses({.period = 0.5 * period, .width = 0.2 * period}),
                      {.onResistance = 1.});
  circuit.diode("D", "0", "a");
  circuit.resistor("R", "a", "b", 10.);
  circuit.inductor("L", "b", "0", 1e-2);
  return circuit;
}

// The gate is on in the first half of each period.
void expectHalves(const std::function<double(double)>& f) {
  double coarse = 0.;
  double current = 0.;
  // Outputs between the edges.
  runEvents(makeFeeder(Gate::where(f)), 3.1 * period, 3.1e-4, [&](double t, const CircuitInstance& c) {
    current = c.current("L");
    const double phase = std::fmod(t, period) / period;
    if (phase < 1e-6 || std::abs(phase - 0.5) < 1e-6) return;
    EXPECT_EQ(c.isOn("S"), phase < 0.5) << t;
    EXPECT_EQ(c.isOn("T"), std::fmod(phase, 0.5) < 0.2) << t;
  });
  for (const double h : {1e-5, 1e-6}) {
    double stepped = 0.;
    runStepping(makeFeeder(Gate::where(f)), 3.1 * period, h, 1.,
                [&](double, const CircuitInstance& c) { stepped = c.current("L"); });
    const double error = std::abs(stepped - current);
    EXPECT_LT(error, 1e3 * h) << h;
    if (h < 1e-5) {
      EXPECT_LT(error, 0.3 * coarse);
    }
    coarse = error;
  }
}

TEST(CircuitClockedGates, AFunctionMayPassZeroWherePulsesHaveEdges) {
  expectHalves([](double t) { return std::sin(2. * pi * t / period); });
}

TEST(CircuitClockedGates, AFunctionMayJumpWherePulsesHaveEdges) {
  expectHalves([](double t) { return std::fmod(t, period) < 0.5 * period ? 1. : -1.; });
}

TEST(CircuitClockedGates, AFunctionMayBeZeroWhereItsGateIsOff) {
  expectHalves([](double t) { return std::fmod(t, period) < 0.5 * period ? 1. : 0.; });
  // From the start on.
  Circuit circuit;
  circuit.source("V", "in", "0", 10.);
  circuit.idealSwitch("S", "in", "a", Gate::where([](double t) { return t > 4.3e-3 ? 1. : 0.; }));
  circuit.resistor("R", "a", "0", 10.);
  runEvents(circuit, period, 1e-4, [](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.current("R"), t > 4.3e-3 + 1e-9 ? 1. : 0., 1e-12) << t;
  });
}

TEST(CircuitClockedGates, AVoltageOfASourceMayPassItsThresholdWherePulsesHaveEdges) {
  Circuit circuit = makeFeeder(Gate::voltage("c", "0", {.closes = 0., .opens = 0.}));
  circuit.source("W", "c", "0", sine(1., 1. / period));
  circuit.resistor("Q", "c", "0", 1.);
  runEvents(circuit, 3.1 * period, 3.1e-4, [&](double t, const CircuitInstance& c) {
    const double phase = std::fmod(t, period) / period;
    if (phase < 1e-6 || std::abs(phase - 0.5) < 1e-6) return;
    EXPECT_EQ(c.isOn("S"), phase < 0.5) << t;
  });
}

}  // namespace
