// SPDX-License-Identifier: Apache-2.0
//
// Gates that pass a threshold without a zero: with a source that jumps, and at the start.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <string>
#include <support/CircuitRuns.hpp>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// A sine of 50 Hz that a comparator with hysteresis looks at: its output o is high from 1/50 · asin(0.1)/2π on.
Circuit comparatorOfSine() {
  Circuit circuit;
  circuit.source("V", "p", "0", sine(1., 50.));
  circuit.comparator("K", "p", "0", "o", {.low = 0., .high = 5., .hysteresis = 0.2});
  circuit.resistor("R", "o", "y", 100.);
  circuit.capacitor("C", "y", "0", 1e-6);
  return circuit;
}

TEST(CircuitGateEventsTest, AComparatorFollowsAnotherOneThatJumps) {
  Circuit circuit = comparatorOfSine();
  circuit.source("half", "h", "0", 2.5);
  // A chain whose elements come in the order against that of the jumps.
  for (const int k : {3, 2, 1}) {
    const std::string in = k == 1 ? "o" : "z" + std::to_string(k - 1), out = "z" + std::to_string(k);
    circuit.comparator("K" + std::to_string(k), in, "h", out, {.low = 0., .high = 5., .hysteresis = 1.});
    circuit.resistor("R" + std::to_string(k), out, "0", 1.);
  }
  std::size_t high = 0, all = 0;
  runEvents(circuit, 0.1, 1.01e-4, [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    ++all;
    high += c.voltage("o") > 2.5 ? 1U : 0U;
    for (const char* const node : {"z1", "z2", "z3"}) EXPECT_EQ(c.voltage(node), c.voltage("o")) << "t = " << t;
  });
  EXPECT_GT(high, all / 3);
  EXPECT_LT(high, 2 * all / 3);
}

TEST(CircuitGateEventsTest, ASwitchFollowsAComparatorThatJumps) {
  Circuit circuit = comparatorOfSine();
  circuit.source("W", "w", "0", 1.);
  circuit.idealSwitch("S", "w", "x", Gate::voltage("o", "0", {.closes = 3., .opens = 2.}));
  circuit.resistor("Q", "x", "0", 1.);
  runEvents(circuit, 0.1, 1.01e-4, [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    EXPECT_EQ(c.isOn("S"), c.voltage("o") > 2.5) << "t = " << t;
  });
}

// Two inverting comparators would be a latch; one that looks at its own output has no rest.
TEST(CircuitGateEventsTest, ComparatorsThatChangeEachOtherWithoutEndAreAnError) {
  Circuit circuit = comparatorOfSine();
  circuit.source("half", "h", "0", 2.5);
  circuit.comparator("N", "h", "m", "n", {.low = 0., .high = 5., .hysteresis = 1.});
  circuit.controlledSource("E", "m", "0", VoltageBetween{"n", "q"}, 1.);
  circuit.source("U", "q", "0", Waveform(PulseWave{.low = 10., .high = 0., .delay = 0.01, .width = 1., .period = 2.}));
  circuit.resistor("RE", "m", "0", 1.);
  circuit.resistor("RN", "n", "0", 1.);
  NonSmoothDynamicalSystem model(0., 0.02);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EventDriven simulation(model, TimeDiscretisation(0., 1e-3));
  instance.attach(simulation);
  EXPECT_THROW(simulation.run(), Error);
}

TEST(CircuitGateEventsTest, AGateFollowsASourceThatTheProgramSets) {
  Circuit circuit;
  circuit.source("U", "u", "0", 0.);
  circuit.resistor("RU", "u", "0", 1.);
  circuit.idealSwitch("S", "u", "x", Gate::voltage("u", "0", {.closes = 3., .opens = 2.}));
  circuit.resistor("R", "x", "y", 1.);
  circuit.capacitor("C", "y", "0", 1.);
  NonSmoothDynamicalSystem model(0., 1.);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  instance.attach(simulation);
  simulation.step();
  instance.setSource("U", 5.);
  EXPECT_TRUE(instance.isOn("S"));
  while (simulation.time() < 0.5) simulation.step();
  instance.setSource("U", 1.);
  EXPECT_FALSE(instance.isOn("S"));
  // The capacitor was charged in between: 5 (1 − exp(−0.4)).
  EXPECT_NEAR(instance.voltage("C"), 5. * (1. - std::exp(-(simulation.time() - 0.1))), 1e-5);
}

