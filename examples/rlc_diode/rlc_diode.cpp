// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator with a diode and a resistor across it, the smallest circuit with a law: it is damped in one half
// wave and free in the other. See README.md for the equations.
//
//     rlc_diode
//     rlc_diode --step 1e-7 --theta 1 --output results/fine
//     rlc_diode --resistance 20 --output results/strong

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "../support/ExampleRun.hpp"
#include "../support/NumberChecks.hpp"
#include "ExactRlcDiode.hpp"

using namespace delassus;

namespace {

struct Options {
  ParallelCircuit circuit;
  double resistance = 1e3;
  double voltage = 10.;
  double current = 0.;
  double step = 1e-6;
  double end = 5e-3;
  double theta = 0.5;
  std::string output = "rlc_diode";
  RunOptions run;
};

void simulate(const Options& o) {
  const double c = 1. / o.circuit.capacitance;

  // 1. The system: the voltage of the capacitor and the current of the inductor.
  const auto oscillator = std::make_shared<FirstOrderLinearTIDS>(
      makeVector({o.voltage, o.current}), makeMatrix({{0., -c}, {1. / o.circuit.inductance, 0.}}));
  oscillator->setName("oscillator");

  // 2. The diode: its reverse voltage y = −x₁ + R λ and its current λ, which the capacitor gives.
  const auto diode = std::make_shared<Interaction>(
      ComplementarityConditionNSL(),
      FirstOrderLinearTIR(makeMatrix({{-1., 0.}}), makeMatrix({{o.resistance}}), makeMatrix({{-c}, {0.}})));
  diode->setName("diode");

  // 3. The model.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(oscillator);
  model.link(diode, oscillator);

  // 4. The run, beside the exact solution.
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), EulerMoreauOSI(o.theta), LCP());
  simulation.initialise();
  ExactRlcDiode exact(o.circuit, o.resistance, {o.voltage, o.current});
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "x1 [V]", "x2 [A]", "v diode [V]", "i diode [A]", "x1 exact [V]", "x2 exact [A]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const Vector& x = oscillator->x();
    const double current = diode->lambda(0)(0);
    table.writeRow({simulation.time(), x(0), x(1), diode->y(0)(0), current, exact.x()[0], exact.x()[1]});
    voltageError = std::max(voltageError, std::abs(x(0) - exact.x()[0]));
    currentError = std::max({currentError, std::abs(x(1) - exact.x()[1]), std::abs(current - exact.diodeCurrent())});
  };
  ExampleRun run(o.run, simulation, "rlc diode", o.output);
  run.keep(table);
  run.keep("exact", [&](StateArchive& archive) { exact.serializeState(archive); });
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record, [&] {
    exact.advance(o.step);
    record();
  });

  // 5. What is known of the solution.
  std::printf("%zu switchings of the diode; largest errors %.2e V (capacitor), %.2e A (inductor, diode)\n",
              exact.switchings(), voltageError, currentError);
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An LC oscillator with a diode and a resistor across it (Euler-Moreau time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--inductance", options.circuit.inductance, "Inductance L, H")->check(positiveNumber());
  app.add_option("--capacitance", options.circuit.capacitance, "Capacitance C, F")->check(positiveNumber());
  app.add_option("--resistance", options.resistance, "Resistance R, Ohm")->check(positiveNumber());
  app.add_option("--voltage", options.voltage, "Initial voltage x1, V");
  app.add_option("--current", options.current, "Initial current x2 of the inductor, A");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Euler-Moreau scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("rlc_diode", app, argc, argv, [&] { simulate(options); });
}
