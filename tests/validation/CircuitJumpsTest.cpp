// SPDX-License-Identifier: Apache-2.0
//
// Charge and flux that move at once, where switches close on capacitors and interrupt inductors: event-driven runs
// against what is conserved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <limits>
#include <memory>
#include <string>
#include <support/CircuitRuns.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double closing = 1.5e-4;

Gate closes() {
  return Gate::pulses({.period = 1., .width = 1., .delay = closing});
}

Gate opens() {
  return Gate::switching([](std::size_t k) { return k == 0 ? closing : std::numeric_limits<double>::infinity(); },
                         true);
}

// Charge is conserved, and ½ C₁C₂/(C₁ + C₂) ΔV² of the energy is lost in the switch.
TEST(CircuitJumps, TwoCapacitorsThatASwitchJoinsShareTheirCharge) {
  const double C1 = 2e-6, C2 = 1e-6, V = 9.;
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", C1, V);
  circuit.capacitor("C2", "b", "0", C2, 0.);
  circuit.idealSwitch("S", "a", "b", closes());
  const auto energy = [&](double v1, double v2) { return 0.5 * (C1 * v1 * v1 + C2 * v2 * v2); };
  double last = 0.;
  const auto check = [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(C1 * c.voltage("a") + C2 * c.voltage("b"), C1 * V, 1e-14 * C1 * V) << t;
    EXPECT_NEAR(c.voltage("b"), t > closing ? C1 * V / (C1 + C2) : 0., 1e-13) << t;
    last = energy(c.voltage("a"), c.voltage("b"));
  };
  const std::vector<Event> jumps = jumpsOf(circuit, 3e-4, 1.1e-5, check);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_NEAR(jumps[0].t, closing, 1e-18);
  EXPECT_NEAR(energy(V, 0.) - last, 0.5 * C1 * C2 / (C1 + C2) * V * V, 1e-13 * energy(V, 0.));
  EXPECT_NEAR(largestImpulse(jumps[0]), C1 * C2 / (C1 + C2) * V, 1e-14 * C1 * V);  // the charge that has moved
}

// 9 V at 2 F and 0 V at 1 F become 6 V: 6 C flow at once.
TEST(CircuitJumps, TellsTheChargeThatASwitchMoves) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 2., 9.);
  circuit.capacitor("C2", "b", "0", 1.);
  circuit.idealSwitch("S", "a", "b", Gate::switching([](std::size_t k) { return k == 0 ? 0.55 : INFINITY; }));
  NonSmoothDynamicalSystem model(0., 1.);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EventDriven simulation(model, 0.1);
  instance.attach(simulation);
  const std::function<double()> charge = instance.impulse("i(S)"), flux = instance.impulse("v(a,b)");
  while (simulation.time() < 0.5) simulation.step();
  EXPECT_EQ(charge(), 0.);
  simulation.step();
  EXPECT_NEAR(charge(), 6., 1e-12);
  EXPECT_EQ(flux(), 0.);
  EXPECT_NEAR(instance.currentImpulse("C1"), -6., 1e-12);
  EXPECT_NEAR(instance.currentImpulse("C2"), 6., 1e-12);
  EXPECT_EQ(instance.voltageImpulse("S"), 0.);
  EXPECT_THROW(instance.impulse("p(S)"), Error);
}

