// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>
#include <support/ElementLaws.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Residuals of v₁ = n v₂ and i₂ = −n i₁ to rounding of numbers up to `scale`.
void expectTransformer(const CircuitInstance& c, double ratio, double scale) {
  EXPECT_NEAR(c.voltage("T.1"), ratio * c.voltage("T.2"), 1e-13 * scale);
  EXPECT_NEAR(c.current("T.2"), -ratio * c.current("T.1"), 1e-13 * scale);
}

TEST(CircuitTransformerTest, AVoltageSourceMayDriveTheSecondWinding) {
  for (const double ratio : {2., -2., 0.1}) {
    Circuit circuit;
    circuit.source("V", "b", "0", 1.);
    circuit.transformer("T", "a", "0", "b", "0", ratio);
    circuit.resistor("R", "a", "0", 4.);
    NonSmoothDynamicalSystem model(0., 1.);
    const CircuitInstance c = circuit.insertInto(model, "net");
    EXPECT_DOUBLE_EQ(c.voltage("a"), ratio);
    EXPECT_DOUBLE_EQ(c.current("R"), ratio / 4.);
    EXPECT_DOUBLE_EQ(c.current("T.1"), -ratio / 4.);
    EXPECT_DOUBLE_EQ(c.current("V"), -ratio * ratio / 4.);
    expectTransformer(c, ratio, 1. + ratio * ratio);
  }
}

TEST(CircuitTransformerTest, ACurrentSourceFeedsACapacitorBehindTheSecondWinding) {
  for (const double ratio : {2., -3.}) {
    Circuit circuit;
    circuit.currentSource("I", "0", "a", 2.);
    circuit.transformer("T", "a", "0", "b", "0", ratio);
    circuit.capacitor("C", "b", "0", 1., 3.);
    NonSmoothDynamicalSystem model(0., 1.);
    const CircuitInstance c = circuit.insertInto(model, "net");
    EXPECT_DOUBLE_EQ(c.voltage("a"), 3. * ratio);
    EXPECT_DOUBLE_EQ(c.current("C"), 2. * ratio);
    expectTransformer(c, ratio, 10.);
  }
}

// Both inductors would be in series with a winding: i(L2) = n i(L1) and one of them is no state.
TEST(CircuitTransformerTest, InductorsOnBothSidesAddUp) {
  for (const double ratio : {2., -2.}) {
    Circuit circuit;
    circuit.source("V", "in", "0", 1.);
    circuit.inductor("L1", "in", "a", 1.);
    circuit.transformer("T", "a", "0", "b", "0", ratio);
    circuit.inductor("L2", "b", "c", 1.);
    circuit.resistor("R", "c", "0", 1.);
    // (L1 + n² L2) di/dt = V − n² R i: 5 di/dt = 1 − 4 i.
    runStepping(circuit, 1., 1e-3, 0.5, [&](double t, const CircuitInstance& c) {
      // h² of the trapezoidal rule.
      EXPECT_NEAR(c.current("L1"), 0.25 * (1. - std::exp(-0.8 * t)), 1e-6);
      EXPECT_NEAR(c.current("L2"), ratio * c.current("L1"), 1e-13);
      expectTransformer(c, ratio, 1.);
    });
  }
}

// The inductor is a state where the first winding gives a voltage: the windings change roles.
TEST(CircuitTransformerTest, AnInductorBeforeTheFirstWindingSeesTheLoadTimesTheSquareOfTheRatio) {
  for (const double ratio : {2., -2.}) {
    LawfulCircuit circuit;
    circuit.source("V", "in", "0", 1.);
    circuit.circuit.inductor("L", "in", "a", 1.);
    circuit.transformer("T", "a", "0", "b", "0", ratio);
    circuit.resistor("R", "b", "0", 1.);
    // L di/dt = V − n² R i.
    runStepping(circuit.circuit, 1., 1e-3, 0.5, [&](double t, const CircuitInstance& c) {
      // h² of the trapezoidal rule.
      EXPECT_NEAR(c.current("L"), 0.25 * (1. - std::exp(-4. * t)), 1e-6);
      EXPECT_NEAR(c.current("R"), ratio * c.current("L"), 1e-13);
      circuit.expectLaws(c, t, 1e-13);
    });
  }
}

TEST(CircuitTransformerTest, TransformersInAChainAreOneOfTheirProduct) {
  Circuit circuit;
  circuit.source("V", "a", "0", 10.);
  circuit.transformer("T1", "a", "0", "b", "c", 2.);
  circuit.transformer("T2", "b", "c", "d", "0", 0.5);
  circuit.resistor("R", "d", "0", 5.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance c = circuit.insertInto(model, "net");
  EXPECT_DOUBLE_EQ(c.voltage("d"), 10.);
  EXPECT_DOUBLE_EQ(c.current("V"), -2.);
}

// With the polarity of the winding inverted, the positive half wave would not conduct.
TEST(CircuitTransformerTest, AHalfWaveRectifierFedOnTheSecondWinding) {
  LawfulCircuit circuit;
  circuit.source("V", "s", "0", sine(10., 50.));
  circuit.transformer("T", "p", "0", "s", "0", 2.);
  circuit.diode("D", "p", "o", {});
  circuit.resistor("R", "o", "0", 10.);
  circuit.circuit.capacitor("C", "p", "q", 1e-5);
  circuit.resistor("Q", "q", "0", 1.);
  circuit.resistor("P", "p", "0", 5.);
  runStepping(circuit.circuit, 0.02, 1e-4, 1., [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    const double v = 20. * std::sin(100. * M_PI * t);
    EXPECT_NEAR(c.voltage("o"), std::max(v, 0.), 1e-9);
    EXPECT_NEAR(c.voltage("p"), v, 1e-9);
    // To the solver's tolerance.
    circuit.expectLaws(c, t, 1e-9);
  });
}

}  // namespace
