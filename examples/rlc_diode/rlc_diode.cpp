// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator with a diode and a resistor across it, the smallest circuit with a law: it is damped in one half
// wave and free in the other. See README.md for the equations.
//
//     rlc_diode
//     rlc_diode --step 1e-7 --theta 1 --output results/fine
//     rlc_diode --resistance 20 --output results/strong

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>

#include "../diode_bridge/BridgeCircuit.hpp"
#include "../support/ExampleRun.hpp"
#include "ExactRlcDiode.hpp"

using namespace delassus;

namespace {

struct Options {
  ParallelCircuit circuit;
  double resistance = 1e3;
  double voltage = 10.;
  double current = 0.;
  RunOptions run{.step = 1e-6, .end = 5e-3, .theta = 0.5, .output = "rlc_diode"};
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The circuit: the oscillator between node a and ground, and across it a diode with a resistor.
  Circuit elements = makeOscillator(o.circuit, o.voltage, o.current);
  elements.diode("D", "a", "b");
  elements.resistor("R", "b", "0", o.resistance);
  CircuitInstance circuit = elements.insertInto(model, "oscillator");

  // 2. The run, beside the exact solution.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  circuit.attach(simulation);
  simulation.initialise();
  ExactRlcDiode exact(o.circuit, o.resistance, {o.voltage, o.current});
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v diode [V]", "i diode [A]", "x1 exact [V]", "x2 exact [A]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const double v = circuit.voltage("C"), i = circuit.current("L"), diode = circuit.current("D");
    table.writeRow({simulation.time(), v, i, -circuit.voltage("D"), diode, exact.x()[0], exact.x()[1]});
    voltageError = std::max(voltageError, std::abs(v - exact.x()[0]));
    currentError = std::max({currentError, std::abs(i - exact.x()[1]), std::abs(diode - exact.diodeCurrent())});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("exact", [&](StateArchive& archive) { exact.serializeState(archive); });
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record, [&] {
    exact.advance(o.run.step);
    record();
  });

  // 3. What is known of the solution.
  std::printf("%zu switchings of the diode; largest errors %.2e V (capacitor), %.2e A (inductor, diode)\n",
              exact.switchings(), voltageError, currentError);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--inductance", o.circuit.inductance, "Inductance L, H").positive();
    line.add("--capacitance", o.circuit.capacitance, "Capacitance C, F").positive();
    line.add("--resistance", o.resistance, "Resistance R, Ohm").positive();
    line.add("--voltage", o.voltage, "Initial voltage x1, V");
    line.add("--current", o.current, "Initial current x2 of the inductor, A");
  };
  return runExample(argc, argv, "An LC oscillator with a diode and a resistor across it (Euler-Moreau time stepping)",
                    o.run, options, [&] { simulate(o); });
}