// Two switches in parallel share the charge and, while capacitors are held together, the current: as equal small
// resistances would.
TEST(CircuitJumps, SwitchesInParallelShareWhatFlows) {
  const double C1 = 2e-6, C2 = 1e-6, R = 100., V = 9., second = 2e-4, end = 4e-4;
  const auto closesAt = [](double instant) {
    return Gate::switching([instant](std::size_t k) { return k == 0 ? instant : INFINITY; });
  };
  const auto make = [&](double first) {
    Circuit circuit;
    circuit.capacitor("C1", "a", "0", C1, V);
    circuit.capacitor("C2", "b", "0", C2, 0.);
    circuit.resistor("R", "b", "0", R);
    circuit.idealSwitch("S", "a", "b", closesAt(first));
    circuit.idealSwitch("T", "b", "a", closesAt(second));
    return circuit;
  };
  for (const double first : {1e-4, second}) {
    NonSmoothDynamicalSystem model(0., end);
    CircuitInstance c = make(first).insertInto(model, "net");
    EventDriven simulation(model, TimeDiscretisation(0., 1.1e-5));
    c.attach(simulation);
    std::size_t seen = 0;
    simulation.run([&] {
      const double t = simulation.time();
      if (t <= second) return;
      // What C1 gives flows through both, from a to b.
      const double current = C1 / (C1 + C2) * c.voltage("b") / R;
      EXPECT_NEAR(c.current("S"), 0.5 * current, 1e-12) << t;
      EXPECT_NEAR(c.current("T"), -0.5 * current, 1e-12) << t;
      EXPECT_NEAR(c.voltage("b"), C1 * V / (C1 + C2) * std::exp((first - t) / (R * (C1 + C2))), 1e-8) << t;
      ++seen;
    });
    EXPECT_GT(seen, 10U);
    const double charge = C1 * C2 / (C1 + C2) * V;
    if (first == second) {
      EXPECT_NEAR(c.currentImpulse("S"), 0.5 * charge, 1e-12 * charge);
      EXPECT_NEAR(c.currentImpulse("T"), -0.5 * charge, 1e-12 * charge);
    }
  }
}

// A triangle of switches, two of whose corners are capacitors: a current goes round in it in no way.
TEST(CircuitJumps, ALoopOfClosedSwitchesHasNoCurrentAround) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 1e-6, 5.);
  circuit.capacitor("C2", "b", "0", 2e-6, 5.);
  circuit.resistor("R1", "a", "0", 100.);
  circuit.resistor("R2", "c", "0", 50.);
  circuit.idealSwitch("S1", "a", "b", true);
  circuit.idealSwitch("S2", "b", "c", true);
  circuit.idealSwitch("S3", "c", "a", true);
  double v = 0.;
  runEvents(circuit, 1e-4, 1e-5, [&](double t, const CircuitInstance& c) {
    v = c.voltage("a");
    EXPECT_NEAR(c.current("S1") + c.current("S2") + c.current("S3"), 0., 1e-12) << t;
    EXPECT_NEAR(c.voltage("c"), v, 1e-12) << t;
  });
  EXPECT_NEAR(v, 5. * std::exp(-1e-4 * 0.03 / 3e-6), 1e-8);
}

TEST(CircuitJumps, KeepTheChargeThatHasMovedOverACheckpoint) {
  struct Run {
    NonSmoothDynamicalSystem model{0., 1.};
    std::unique_ptr<CircuitInstance> instance;
    std::unique_ptr<EventDriven> simulation;
    Run() {
      Circuit circuit;
      circuit.capacitor("C1", "a", "0", 2., 9.);
      circuit.capacitor("C2", "b", "0", 1.);
      circuit.idealSwitch("S", "a", "b", Gate::switching([](std::size_t k) { return k == 0 ? 0.55 : INFINITY; }));
      instance = std::make_unique<CircuitInstance>(circuit.insertInto(model, "net"));
      simulation = std::make_unique<EventDriven>(model, 0.1);
      instance->attach(*simulation);
    }
  };
  const std::string file = testing::TempDir() + "circuit_jumps.checkpoint";
  Run saved, restored;
  while (saved.simulation->time() < 0.59) saved.simulation->step();
  saveCheckpoint(*saved.simulation, file);
  restoreCheckpoint(*restored.simulation, file);
  EXPECT_EQ(restored.instance->currentImpulse("S"), saved.instance->currentImpulse("S"));
  EXPECT_NEAR(restored.instance->currentImpulse("S"), 6., 1e-12);
}

