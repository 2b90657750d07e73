// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs of circuits in which some voltage or current is zero whatever happens: what is left of it by
// rounding, however small, must not decide what diodes and switches do.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
#include <support/CircuitRuns.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

Gate pulses(double period, double width, double delay) {
  return Gate::pulses({.period = period, .width = width, .delay = delay});
}

Circuit supply(double amplitude, double frequency, double resistance) {
  Circuit circuit;
  circuit.source("V", "s", "0", sine(amplitude, frequency));
  circuit.resistor("R0", "s", "n1", resistance);
  return circuit;
}

// Currents of the supply at instants at which nothing switches. Without states a step of time stepping has no error.
std::vector<double> supplyCurrents(const Circuit& circuit, bool byEvents) {
  constexpr double end = 8.03, h = 0.011;
  std::vector<double> currents;
  const auto note = [&](double, const CircuitInstance& c) { currents.push_back(c.current("R0")); };
  if (byEvents) {
    runEvents(circuit, end, h, note);
  } else {
    runStepping(circuit, end, h, 1., note);
  }
  return currents;
}

void expectTheCurrentsOfSteps(const Circuit& circuit) {
  const std::vector<double> events = supplyCurrents(circuit, true), steps = supplyCurrents(circuit, false);
  ASSERT_EQ(events.size(), steps.size());
  for (std::size_t k = 0; k < events.size(); ++k) EXPECT_NEAR(events[k], steps[k], 1e-9) << k;
}

// Two transformers that contradict each other but at zero short a node, and with it the supply.
TEST(CircuitZeros, NothingIsLeftOfAVoltageThatTransformersHoldAtZero) {
  Circuit circuit = supply(0.678, 0.153, 0.221);
  circuit.transformer("T1", "n1", "0", "n2", "0", -1.0672072703889257);
  circuit.diode("D1", "0", "n2", {.threshold = 0.238, .resistance = 0.016});
  circuit.diode("D2", "n2", "0");
  circuit.transformer("T2", "n2", "n1", "n2", "0", -1.9701335959598711);
  circuit.resistor("R", "0", "n1", 1.056);
  runEvents(circuit, 8., 0.11, [&](double t, const CircuitInstance& c) {
    const double v = 0.678 * std::sin(2. * std::numbers::pi * 0.153 * t);
    EXPECT_NEAR(c.current("R0"), v / 0.221, 1e-12);
    EXPECT_NEAR(c.voltage("n2"), 0., 1e-14);
  });
}

TEST(CircuitZeros, SwitchesInALoopThatATransformerLeavesWithoutACurrent) {
  Circuit circuit = supply(2.5055490106396689, 0.25816704215557496, 0.98241303788798473);
  circuit.idealSwitch("S1", "n3", "n2", pulses(2.1146429764661265, 0.2772126207581036, 0.41224631939170242));
  circuit.idealSwitch("S2", "n1", "n2", pulses(0.67024990298060128, 0.57140413403623957, 0.79228071747176887));
  circuit.transformer("T", "n2", "n1", "0", "n3", -1.1054215169888406);
  expectTheCurrentsOfSteps(circuit);
}

TEST(CircuitZeros, OutputsThatFollowMultipliersFromAnotherMode) {
  Circuit circuit = supply(1.609334768013666, 0.23732970448697976, 0.77753565930475532);
  circuit.idealSwitch("S1", "n2", "0", pulses(1.4224159922484307, 0.25877841054467315, 0.82270030110384818),
                      {.onResistance = .05, .offResistance = 1e3});
  circuit.transformer("T1", "n1", "n3", "n4", "n1", -0.60587088599751482);
  circuit.resistor("R", "n4", "n1", 0.76870732132306907);
  circuit.thyristor("Q", "n3", "n1", pulses(0.54430106357989305, 0.16575644976445536, 0.6013496615789552),
                    {.resistance = 0.1});
  circuit.diode("D", "n2", "n1");
  circuit.transformer("T2", "n2", "n4", "n4", "n2", -1.0196050140532591);
  circuit.idealSwitch("S2", "n1", "n4", pulses(1.3987486454540958, 1.0845725579918912, 0.22032208265730349));
  expectTheCurrentsOfSteps(circuit);
}

TEST(CircuitZeros, CurrentsThatAnotherDiodeLeavesAtZero) {
  Circuit circuit = supply(0.77171023686308959, 0.34730894145553892, 0.18108448812376338);
  circuit.diode("D1", "n1", "n2");
  circuit.igbt("Q1", "0", "n2", pulses(2.9909862953711444, 1.145126754804765, 0.32132854340523631),
               {.threshold = .2, .onResistance = .1});
  circuit.transformer("T", "0", "n3", "0", "n1", -1.7186196122191213);
  circuit.thyristor("Q2", "n1", "0", pulses(2.8398426271421324, 1.2906058348508904, 0.6246375217758483),
                    {.resistance = 0});
  circuit.diode("D2", "n3", "n2");
  expectTheCurrentsOfSteps(circuit);
}