// Instants after the start at which the switch closes or opens, and how it is before.
std::vector<double> changesOf(const Circuit& circuit, bool& first) {
  std::vector<double> changes;
  bool last = false, hasBegun = false;
  runEvents(circuit, 0.03, 3.1e-4, [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    const bool now = c.isOn("S");
    if (!hasBegun) first = now;
    if (hasBegun && now != last) changes.push_back(t);
    last = now;
    hasBegun = true;
  });
  return changes;
}

TEST(CircuitGateEventsTest, AGateThatBeginsAtItsThresholdIsAsJustAfterTheStart) {
  const auto base = [] {
    Circuit circuit;
    circuit.source("V", "in", "0", sine(1., 50.));
    circuit.resistor("RI", "in", "0", 1.);
    circuit.source("W", "w", "0", 1.);
    circuit.resistor("R", "x", "y", 1.);
    circuit.capacitor("C", "y", "0", 1e-3);
    circuit.resistor("Q", "y", "0", 10.);
    return circuit;
  };
  const std::vector<Gate> gates{Gate::voltage("in", "0", {.closes = 0., .opens = 0.}),
                                Gate::where([](double t) { return std::sin(100. * M_PI * t); }),
                                Gate::voltage("0", "in", {.closes = 0., .opens = 0.}),
                                Gate::where([](double t) { return -std::sin(100. * M_PI * t); })};
  for (std::size_t k = 0; k < gates.size(); ++k) {
    Circuit circuit = base();
    circuit.idealSwitch("S", "w", "x", gates[k]);
    bool first = false;
    const std::vector<double> changes = changesOf(circuit, first);
    EXPECT_EQ(first, k < 2) << k;
    ASSERT_EQ(changes.size(), 2U) << k;
    // The instants to one output.
    EXPECT_NEAR(changes[0], 0.01, 3.2e-4);
    EXPECT_NEAR(changes[1], 0.02, 3.2e-4);
  }
}

// The capacitor begins at the threshold and rises with its own rate.
TEST(CircuitGateEventsTest, ACapacitorThatBeginsAtAThresholdClosesTheSwitchItRisesFor) {
  for (const double feed : {1., -1.}) {
    Circuit circuit;
    circuit.source("V", "in", "0", feed);
    circuit.resistor("R", "in", "y", 1.);
    circuit.capacitor("C", "y", "0", 1.);
    circuit.idealSwitch("S", "in", "x", Gate::voltage("y", "0", {.closes = 0., .opens = 0.}));
    circuit.resistor("Q", "x", "0", 10.);
    runEvents(circuit, 0.5, 0.1, [&](double t, const CircuitInstance& c) {
      if (t == 0.) return;
      EXPECT_EQ(c.isOn("S"), feed > 0.) << "t = " << t;
    });
  }
}

TEST(CircuitGateEventsTest, SourcesThatForceChargeOrFluxCannotBeSet) {
  Circuit circuit;
  circuit.source("V", "p", "0", 0.);
  circuit.capacitor("C1", "p", "m", 1e-3);
  circuit.capacitor("C2", "m", "0", 1e-3);
  circuit.source("W", "w", "0", 1.);
  circuit.resistor("R", "w", "m", 1.);
  circuit.currentSource("I", "0", "a", 1.);
  circuit.inductor("L", "a", "b", 1., 1.);
  circuit.resistor("Q", "b", "0", 1.);
  NonSmoothDynamicalSystem model(0., 1.);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_THROW(instance.setSource("V", 10.), Error);
  EXPECT_THROW(instance.setSource("I", 10.), Error);
  EXPECT_EQ(instance.voltage("p"), 0.);
  EXPECT_EQ(instance.current("L"), 1.);
  EXPECT_NO_THROW(instance.setSource("W", 10.));
}

// Both simulations, the same check. The step of time stepping does not divide the period of any source below.
void runBoth(const Circuit& circuit, double end, double h, const AtOutput& atOutput, const Prepare& prepare = {}) {
  runStepping(circuit, end, h, 1., atOutput, prepare);
  runEvents(circuit, end, h, atOutput, prepare);
}

