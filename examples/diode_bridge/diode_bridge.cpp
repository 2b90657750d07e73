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
#include "ParallelCircuit.hpp"

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

  const double G = 1. / o.resistance;
  const double c = 1. / o.circuit.capacitance;

  // 1. The system: the voltage of the capacitor and the current of the inductor.
  const auto oscillator = model.insert(
      "oscillator", std::make_shared<FirstOrderLinearTIDS>(makeVector({o.voltage, o.current}),
                                                           makeMatrix({{0., -c}, {1. / o.circuit.inductance, 0.}})));

  // 2. The bridge: λ are the voltages of D3 and D1 and the currents of D4 and D2, y the currents of D3 and D1 and the
  //    voltages of D4 and D2; the load has the voltage λ₁ + λ₂.
  const Matrix C = makeMatrix({{0., 0.}, {0., 0.}, {-1., 0.}, {1., 0.}});
  const Matrix D = makeMatrix({{G, G, -1., 0.}, {G, G, 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}});
  const Matrix B = makeMatrix({{0., 0., -c, c}, {0., 0., 0., 0.}});
  const auto bridge = model.link("bridge", ComplementarityConditionNSL(4), FirstOrderLinearTIR(C, D, B), oscillator);

  // 3. The run, beside the exact solution: for the oscillator the bridge is the load itself.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  simulation.initialise();
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1 [V]", "x2 [A]", "v load [V]", "i D1 [A]", "i D2 [A]", "v D1 [V]", "v D2 [V]"});
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
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("errors", {&voltageError, &currentError});
  run.toTheEnd(record);

  // 4. What is known of the solution.
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