TEST(CircuitZeros, OutputsOfWhichOneIsAMultipleOfAnother) {
  Circuit circuit = supply(0.69310952983454466, 0.10006031735145686, 0.59320718006434914);
  circuit.resistor("R", "n2", "0", 0.99068873611931318);
  circuit.diode("D1", "n2", "n4", {.threshold = 0.40874174178577138, .resistance = 0.017543175995585136});
  circuit.diode("D2", "n3", "n4");
  circuit.zener("Z1", "n4", "0", {.breakdown = 0.75627246940866377, .threshold = 0.29751042565531116, .resistance = 0});
  circuit.transformer("T", "0", "n3", "0", "n4", 0.55532120037487098);
  circuit.zener("Z2", "n1", "n4",
                {.breakdown = 0.84049587745682752, .threshold = 0.19461721741572274, .resistance = 0.1});
  circuit.igbt("Q", "n1", "n2", pulses(2.5057133447883153, 2.1688328836845359, 0.74541888094757314),
               {.threshold = .2, .onResistance = .1});
  expectTheCurrentsOfSteps(circuit);
}

// A capacitor that a diode keeps at zero half of the time, and another one after two resistors in parallel, or one.
Circuit clampedNode(int k, bool isOneResistor) {
  Circuit circuit = supply(1.5 + 0.01 * k, 0.1 + 0.0037 * k, 0.2 + 0.017 * k);
  const double first = 0.3 + 0.023 * k, second = 0.9;
  circuit.capacitor("C", "n1", "0", 0.2 + 0.011 * k);
  circuit.diode("D1", "n1", "0");
  circuit.resistor("R1", "n1", "n2", isOneResistor ? 1. / (1. / first + 1. / second) : first);
  if (!isOneResistor) circuit.resistor("R2", "n2", "n1", second);
  circuit.idealSwitch("S", "n2", "n1", pulses(1.2646, 0.406, 0.52));
  circuit.diode("D2", "0", "n2");
  return circuit;
}

TEST(CircuitZeros, ResistorsInParallelAreLikeOneBehindACapacitorThatIsClamped) {
  for (int k = 0; k < 6; ++k) {
    std::vector<double> voltages;
    runEvents(clampedNode(k, true), 20., 0.1, [&](double, const auto& c) { voltages.push_back(c.voltage("n1")); });
    std::size_t next = 0;
    runEvents(clampedNode(k, false), 20., 0.1,
              [&](double t, const auto& c) { EXPECT_NEAR(c.voltage("n1"), voltages[next++], 1e-9) << k << ", " << t; });
  }
}

// All switches between the nodes n2 and n3 block, and so does the diode to ground: nothing but the edge of a zener's
// curve says how much each of them blocks.
TEST(CircuitZeros, VoltagesThatAPartAtTheEdgeOfConductingLimits) {
  Circuit circuit = supply(4.4880020037543327, 0.49484215268376175, 0.35945852543114704);
  circuit.diode("D", "n2", "0");
  circuit.zener("Z1", "n1", "n2",
                {.breakdown = 0.55107458448859259, .threshold = 0.16608434632231689, .resistance = 0});
  circuit.igbt("Q1", "n1", "n3", pulses(1.2945406953705536, 1.0325317694120522, 0.23263292077603853),
               {.threshold = .2, .onResistance = .1});
  circuit.zener("Z2", "n2", "n3", {.breakdown = 1.0642949959261796, .threshold = 0.41319932933721304, .resistance = 0});
  circuit.thyristor("Q2", "n3", "n2", pulses(1.2881567493037243, 0.42078621587210913, 0.38495262827100402),
                    {.resistance = 0});
  expectTheCurrentsOfSteps(circuit);
}

// Two equal diodes beside a zener and a transistor that blocks, at whose voltage a capacitor ends.
TEST(CircuitZeros, EqualDiodesAtTheEdgeOfConductingLimitAVoltageTogether) {
  Circuit circuit = supply(0.93542966098881553, 0.33866634109481125, 0.11136534432174956);
  circuit.inductor("L", "n1", "n4", 0.88712559100759691);
  circuit.thyristor("Q1", "n3", "n1", pulses(1.186892658027626, 0.17528059566584805, 0.22161525720225872),
                    {.resistance = 0.1});
  circuit.zener("Z", "n3", "n2",
                {.breakdown = 1.3804262017353666, .threshold = 0.39284635520729511, .resistance = 0.1});
  circuit.mosfet("Q2", "0", "n2", pulses(1.1593879935896318, 0.4049936517430241, 0.11684120117108311),
                 {.onResistance = 0, .diodeThreshold = 0.3});
  circuit.diode("D1", "0", "n1");
  circuit.diode("D2", "n3", "n2");
  circuit.diode("D3", "n4", "n1");
  circuit.diode("D4", "n3", "n2");
  circuit.capacitor("C", "n4", "n2", 0.11820681162281062);
  constexpr double end = 8., h = 1e-3;
  double exact = 0., coarse = 0., fine = 0.;
  const auto into = [](double& value) {
    return [&value](double, const CircuitInstance& c) { value = c.current("L"); };
  };
  runEvents(circuit, end, 0.11, into(exact));
  runStepping(circuit, end, h, 1., into(coarse));
  runStepping(circuit, end, 0.5 * h, 1., into(fine));
  // By Richardson's extrapolation.
  EXPECT_NEAR(exact, 2. * fine - coarse, 1e-4);
  EXPECT_NEAR(exact, fine, 1e-3);
}

}  // namespace
