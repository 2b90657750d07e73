// SPDX-License-Identifier: Apache-2.0
//
// Amplifiers with limits and positive feedback, which have several branches: hysteresis, and oscillation.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <string>
#include <support/CircuitRuns.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double rail = 12., R1 = 1e3, R2 = 3e3, feedback = R1 / (R1 + R2);

// The output falls where the input gets above `feedback` · rail, and rises below the negative of that.
Circuit makeTrigger(double period, double amplitude) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(amplitude, 1. / period));
  circuit.opAmp("A", "p", "in", "out", {-rail, rail});
  circuit.resistor("R1", "p", "0", R1);
  circuit.resistor("R2", "out", "p", R2);
  return circuit;
}

// Times at which the output changes from one limit to the other; it is at a limit always.
AtOutput recordSwitchings(std::vector<double>& times) {
  return [&times, last = 0.](double t, const CircuitInstance& c) mutable {
    const double out = c.voltage("out");
    EXPECT_NEAR(std::abs(out), rail, 1e-9 * rail) << t;
    if (out * last < 0.) times.push_back(t);
    last = out;
  };
}

TEST(CircuitTriggers, SwitchAtTheirThresholdsInBothKindsOfRuns) {
  const double period = 0.02, amplitude = 10., end = 0.1;
  const double first = std::asin(feedback * rail / amplitude) * period / (2. * 3.14159265358979323846);
  const auto check = [&](const std::vector<double>& times, double h) {
    ASSERT_GE(times.size(), 9U);
    // A trigger may begin on either branch.
    const double begin = times.front() < 0.25 * period ? first : first + 0.5 * period;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double exact = begin + 0.5 * period * static_cast<double>(k);
      EXPECT_GE(times[k], exact - 1e-9) << k;
      EXPECT_LE(times[k], exact + 1.001 * h) << k;
    }
  };
  for (const double h : {7.3e-4, 1e-4, 1.1e-5}) {
    std::vector<double> times;
    runStepping(makeTrigger(period, amplitude), end, h, 1., recordSwitchings(times));
    check(times, h);
  }
  std::vector<double> times;
  runEvents(makeTrigger(period, amplitude), end, 1e-4, recordSwitchings(times));
  check(times, 1e-4);
}

// Two that nothing connects, and a third that sees the outputs of both: none moves where another one switches.
TEST(CircuitTriggers, SeveralAreSwitchedOneByOne) {
  const double end = 0.1, h = 1e-5;
  Circuit circuit;
  const auto add = [&](const std::string& name, const std::string& input, double ratio) {
    circuit.opAmp(name, "p" + name, input, "out" + name, {-rail, rail});
    circuit.resistor("R1" + name, "p" + name, "0", ratio);
    circuit.resistor("R2" + name, "out" + name, "p" + name, 1.);
  };
  circuit.source("V", "a", "0", sine(10., 50.));
  circuit.source("W", "b", "0", sine(9., 81.));
  add("A", "a", 0.4);
  add("B", "b", 0.7);
  circuit.resistor("S1", "outA", "c", 1.);
  circuit.resistor("S2", "outB", "c", 1.4);
  add("C", "c", 0.5);
  double a = 0., b = 0., c = 0.;
  std::size_t switchings = 0;
  runStepping(circuit, end, h, 1., [&](double t, const CircuitInstance& i) {
    const auto follow = [&](double& out, const char* name, double input, double ratio) {
      const double threshold = ratio / (1. + ratio) * out;
      if (out == 0.) {
        out = i.voltage(name);  // either branch, at the start
      } else if ((input - threshold) * out > 0.) {
        out = -out;
        ++switchings;
      }
      EXPECT_NEAR(i.voltage(name), out, 1e-9 * rail) << name << " at " << t;
    };
    follow(a, "outA", i.voltage("a"), 0.4);
    follow(b, "outB", i.voltage("b"), 0.7);
    follow(c, "outC", i.voltage("c"), 0.5);
  });
  EXPECT_GT(switchings, 20U);
}

