// SPDX-License-Identifier: Apache-2.0
//
// Switches and diodes between which the laws alone say how they share what a jump of the state carries, or a node that
// both hold at zero.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double switching = 1.5e-4;

// Two switches in series, each with a diode in parallel that its threshold keeps off: the second one acts on the
// capacitor by way of the first one alone.
TEST(CircuitSharedImpulses, SwitchesInSeriesWithDiodesBesideThemShareTheCharge) {
  const double C = 1., V = 1., threshold = 0.3, end = 3e-4;
  Circuit circuit;
  circuit.capacitor("C", "a", "0", C, V);
  circuit.source("V", "s", "0", 0.2);
  circuit.resistor("Rs", "s", "b", 5.);
  circuit.mosfet("S1", "a", "b", true, {.diodeThreshold = threshold});
  circuit.mosfet("S2", "b", "0", Gate::pulses({.period = 1., .width = 1., .delay = switching}),
                 {.diodeThreshold = threshold});
  const std::vector<Event> jumps = jumpsOf(circuit, end, 1.1e-5, [&](double t, const CircuitInstance& c) {
    const double before = 0.2 + (V - 0.2) * std::exp(-t / (5. * C));
    EXPECT_NEAR(c.voltage("a"), t > switching ? 0. : before, 1e-10 * V) << t;
  });
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_NEAR(largestImpulse(jumps[0]), C * (0.2 + (V - 0.2) * std::exp(-switching / (5. * C))), 1e-10);
}

// Beside the switch that interrupts it are two antiparallel diodes, and a diode that blocks in series with both: these
// share the voltage of the impulse.
TEST(CircuitSharedImpulses, ADiodeInSeriesBlocksTheImpulseOfAnInterruptedInductor) {
  const double L = 0.2, I = 0.5;
  for (const double sign : {1., -1.}) {
    Circuit circuit;
    circuit.source("V", "s", "0", 2. * I * sign);
    circuit.resistor("R", "s", "x", 2.);
    circuit.inductor("L", "x", "y", L, sign * I);
    circuit.idealSwitch("S", "y", "0", Gate::pulses({.period = 1., .width = switching}));
    circuit.diode("D1", "z", "0");
    circuit.diode("D2", "y", "z");
    circuit.diode("D3", "z", "y");
    const std::vector<Event> jumps = jumpsOf(circuit, 3e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
      EXPECT_NEAR(c.current("L"), t < switching || sign > 0. ? sign * I : 0., 1e-10 * I) << t;
    });
    ASSERT_EQ(jumps.size(), sign > 0. ? 0U : 1U);
    if (sign < 0.) {
      EXPECT_NEAR(largestImpulse(jumps[0]), L * I, 1e-10 * L * I);
    }
  }
}

// D₁ holds C₁ at zero from above, and with S closed D₂ does so from below: where both have neither a voltage nor a
// current, what is left is rounding beside what C₁ was charged to, and no reason to leave a mode.
TEST(CircuitSharedImpulses, ANodeThatIsHeldAtZeroStaysThere) {
  for (int k = 0; k < 4; ++k) {
    Circuit circuit;
    circuit.source("V", "s", "0", sine(1.5, 0.1 + 0.0111 * k));
    circuit.resistor("R0", "s", "n1", 0.2 + 0.051 * k);
    circuit.capacitor("C1", "n1", "0", 0.2 + 0.033 * k);
    circuit.diode("D1", "n1", "0");
    circuit.resistor("R", "n1", "n2", 0.3 + 0.069 * k);
    circuit.idealSwitch("S", "n2", "n1", Gate::pulses({.period = 1.2646, .width = 0.406, .delay = 0.52}));
    circuit.diode("D2", "0", "n2");
    circuit.resistor("R3", "n2", "0", 5.);
    double last = 0.;
    jumpsOf(circuit, 10., 0.11, [&](double, const CircuitInstance& c) { last = c.voltage("C1"); });
    NonSmoothDynamicalSystem model(0., 10.);
    CircuitInstance instance = circuit.insertInto(model, "circuit");
    TimeStepping simulation(model, 2e-3, EulerMoreauOSI(1.));
    instance.attach(simulation);
    simulation.run();
    EXPECT_NEAR(last, instance.voltage("C1"), 1e-2) << k;
  }
}

}  // namespace
