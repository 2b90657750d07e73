// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator with a diode and a resistor across it, the smallest circuit with a law: it is damped in one half
// wave and free in the other. The circuit is rlc_diode.cir; see README.md for the equations.
//
//     rlc_diode
//     rlc_diode --step 1e-7 --theta 1 --output results/fine
//     rlc_diode --resistance 20 --output results/strong

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/CircuitExample.hpp"
#include "ExactRlcDiode.hpp"

using namespace delassus;

namespace {

void simulate(const CircuitExample& example) {
  // 1. The circuit, and its run.
  NonSmoothDynamicalSystem model(0., example.run.end);
  CircuitInstance circuit = example.circuit().insertInto(model, "oscillator");
  TimeStepping simulation(model, example.run.step, EulerMoreauOSI(example.run.theta));
  circuit.attach(simulation);
  simulation.initialise();

  // 2. Beside it the exact solution.
  ExactRlcDiode exact({.inductance = example["l"], .capacitance = example["c"]}, example["r"],
                      {example["v0"], example["i0"]});
  TableWriter table(example.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v diode [V]", "i diode [A]", "x1 exact [V]", "x2 exact [A]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const double v = circuit.voltage("a"), i = circuit.current("L1"), diode = circuit.current("D1");
    table.writeRow({simulation.time(), v, i, -circuit.voltage("D1"), diode, exact.x()[0], exact.x()[1]});
    voltageError = std::max(voltageError, std::abs(v - exact.x()[0]));
    currentError = std::max({currentError, std::abs(i - exact.x()[1]), std::abs(diode - exact.diodeCurrent())});
  };
  ExampleRun run(example.run, simulation);
  run.keep(table);
  run.keep("exact", [&](StateArchive& archive) { exact.serializeState(archive); });
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record, [&] {
    exact.advance(example.run.step);
    record();
  });

  // 3. What is known of the solution.
  std::printf("%zu switchings of the diode; largest errors %.2e V (capacitor), %.2e A (inductor, diode)\n",
              exact.switchings(), voltageError, currentError);
}

}  // namespace

int main(int argc, char** argv) {
  return runCircuitExample(argc, argv, "rlc_diode", 0.5,
                           {{"--inductance", "l", "Inductance L, H"},
                            {"--capacitance", "c", "Capacitance C, F"},
                            {"--resistance", "r", "Resistance R, Ohm"},
                            {"--voltage", "v0", "Initial voltage x1, V", false},
                            {"--current", "i0", "Initial current x2 of the inductor, A", false}},
                           simulate);
}