// The capacitor is loaded from −feedback · rail to feedback · rail, towards the rail, and back.
TEST(CircuitTriggers, AnOscillatorOfOneHasItsPeriod) {
  const double R = 1e4, C = 1e-7, exact = 2. * R * C * std::log((1. + feedback) / (1. - feedback));
  Circuit circuit;
  circuit.opAmp("A", "p", "m", "out", {-rail, rail});
  circuit.resistor("R1", "p", "0", R1);
  circuit.resistor("R2", "out", "p", R2);
  circuit.resistor("R", "out", "m", R);
  circuit.capacitor("C", "m", "0", C, 0.1);
  const auto periodOf = [](const std::vector<double>& times) {
    const std::size_t count = (times.size() - 1) / 2;
    return (times[2 * count] - times[0]) / static_cast<double>(count);
  };
  double coarse = 0.;
  for (const double h : {1e-5, 1e-6}) {
    std::vector<double> times;
    runStepping(circuit, 200. * exact, h, 1., recordSwitchings(times));
    ASSERT_GT(times.size(), 300U);
    const double error = std::abs(periodOf(times) - exact);
    EXPECT_LT(error, 4. * h);
    if (h == 1e-6) {
      EXPECT_LT(error, 0.2 * coarse);
    }
    coarse = error;
  }
  std::vector<double> times;
  NonSmoothDynamicalSystem model(0., 5. * exact);
  CircuitInstance instance = circuit.insertInto(model, "oscillator");
  EventDriven simulation(model, TimeDiscretisation(0., 1e-2 * exact));
  instance.attach(simulation);
  simulation.run();
  for (const Event& event : simulation.events()) times.push_back(event.t);
  ASSERT_GE(times.size(), 8U);
  EXPECT_NEAR(periodOf(times), exact, 1e-7 * exact);
}

// A relaxation oscillator with T/2 = R C ln 2, beside a rectifier that it has nothing to do with. Events of its diodes
// made the trigger flip: 27 of 42 half periods were wrong.
TEST(CircuitTriggers, KeepTheirBranchesAtEventsOfOtherElements) {
  const double R = 10e3, C = 10e-9, half = R * C * std::log(2.), end = 2e-3, h = 1e-6;
  for (const bool isBeside : {false, true}) {
    Circuit circuit;
    circuit.opAmp("X", "p", "m", "out", {-5., 5.});
    circuit.resistor("R1", "out", "p", 20e3);
    circuit.resistor("R2", "p", "0", 10e3);
    circuit.resistor("R3", "out", "m", R);
    circuit.capacitor("C", "m", "0", C, 0.1);
    if (isBeside) {
      circuit.source("V", "in", "0", sine(10., 7e3));
      circuit.diode("D1", "in", "a");
      circuit.resistor("R4", "a", "b", 10.);
      circuit.capacitor("C4", "b", "0", 1e-6);
      circuit.resistor("R5", "b", "0", 1e3);
      circuit.diode("D2", "in", "c");
      circuit.resistor("R6", "c", "0", 1e3);
    }
    std::vector<double> times;
    runEvents(circuit, end, h, [&times, last = 0.](double t, const CircuitInstance& c) mutable {
      const double out = c.voltage("out");
      if (out * last < 0.) times.push_back(t);
      last = out;
    });
    ASSERT_EQ(times.size(), 29U);
    // Recorded at outputs, which are h apart.
    for (std::size_t k = 1; k < times.size(); ++k) EXPECT_NEAR(times[k] - times[k - 1], half, 1.001 * h) << k;
  }
}

// Each room has a heater of its own, on below 18 and off above 22; T is an exponential towards 30 or 10 in between.
TEST(CircuitTriggers, ThermostatsOfSeveralRoomsDoNotKnowOfEachOther) {
  const double end = 6.;
  for (const std::size_t rooms : {1u, 2u, 5u}) {
    NonSmoothDynamicalSystem model(0., end);
    std::vector<std::shared_ptr<FirstOrderLinearTIDS>> room(rooms);
    std::vector<double> rate(rooms);
    for (std::size_t k = 0; k < rooms; ++k) {
      rate[k] = 0.7 + 0.17 * static_cast<double>(k);
      room[k] = std::make_shared<FirstOrderLinearTIDS>(Vector{k % 2 == 1 ? 24. : 15.}, makeMatrix({{-rate[k]}}),
                                                       Vector{10. * rate[k]});
      model.insert(room[k]);
      FirstOrderLinearTIR heater(makeMatrix({{1.}}), makeMatrix({{-4.}}), makeMatrix({{20. * rate[k]}}));
      heater.setE(Vector{-18.});
      model.link("heater " + std::to_string(k), RelayNSL(1, 0., 1.), heater, room[k]);
    }
    EventDriven simulation(model, 0.5);
    simulation.run();
    for (std::size_t k = 0; k < rooms; ++k) {
      bool isOn = k % 2 == 1;  // after the first switching
      double t = std::log(isOn ? 14. / 8. : 15. / 8.) / rate[k], T = isOn ? 18. : 22.;
      for (const double phase = std::log(12. / 8.) / rate[k]; t + phase <= end; t += phase, isOn = !isOn) {
        T = isOn ? 22. : 18.;
      }
      const double towards = isOn ? 30. : 10.;
      EXPECT_NEAR(room[k]->x()(0), towards + (T - towards) * std::exp(-rate[k] * (end - t)), 1e-6)
          << "room " << k << " of " << rooms;
    }
  }
}

}  // namespace