// A leg of two switches at 12 V, of which the lower one closes where the drive is low.
TEST(CircuitGateEventsTest, SwitchesOfALegChangeTogetherWithTheirDrive) {
  const double period = 20e-6, width = 8e-6;
  Circuit circuit;
  circuit.source("V", "in", "0", 12.);
  circuit.source("G", "g", "0", Waveform(PulseWave{.low = 0., .high = 5., .width = width, .period = period}));
  circuit.resistor("RG", "g", "0", 1e3);
  circuit.idealSwitch("S", "in", "x", Gate::pulses({.period = period, .width = width}));
  circuit.idealSwitch("T", "x", "0", Gate::voltage("g", "0", {.closes = 2., .opens = 3.}));
  circuit.inductor("L", "x", "o", 1e-5, 2.4);
  circuit.resistor("R", "o", "0", 2.);
  runBoth(circuit, 4e-4, 0.3e-6, [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    ASSERT_NE(c.isOn("S"), c.isOn("T")) << "t = " << t;
    ASSERT_GT(c.current("L"), 0.) << "t = " << t;
  });
}

// Differences of two drives: one that is the other one's complement, and one that stays at zero though both jump.
TEST(CircuitGateEventsTest, SourcesThatJumpAtOneInstantDoSoTogether) {
  const PulseWave drive{.low = 0., .high = 5., .delay = 1e-3, .width = 1e-3, .period = 2e-3};
  const PulseWave complement{.low = 5., .high = 0., .delay = 1e-3, .width = 1e-3, .period = 2e-3};
  Circuit circuit;
  circuit.source("G", "g", "0", Waveform(drive));
  circuit.source("H", "h", "0", Waveform(complement));
  circuit.source("K", "k", "0", Waveform(drive));
  circuit.source("V", "in", "0", 1.);
  circuit.resistor("RI", "in", "x", 1.);
  circuit.capacitor("C", "x", "0", 1.);
  circuit.idealSwitch("S", "in", "a", Gate::voltage("g", "h", {.closes = 1., .opens = -1.}));
  circuit.idealSwitch("T", "in", "b", Gate::voltage("g", "k", {.closes = 1., .opens = -1.}));
  for (const char* const node : {"g", "h", "k", "a", "b"}) circuit.resistor(std::string("R") + node, node, "0", 1.);
  runBoth(circuit, 0.01, 0.3e-3, [&](double t, const CircuitInstance& c) {
    const double phase = std::fmod(t, 2e-3);
    if (std::min(std::fmod(t, 1e-3), 1e-3 - std::fmod(t, 1e-3)) < 1e-9) return;
    EXPECT_EQ(c.isOn("S"), phase > 1e-3) << "t = " << t;
    EXPECT_FALSE(c.isOn("T")) << "t = " << t;
  });
}

TEST(CircuitGateEventsTest, AGateFollowsAComparatorThatJumpsInTimeSteppingToo) {
  Circuit circuit = comparatorOfSine();
  circuit.source("W", "w", "0", 1.);
  circuit.idealSwitch("S", "w", "x", Gate::voltage("o", "0", {.closes = 3., .opens = 2.}));
  circuit.resistor("Q", "x", "0", 1.);
  runStepping(circuit, 0.1, 1.01e-4, 1.,
              [&](double t, const CircuitInstance& c) { EXPECT_EQ(c.isOn("S"), c.isOn("K")) << "t = " << t; });
}

// The switch holds a current from the start, which an open one would contradict.
TEST(CircuitGateEventsTest, AGateBeginsAsItsVoltageSays) {
  for (const bool isSwapped : {false, true}) {
    Circuit circuit;
    circuit.source("G", "g", "0", SineWave{.amplitude = 0.1, .frequency = 50., .offset = isSwapped ? 0. : 5.});
    circuit.resistor("RG", "g", "0", 1.);
    circuit.idealSwitch("S", "a", "0",
                        Gate::voltage("g", "0", {.closes = isSwapped ? 2. : 3., .opens = isSwapped ? 3. : 2.}));
    circuit.inductor("L", "a", "b", 1e-3, 1.);
    circuit.resistor("R", "b", "0", 1e-3);
    runBoth(circuit, 1e-3, 1e-5, [](double t, const CircuitInstance& c) {
      EXPECT_TRUE(c.isOn("S"));
      EXPECT_NEAR(c.current("L"), std::exp(-t), 1e-5);
    });
  }
}

