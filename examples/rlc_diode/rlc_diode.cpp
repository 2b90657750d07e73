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

  const double c = 1. / o.circuit.capacitance;

  // 1. The system: the voltage of the capacitor and the current of the inductor.
  const auto oscillator = model.insert(
      "oscillator", std::make_shared<FirstOrderLinearTIDS>(makeVector({o.voltage, o.current}),
                                                           makeMatrix({{0., -c}, {1. / o.circuit.inductance, 0.}})));

  // 2. The diode: its reverse voltage y = −x₁ + R λ and its current λ, which the capacitor gives.
  const auto diode = model.link(
      "diode", ComplementarityConditionNSL(),
      FirstOrderLinearTIR(makeMatrix({{-1., 0.}}), makeMatrix({{o.resistance}}), makeMatrix({{-c}, {0.}})), oscillator);

  // 3. The run, beside the exact solution.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  simulation.initialise();
  ExactRlcDiode exact(o.circuit, o.resistance, {o.voltage, o.current});
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v diode [V]", "i diode [A]", "x1 exact [V]", "x2 exact [A]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const Vector& x = oscillator->x();
    const double current = diode->lambda(0)(0);
    table.writeRow({simulation.time(), x(0), x(1), diode->y(0)(0), current, exact.x()[0], exact.x()[1]});
    voltageError = std::max(voltageError, std::abs(x(0) - exact.x()[0]));
    currentError = std::max({currentError, std::abs(x(1) - exact.x()[1]), std::abs(current - exact.diodeCurrent())});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("exact", [&](StateArchive& archive) { exact.serializeState(archive); });
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record, [&] {
    exact.advance(o.run.step);
    record();
  });

  // 4. What is known of the solution.
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
