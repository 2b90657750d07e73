// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator that drives a load through a bridge of four ideal diodes. The circuit is
// diode_bridge.cir; see README.md for the equations.
//
//     diode_bridge
//     diode_bridge --step 1e-7 --output results/fine
//     diode_bridge --resistance 40 --end 1e-3 --output results/overdamped

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/CircuitExample.hpp"
#include "ParallelCircuit.hpp"

using namespace delassus;

namespace {

void simulate(const CircuitExample& example) {
  // 1. The circuit, and its run.
  NonSmoothDynamicalSystem model(0., example.run.end);
  CircuitInstance circuit = example.circuit().insertInto(model, "bridge");
  TimeStepping simulation(model, example.run.step, EulerMoreauOSI(example.run.theta));
  circuit.attach(simulation);
  simulation.initialise();

  // 2. Beside it the exact solution: for the oscillator the bridge is the load itself.
  const ParallelCircuit oscillator{.inductance = example["l"], .capacitance = example["c"]};
  const ParallelCircuit::State start{example["v0"], example["i0"]};
  const double G = 1. / example["r"];
  TableWriter table(example.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v load [V]", "i D1 [A]", "i D2 [A]", "v D1 [V]", "v D2 [V]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const double v = circuit.voltage("a"), i = circuit.current("L1"), load = circuit.voltage("R1");
    const double first = circuit.current("D1"), second = circuit.current("D2");
    table.writeRow({simulation.time(), v, i, load, first, second, -circuit.voltage("D1"), -circuit.voltage("D2")});
    const ParallelCircuit::State exact = oscillator.flow(start, simulation.time(), G);
    voltageError = std::max({voltageError, std::abs(v - exact[0]), std::abs(load - std::abs(exact[0]))});
    currentError = std::max({currentError, std::abs(i - exact[1]), std::abs(first - G * std::max(exact[0], 0.)),
                             std::abs(second - G * std::max(-exact[0], 0.))});
  };
  ExampleRun run(example.run, simulation);
  run.keep(table);
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record);

  // 3. What is known of the solution.
  std::printf("Largest errors against the exact solution: %.2e V (oscillator, load), %.2e A (inductor, diodes)\n",
              voltageError, currentError);
}

}  // namespace

int main(int argc, char** argv) {
  return runCircuitExample(argc, argv, "diode_bridge", 0.5,
                           {{"--inductance", "l", "Inductance L, H"},
                            {"--capacitance", "c", "Capacitance C, F"},
                            {"--resistance", "r", "Resistance R of the load, Ohm"},
                            {"--voltage", "v0", "Initial voltage x1, V", false},
                            {"--current", "i0", "Initial current x2 of the inductor, A", false}},
                           simulate);
}
