// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator that drives a load through a bridge of four ideal diodes. See README.md for the equations.
//
//     diode_bridge
//     diode_bridge --step 1e-7 --output results/fine
//     diode_bridge --resistance 40 --end 1e-3 --output results/overdamped

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>

#include "../support/ExampleRun.hpp"
#include "BridgeCircuit.hpp"

using namespace delassus;

namespace {

struct Options {
  ParallelCircuit circuit;
  double resistance = 1e3;
  double voltage = 10.;
  double current = 0.;
  RunOptions run{.step = 1e-6, .end = 5e-3, .theta = 0.5, .output = "diode_bridge"};
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The circuit: the oscillator between node a and ground, the bridge from there to p and n, the load between these.
  CircuitInstance circuit =
      makeBridgeCircuit(o.circuit, o.resistance, o.voltage, o.current).insertInto(model, "bridge");

  // 2. The run, beside the exact solution: for the oscillator the bridge is the load itself.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  circuit.attach(simulation);
  simulation.initialise();
  const double G = 1. / o.resistance;
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v load [V]", "i D1 [A]", "i D2 [A]", "v D1 [V]", "v D2 [V]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const double v = circuit.voltage("C"), i = circuit.current("L"), load = circuit.voltage("R");
    const double first = circuit.current("D1"), second = circuit.current("D2");
    table.writeRow({simulation.time(), v, i, load, first, second, -circuit.voltage("D1"), -circuit.voltage("D2")});
    const ParallelCircuit::State exact = o.circuit.flow({o.voltage, o.current}, simulation.time(), G);
    voltageError = std::max({voltageError, std::abs(v - exact[0]), std::abs(load - std::abs(exact[0]))});
    currentError = std::max({currentError, std::abs(i - exact[1]), std::abs(first - G * std::max(exact[0], 0.)),
                             std::abs(second - G * std::max(-exact[0], 0.))});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record);

  // 3. What is known of the solution.
  std::printf("Largest errors against the exact solution: %.2e V (oscillator, load), %.2e A (inductor, diodes)\n",
              voltageError, currentError);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--inductance", o.circuit.inductance, "Inductance L, H").positive();
    line.add("--capacitance", o.circuit.capacitance, "Capacitance C, F").positive();
    line.add("--resistance", o.resistance, "Resistance R of the load, Ohm").positive();
    line.add("--voltage", o.voltage, "Initial voltage x1, V");
    line.add("--current", o.current, "Initial current x2 of the inductor, A");
  };
  return runExample(argc, argv, "A bridge of four ideal diodes driven by an LC oscillator (Euler-Moreau time stepping)",
                    o.run, options, [&] { simulate(o); });
}
