// SPDX-License-Identifier: Apache-2.0
//
// An LC oscillator that drives a load through a bridge of four ideal diodes. See README.md for the equations.
//
//     diode_bridge
//     diode_bridge --step 1e-7 --output results/fine
//     diode_bridge --resistance 40 --end 1e-3 --output results/overdamped

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
#include "ParallelCircuit.hpp"

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
  std::string output = "diode_bridge";
  RunOptions run;
};

void simulate(const Options& o) {
  const double G = 1. / o.resistance;
  const double c = 1. / o.circuit.capacitance;

  // 1. The system: the voltage of the capacitor and the current of the inductor.
  const auto oscillator = std::make_shared<FirstOrderLinearTIDS>(
      makeVector({o.voltage, o.current}), makeMatrix({{0., -c}, {1. / o.circuit.inductance, 0.}}));
  oscillator->setName("oscillator");

  // 2. The bridge: λ are the voltages of D3 and D1 and the currents of D4 and D2, y the currents of D3 and D1 and the
  //    voltages of D4 and D2; the load has the voltage λ₁ + λ₂.
  const Matrix C = makeMatrix({{0., 0.}, {0., 0.}, {-1., 0.}, {1., 0.}});
  const Matrix D = makeMatrix({{G, G, -1., 0.}, {G, G, 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}});
  const Matrix B = makeMatrix({{0., 0., -c, c}, {0., 0., 0., 0.}});
  const auto bridge = std::make_shared<Interaction>(ComplementarityConditionNSL(4), FirstOrderLinearTIR(C, D, B));
  bridge->setName("bridge");

  // 3. The model.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(oscillator);
  model.link(bridge, oscillator);

  // 4. The run, beside the exact solution: for the oscillator the bridge is the load itself.
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), EulerMoreauOSI(o.theta), LCP());
  simulation.initialise();
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "x1 [V]", "x2 [A]", "v load [V]", "i D1 [A]", "i D2 [A]", "v D1 [V]", "v D2 [V]"});
  double voltageError = 0.;
  double currentError = 0.;
  const auto record = [&] {
    const Vector& x = oscillator->x();
    const Vector& y = bridge->y(0);
    const Vector& lambda = bridge->lambda(0);
    const double load = lambda(0) + lambda(1);
    table.writeRow({simulation.time(), x(0), x(1), load, y(1), lambda(3), lambda(1), y(3)});
    const ParallelCircuit::State exact = o.circuit.flow({o.voltage, o.current}, simulation.time(), G);
    voltageError = std::max({voltageError, std::abs(x(0) - exact[0]), std::abs(load - std::abs(exact[0]))});
    currentError = std::max({currentError, std::abs(x(1) - exact[1]), std::abs(y(1) - G * std::max(exact[0], 0.)),
                             std::abs(lambda(3) - G * std::max(-exact[0], 0.))});
  };
  ExampleRun run(o.run, simulation, "diode bridge", o.output);
  run.keep(table);
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record);

  // 5. What is known of the solution.
  std::printf("Largest errors against the exact solution: %.2e V (oscillator, load), %.2e A (inductor, diodes)\n",
              voltageError, currentError);
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A bridge of four ideal diodes driven by an LC oscillator (Euler-Moreau time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--inductance", options.circuit.inductance, "Inductance L, H")->check(positiveNumber());
  app.add_option("--capacitance", options.circuit.capacitance, "Capacitance C, F")->check(positiveNumber());
  app.add_option("--resistance", options.resistance, "Resistance R of the load, Ohm")->check(positiveNumber());
  app.add_option("--voltage", options.voltage, "Initial voltage x1, V");
  app.add_option("--current", options.current, "Initial current x2 of the inductor, A");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Euler-Moreau scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("diode_bridge", app, argc, argv, [&] { simulate(options); });
}