// Between its thresholds it is as it was told, and a comparator that begins high is so for what it steers.
TEST(CircuitGateEventsTest, AGateOfAComparatorBeginsAsThatOne) {
  Circuit circuit;
  circuit.source("V", "p", "0", SineWave{.amplitude = 0.01, .frequency = 50., .offset = 1.});
  circuit.comparator("K", "p", "0", "o", {.low = 0., .high = 5., .hysteresis = 0.2});
  circuit.resistor("RO", "o", "0", 1.);
  circuit.idealSwitch("S", "a", "0", Gate::voltage("o", "0", {.closes = 3., .opens = 2.}));
  circuit.idealSwitch("T", "a", "0", Gate::voltage("p", "0", {.closes = 2., .opens = 0., .initially = true}),
                      {.onResistance = 1.});
  circuit.inductor("L", "a", "b", 1e-3, 1.);
  circuit.resistor("R", "b", "0", 1e-3);
  NonSmoothDynamicalSystem model(0., 1e-3);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_TRUE(instance.isOn("K"));
  EXPECT_TRUE(instance.isOn("S"));
  EXPECT_TRUE(instance.isOn("T"));
}

// A controller that saturates: pulses of no width, of the whole period, and changes between them.
TEST(CircuitGateEventsTest, PulsesOfAControllerMayHaveNoWidthOrThatOfThePeriod) {
  const double period = 1e-3;
  const std::vector<double> duties{0., 0., 1., 1., 0., 0.3, 1., 0., 0.7, 1.};
  Circuit circuit;
  circuit.source("V", "in", "0", 12.);
  circuit.idealSwitch("S", "in", "x", Gate::switching([=](std::size_t k) {
                        const double duty = duties[(k / 2) % duties.size()];
                        return (static_cast<double>(k / 2) + (k % 2 == 1 ? duty : 0.)) * period;
                      }));
  circuit.diode("D", "0", "x");
  circuit.inductor("L", "x", "o", 1e-4);
  circuit.resistor("R", "o", "0", 1.);
  runBoth(circuit, 0.01, 0.11e-3, [&](double t, const CircuitInstance& c) {
    const double place = std::fmod(t, period) / period;
    const double duty = duties[static_cast<std::size_t>(t / period) % duties.size()];
    if (std::min({place, 1. - place, std::abs(place - duty)}) < 1e-6) return;
    EXPECT_EQ(c.isOn("S"), place < duty) << "t = " << t;
  });
}

// The duty is set at the instant at which the pulse would begin.
TEST(CircuitGateEventsTest, AControllerMaySetADutyOfZeroOrOneAtTheEdge) {
  const double period = 1e-3;
  for (const double set : {0., 1.}) {
    double duty = 0.5;
    Circuit circuit;
    circuit.source("V", "in", "0", 12.);
    circuit.idealSwitch("S", "in", "x", Gate::switching([&](std::size_t k) {
                          return (static_cast<double>(k / 2) + (k % 2 == 1 ? duty : 0.)) * period;
                        }));
    circuit.diode("D", "0", "x");
    circuit.inductor("L", "x", "o", 1e-4);
    circuit.resistor("R", "o", "0", 1.);
    const Prepare control = [&](ClockedSimulation& simulation, CircuitInstance&) {
      duty = 0.5;
      simulation.addSampling("control", TimeDiscretisation(0., period),
                             [&] { duty = simulation.time() < 2.5 * period ? 0.5 : set; });
    };
    runBoth(
        circuit, 0.01, 0.11e-3,
        [&](double t, const CircuitInstance& c) {
          if (t < 4. * period) return;
          EXPECT_EQ(c.isOn("S"), set == 1.) << "t = " << t;
        },
        control);
  }
}

// A leg whose switches look at the output, with the thresholds of one the swapped ones of the other: they change at one
// instant, and the current of the inductor does not break in between.
TEST(CircuitGateEventsTest, SwitchesThatOneVoltageSteersChangeTogether) {
  Circuit circuit;
  circuit.source("V", "in", "0", 12.);
  circuit.idealSwitch("S", "in", "x", Gate::voltage("o", "0", {.closes = 4.9, .opens = 5.1, .initially = true}));
  circuit.idealSwitch("T", "x", "0", Gate::voltage("o", "0", {.closes = 5.1, .opens = 4.9}));
  circuit.inductor("L", "x", "o", 1e-4);
  circuit.capacitor("C", "o", "0", 1e-5);
  circuit.resistor("R", "o", "0", 5.);
  double last = 0.;
  std::size_t changes = 0;
  bool wasOn = true;
  runEvents(circuit, 1e-3, 1e-6, [&](double t, const CircuitInstance& c) {
    EXPECT_NE(c.isOn("S"), c.isOn("T")) << "t = " << t;
    // By at most 12 V for a microsecond.
    EXPECT_LT(std::abs(c.current("L") - last), 0.12 + 1e-9) << "t = " << t;
    last = c.current("L");
    changes += c.isOn("S") != wasOn ? 1U : 0U;
    wasOn = c.isOn("S");
  });
  EXPECT_GT(changes, 5U);
}

