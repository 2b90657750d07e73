// SPDX-License-Identifier: Apache-2.0
//
// Switches and diodes between which the laws alone say how they share what a jump of the state carries, or a node that
// both hold at zero.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// D₁ holds C₁ at zero from above, and with S closed D₂ does so from below: where both have neither a voltage nor a
// current, what is left is rounding beside what C₁ was charged to, and no reason to leave a mode.
TEST(CircuitSharedImpulses, ANodeThatIsHeldAtZeroStaysThere) {
  for (int k = 0; k < 10; ++k) {
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