// Each time that a switch is closed between steps by hand, what flows then, and nothing of before.
TEST(CircuitJumps, TellTheChargeOfEachClosing) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 2., 9.);
  circuit.capacitor("C2", "b", "0", 1.);
  circuit.resistor("R", "b", "0", 1.);
  circuit.idealSwitch("S", "a", "b", false);
  NonSmoothDynamicalSystem model(0., 2.);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EventDriven simulation(model, 0.1);
  instance.attach(simulation);
  const auto runTo = [&](double t) {
    while (simulation.time() < t - 1e-9) simulation.step();
  };
  double largest = 100.;
  for (const double t : {0.5, 1.3}) {
    runTo(t);
    const double a = instance.voltage("a"), b = instance.voltage("b");
    instance.setGate("S", true);
    simulation.step();
    EXPECT_NEAR(instance.currentImpulse("S"), 2. / 3. * (a - b), 1e-9) << t;
    EXPECT_LT(instance.currentImpulse("S"), largest);
    largest = instance.currentImpulse("S");
    runTo(t + 0.4);
    instance.setGate("S", false);
  }
}

TEST(CircuitJumps, ACapacitorThatASourceIsSwitchedToTakesItsVoltage) {
  const double V = 5., C = 1e-6, R = 100.;
  Circuit circuit;
  circuit.source("V", "in", "0", V);
  circuit.idealSwitch("S", "in", "out",
                      Gate::pulses({.period = 1., .width = 1e-4, .delay = closing}));  // and opens again
  circuit.capacitor("C", "out", "0", C, 1.);
  circuit.resistor("R", "out", "0", R);
  const double open = closing + 1e-4, tau = R * C;
  const std::vector<Event> jumps = jumpsOf(circuit, 5e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
    const double exact = t < closing ? std::exp(-t / tau) : t < open ? V : V * std::exp(-(t - open) / tau);
    EXPECT_NEAR(c.voltage("out"), exact, 1e-10 * V) << t;
  });
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_NEAR(largestImpulse(jumps[0]), C * (V - std::exp(-closing / tau)), 1e-10 * C * V);
}

// The diode takes over: nothing jumps. Without it the current ends at once, and its flux is the impulse of the switch.
TEST(CircuitJumps, AnInterruptedInductorFreewheelsOrLosesItsFlux) {
  const double V = 10., L = 1e-3, R = 5., I = V / R;
  for (const bool hasDiode : {true, false}) {
    Circuit circuit;
    circuit.source("V", "in", "0", V);
    circuit.idealSwitch("S", "in", "x", opens());
    if (hasDiode) circuit.diode("D", "0", "x");
    circuit.inductor("L", "x", "y", L, I);
    circuit.resistor("R", "y", "0", R);
    const std::vector<Event> jumps = jumpsOf(circuit, 5e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
      const double after = hasDiode ? I * std::exp(-(t - closing) * R / L) : 0.;
      EXPECT_NEAR(c.current("L"), t < closing ? I : after, 1e-10 * I) << t;
    });
    ASSERT_EQ(jumps.size(), hasDiode ? 0U : 1U);
    if (!hasDiode) {
      EXPECT_NEAR(largestImpulse(jumps[0]), L * I, 1e-10 * L * I);
    }
  }
}

// The flux M i₁ + L₂ i₂ of the loop that stays closed is conserved: the second current jumps by M i₁/L₂ and decays.
TEST(CircuitJumps, ACoupledInductorTakesTheFluxOfTheInterruptedOne) {
  const double V = 10., L1 = 1e-3, L2 = 4e-3, k = 0.9, M = k * std::sqrt(L1 * L2), R1 = 5., R2 = 50., I = V / R1;
  Circuit circuit;
  circuit.source("V", "in", "0", V);
  circuit.idealSwitch("S", "in", "x", opens());
  circuit.resistor("R1", "x", "y", R1);
  circuit.inductor("L1", "y", "0", L1, I);
  circuit.inductor("L2", "z", "0", L2, 0.);
  circuit.resistor("R2", "z", "0", R2);
  circuit.coupling("K", {"L1", "L2"}, k);
  const std::vector<Event> jumps = jumpsOf(circuit, 5e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.current("L1"), t < closing ? I : 0., 1e-10 * I) << t;
    EXPECT_NEAR(c.current("L2"), t < closing ? 0. : M * I / L2 * std::exp(-(t - closing) * R2 / L2), 1e-10 * I) << t;
  });
  EXPECT_EQ(jumps.size(), 1U);
}