// How open switches share the voltage is not determined, and nothing depends on it.
TEST(CircuitGateEventsTest, SwitchesInSeriesMayBeOpenTogether) {
  Circuit circuit;
  circuit.source("V", "in", "0", 10.);
  for (const int k : {1, 2, 3}) {
    const std::string from = k == 1 ? "in" : "m" + std::to_string(k - 1), to = k == 3 ? "o" : "m" + std::to_string(k);
    circuit.idealSwitch("S" + std::to_string(k), from, to,
                        Gate::pulses({.period = 1e-3, .width = (0.2 + 0.1 * k) * 1e-3}));
  }
  circuit.resistor("R", "o", "p", 10.);
  circuit.capacitor("C", "p", "0", 1e-5);
  circuit.resistor("Q", "p", "0", 100.);
  double expected = 0., last = 0.;
  runEvents(circuit, 5e-3, 1e-5, [&](double t, const CircuitInstance& c) {
    // The first switch opens first. While all are closed the conductances of both resistors act.
    const bool isOn = std::fmod(last + 0.5e-5, 1e-3) < 0.3e-3;
    const double rate = isOn ? 0.11e5 : 0.01e5, goal = isOn ? 1000. / 110. : 0.;
    if (t > 0.) expected = goal + (expected - goal) * std::exp(-rate * (t - last));
    last = t;
    EXPECT_NEAR(c.voltage("p"), expected, 1e-9) << "t = " << t;
    if (t == 0. || c.isOn("S1")) return;
    EXPECT_NEAR(c.voltage("in", "o"), 10. - expected, 1e-9) << "t = " << t;
  });
}

// A current that has no way, though it begins at zero.
TEST(CircuitGateEventsTest, SwitchesInSeriesDoNotInterruptACurrentSource) {
  Circuit circuit;
  circuit.source("V", "in", "0", 10.);
  circuit.idealSwitch("S1", "in", "m", false);
  circuit.idealSwitch("S2", "m", "0", false);
  circuit.currentSource("J", "m", "0", sine(1., 50.));
  circuit.resistor("R", "in", "p", 10.);
  circuit.capacitor("C", "p", "0", 1e-5);
  EXPECT_THROW(runEvents(circuit, 5e-3, 1e-5, {}), Error);
}

// A function of instants of the user, none of which comes to the start of the model.
TEST(CircuitGateEventsTest, InstantsThatNeverReachTheStartAreAnError) {
  const auto attach = [](const std::function<double(std::size_t)>& instant) {
    Circuit circuit;
    circuit.source("V", "p", "0", 1.);
    circuit.idealSwitch("S", "p", "q", Gate::switching(instant));
    circuit.resistor("R", "q", "0", 1.);
    NonSmoothDynamicalSystem model(2., 3.);
    CircuitInstance instance = circuit.insertInto(model, "net");
    TimeStepping simulation(model, 0.1, EulerMoreauOSI(1.));
    instance.attach(simulation);
  };
  expectError([&] { attach([](std::size_t) { return 1.5; }); }, {"'S of net'", "instant 1", "1.5"});
  expectError([&] { attach([](std::size_t k) { return 1. - std::ldexp(1., -static_cast<int>(k)); }); },
              {"'S of net'", "does not come after", "t = 1"});
  expectError([&] { attach([](std::size_t) { return std::nan(""); }); }, {"'S of net'", "instant 0", "nan"});
  EXPECT_NO_THROW(attach([](std::size_t k) { return 1e-3 * static_cast<double>(k); }));
}

TEST(CircuitGateEventsTest, AComparatorThatJumpsAcrossACapacitorIsRefused) {
  for (const bool isDivided : {false, true}) {
    Circuit circuit;
    circuit.source("V", "p", "0", sine(1., 50.));
    circuit.comparator("K", "p", "0", "o", {.low = 0., .high = 5., .hysteresis = 0.2});
    circuit.capacitor("C1", "o", isDivided ? "m" : "0", 1e-3);
    if (isDivided) circuit.capacitor("C2", "m", "0", 1e-3);
    circuit.resistor("R", isDivided ? "m" : "o", "0", 1.);
    NonSmoothDynamicalSystem model(0., 1.);
    EXPECT_THROW(circuit.insertInto(model, "net"), Error);
  }
}

}  // namespace
