// SPDX-License-Identifier: Apache-2.0
//
// A run of a circuit that is restored in its middle goes on to the same bits: gates, latches, pieces of sources.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <filesystem>
#include <string>
#include <support/Circuits.hpp>
#include <support/Matchers.hpp>
#include <vector>

#include <unistd.h>

namespace {

using namespace delassus;

// A thyristor that is latched beyond its pulse, a switch of pulses, one with hysteresis, a source that jumps, and a
// switch that joins two capacitors, whose voltages jump.
Circuit makeCircuit() {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(10., 50.));
  circuit.thyristor("T", "in", "a", Gate::pulses({.period = 0.02, .width = 1e-3, .delay = 2e-3}));
  circuit.resistor("R", "a", "b", 1.);
  circuit.inductor("L", "b", "0", 5e-3);
  circuit.source("P", "p", "0", Waveform(PulseWave{.high = 5., .width = 1.3e-3, .period = 3.1e-3}));
  circuit.resistor("RP", "p", "q", 10.);
  circuit.capacitor("C", "q", "0", 1e-4);
  circuit.idealSwitch("S", "q", "r", Gate::pulses({.period = 1.7e-3, .width = 0.4e-3}));
  circuit.resistor("RS", "r", "0", 20.);
  circuit.idealSwitch("H", "q", "s", Gate::voltage("q", "0", {.closes = 2.5, .opens = 1.}));
  circuit.resistor("RH", "s", "0", 5.);
  circuit.idealSwitch("J", "q", "w", Gate::pulses({.period = 2.3e-3, .width = 0.5e-3}));
  circuit.capacitor("CW", "w", "0", 1e-5);
  circuit.resistor("RW", "w", "0", 50.);
  return circuit;
}

template <class Simulation>
struct Restarted {
  NonSmoothDynamicalSystem model{0., 0.04};
  CircuitInstance instance = makeCircuit().insertInto(model, "circuit");
  Simulation simulation{model, TimeDiscretisation(0., 1e-4)};
  Restarted() { instance.attach(simulation); }
  double sum() const {
    return instance.voltage("q") + instance.current("L") + instance.voltage("H") + instance.current("S") +
           instance.voltage("w");
  }
};

template <class Simulation>
void expectSameBits() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("circuit_restart_" + std::to_string(getpid()) + ".checkpoint");
  Restarted<Simulation> whole, half, rest;
  std::vector<double> values;
  bool wasLatched = false;
  whole.simulation.run([&] { values.push_back(whole.sum()); });
  const std::size_t steps = 47;  // 4.7 ms: the thyristor conducts, its gate is off
  for (std::size_t k = 0; k < steps; ++k) half.simulation.step();
  wasLatched = half.instance.isOn("T") && half.instance.current("T") > 0.;
  EXPECT_TRUE(wasLatched);
  saveCheckpoint(half.simulation, path);
  restoreCheckpoint(rest.simulation, path);
  EXPECT_TRUE(rest.instance.isOn("T"));
  for (std::size_t k = steps; rest.simulation.hasNextStep(); ++k) {
    rest.simulation.step();
    EXPECT_EQ(rest.sum(), values[k]) << k;
  }
  std::filesystem::remove(path);
}

TEST(CircuitRestartTest, TimeSteppingGoesOnToTheSameBits) {
  expectSameBits<TimeStepping>();
}

TEST(CircuitRestartTest, EventDrivenRunsGoOnToTheSameBits) {
  expectSameBits<EventDriven>();
}

// A line whose diodes see a sparse system by columns that end, and a ladder that is cut into parts.
TEST(CircuitRestartTest, LargeCircuitsGoOnToTheSameBits) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("large_restart_" + std::to_string(getpid()) + ".checkpoint");
  for (const Circuit& circuit : {test::makeClampedLine(100, 1.), test::makeDiodeLadder(100)}) {
    std::vector<Vector> states[2];
    for (const bool isRestored : {false, true}) {
      NonSmoothDynamicalSystem model(0., 4.);
      CircuitInstance instance = circuit.insertInto(model, "circuit");
      TimeStepping simulation(model, TimeDiscretisation(0., 0.02), EulerMoreauOSI(0.5));
      instance.attach(simulation);
      if (isRestored) restoreCheckpoint(simulation, path);
      while (simulation.hasNextStep()) {
        simulation.step();
        if (simulation.stepIndex() == 100) saveCheckpoint(simulation, path);
        if (simulation.stepIndex() > 100) states[isRestored ? 1 : 0].push_back(instance.state());
      }
    }
    ASSERT_EQ(states[0].size(), 100U);
    ASSERT_EQ(states[1].size(), 100U);
    for (std::size_t k = 0; k < states[0].size(); ++k) test::expectNear(states[1][k], states[0][k], 0.);
  }
  std::filesystem::remove(path);
}

}  // namespace