// The dual of two capacitors: an opening switch leaves two coupled inductors, of different currents, in series. The
// flux of their loop, (L₁ + M) i₁ + (L₂ + M) i₂, is conserved.
TEST(CircuitJumps, InductorsThatASwitchLeavesInSeriesShareTheirFlux) {
  const double L1 = 1e-3, L2 = 4e-3, k = 0.5, M = k * std::sqrt(L1 * L2), I1 = 3., I2 = -1.;
  Circuit circuit;
  circuit.inductor("L1", "0", "x", L1, I1);
  circuit.inductor("L2", "x", "0", L2, I2);
  circuit.coupling("K", {"L1", "L2"}, k);
  circuit.idealSwitch("S", "x", "0", opens());
  const double common = ((L1 + M) * I1 + (L2 + M) * I2) / (L1 + L2 + 2. * M);
  const std::vector<Event> jumps = jumpsOf(circuit, 3e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.current("L1"), t < closing ? I1 : common, 1e-13) << t;
    EXPECT_NEAR(c.current("L2"), t < closing ? I2 : common, 1e-13) << t;
  });
  EXPECT_EQ(jumps.size(), 1U);
}

// A rectifier whose capacitor starts below the source: the diode charges it at once, and no further.
TEST(CircuitJumps, ARectifierStartsAtTheVoltageThatItsDiodeAllows) {
  const double V = 10., frequency = 50., w = 2. * M_PI * frequency, start = -5.;
  Circuit circuit;
  circuit.source("V", "in", "0", sine(V, frequency));
  circuit.diode("D", "in", "out");
  circuit.capacitor("C", "out", "0", 1e-6, start);
  const auto check = [&](double t, const CircuitInstance& c) {
    const double phase = std::min(w * t, M_PI / 2.);
    EXPECT_NEAR(c.voltage("out"), V * std::sin(phase), 1e-10 * V) << t;
  };
  EXPECT_THROW(jumpsOf(circuit, 0.02, 1e-4, check), Error);
  const std::vector<Event> jumps = jumpsOf(circuit, 0.02, 1e-4, check, true);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].t, 0.);
  EXPECT_NEAR(largestImpulse(jumps[0]), -1e-6 * start, 1e-17);
}

// A control voltage that jumps past a threshold has no zero there, and closes its switch all the same.
TEST(CircuitJumps, AGateFollowsAVoltageThatJumps) {
  Circuit circuit;
  circuit.source("V", "in", "0", 5.);
  circuit.idealSwitch("S", "in", "out", closes());
  circuit.capacitor("C", "out", "0", 1e-6, 0.);
  circuit.idealSwitch("T", "in", "load", Gate::voltage("out", "0", {.closes = 3., .opens = 2.}));
  circuit.resistor("R", "load", "0", 10.);
  jumpsOf(circuit, 3e-4, 1.1e-5,
          [&](double t, const CircuitInstance& c) { EXPECT_NEAR(c.current("R"), t < closing ? 0. : 0.5, 1e-12) << t; });
}

// No impulse joins two ideal sources of different voltages.
TEST(CircuitJumps, WhatNoImpulseMendsIsAnError) {
  Circuit circuit;
  circuit.source("V1", "a", "0", 5.);
  circuit.source("V2", "b", "0", 4.);
  circuit.idealSwitch("S", "a", "b", closes());
  circuit.capacitor("C", "a", "c", 1e-6, 0.);
  circuit.resistor("R", "c", "b", 10.);
  double end = 0.;
  EXPECT_THROW(jumpsOf(circuit, 3e-4, 1.1e-5, [&](double t, const CircuitInstance&) { end = t; }), Error);
  EXPECT_NEAR(end, closing, 1.1e-5);  // the output before
}

// A current source that a switch leaves to an inductor drives its current through it at once.
TEST(CircuitJumps, ACurrentSourceTakesTheInductorThatIsLeftToIt) {
  const double I = 2., L = 1e-3;
  Circuit circuit;
  circuit.currentSource("I", "0", "a", I);
  circuit.idealSwitch("S", "a", "0", opens());
  circuit.inductor("L", "a", "b", L, 0.);
  circuit.resistor("R", "b", "0", 3.);
  const std::vector<Event> jumps = jumpsOf(circuit, 3e-4, 1.1e-5, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.current("L"), t < closing ? 0. : I, 1e-13) << t;
  });
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_NEAR(largestImpulse(jumps[0]), L * I, 1e-13 * L * I);
}

// A doubler by switches: C₁ is charged from the source in the first half of a period, and put on top of it in the
// second half, v ← (2 C₁ V + C₂ v)/(C₁ + C₂), decaying with R C₂ and R (C₁ + C₂) between.
TEST(CircuitJumps, ASwitchedCapacitorDoublerFollowsItsMap) {
  const double V = 5., C1 = 1e-6, C2 = 3e-6, R = 2e3, period = 1e-3, half = 0.5 * period;
  Circuit circuit;
  const Gate first = Gate::pulses({.period = period, .width = half});
  const Gate second = Gate::pulses({.period = period, .width = half, .delay = half});
  circuit.source("V", "in", "0", V);
  circuit.idealSwitch("S1", "in", "top", first);
  circuit.idealSwitch("S2", "bottom", "0", first);
  circuit.idealSwitch("S3", "in", "bottom", second);
  circuit.idealSwitch("S4", "top", "out", second);
  circuit.capacitor("C1", "top", "bottom", C1, V);
  circuit.capacitor("C2", "out", "0", C2, 0.);
  circuit.resistor("R", "out", "0", R);
  const auto exact = [&](double t) {
    double v = 0., from = 0.;
    for (int k = 0;; ++k) {
      const bool charging = k % 2 == 0;
      if (!charging) v = (2. * C1 * V + C2 * v) / (C1 + C2);
      const double tau = R * (charging ? C2 : C1 + C2);
      if (t < from + half) return v * std::exp(-(t - from) / tau);
      v *= std::exp(-half / tau);
      from += half;
    }
  };
  const double end = 20.3 * period, h = 0.0713 * period;
  const std::vector<Event> jumps = jumpsOf(circuit, end, h, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.voltage("out"), exact(t), 1e-10 * V) << t;
    const double phase = t / period - std::floor(t / period);
    EXPECT_NEAR(c.voltage("C1"), phase < 0.5 ? V : c.voltage("out") - V, 1e-12 * V) << t;
  });
  EXPECT_EQ(jumps.size(), 40U);  // C₁ in each half
  // Its steady output is that of the map's fixed point.
  const double a = std::exp(-half / (R * C2)), b = std::exp(-half / (R * (C1 + C2)));
  EXPECT_NEAR(exact(200.5 * period * (1. + 1e-12)), 2. * C1 * V / (C1 + C2 - C2 * a * b), 1e-9);
  // Time stepping makes the same jumps in a step each, and is of order h between.
  double worst = 0.;
  runStepping(circuit, 5. * period, 1e-3 * period, 1., [&](double t, const CircuitInstance& c) {
    const double fromEdge = t / half - std::round(t / half);
    if (std::abs(fromEdge) > 1e-6) worst = std::max(worst, std::abs(c.voltage("out") - exact(t)));
  });
  EXPECT_LE(worst, 1e-3 * V);
}

}  // namespace
