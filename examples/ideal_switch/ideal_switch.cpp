// SPDX-License-Identifier: Apache-2.0
//
// An ideal switch that feeds a capacitor, with hysteresis: a nonlinear relation whose input is the product of a relay
// and the state. See README.md for the equations.
//
//     ideal_switch
//     ideal_switch --low 3.3 --high 3.3 --output results/sliding
//     ideal_switch --load 0.3 --step 1e-6 --output results/heavy

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "../support/ExampleRun.hpp"
#include "ExactSwitch.hpp"

using namespace delassus;

namespace {

struct Options {
  SwitchedCapacitors circuit;
  double step = 1e-5;
  double end = 0.02;
  double theta = 1.;
  std::string output = "ideal_switch";
  RunOptions run;
};

void simulate(const Options& o) {
  const SwitchedCapacitors& p = o.circuit;

  // 1. Two systems: C₁ ẋ₁ = (E − x₁)/R − i and C₂ ẋ₂ = i − G x₂, both voltages.
  const auto source = std::make_shared<FirstOrderLinearTIDS>(makeVector({p.source}), makeMatrix({{-1. / p.resistance}}),
                                                             makeVector({p.source / p.resistance}));
  source->setM(makeMatrix({{p.capacitance1}}));
  source->setName("source");
  const auto load = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-p.load}}));
  load->setM(makeMatrix({{p.capacitance2}}));
  load->setName("load");

  // 2. The switch: y = x₂ − z with the threshold z, λ = 1 where y < 0 and 0 where y > 0, and the current depends on λ
  //    and on both voltages.
  const auto relation = std::make_shared<FirstOrderNonLinearR>(
      1, automatic([](auto, const auto& x, const auto&, const auto& z, auto& y) { y(0) = x(1) - z(0); }),
      automatic([p](auto, const auto& x, const auto& lambda, const auto&, auto& r) {
        r(1) = (x(0) - x(1)) * (p.gOff + lambda(0) * (p.gOn - p.gOff));
        r(0) = -r(1);
      }));
  relation->setZ(makeVector({p.high}));
  const auto gate = std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, 0., 1.), relation);
  gate->setName("switch");

  // 3. The model; the automatic Jacobians are compared with differences before the first step.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(source);
  model.insert(load);
  model.link(gate, source, load);
  TimeSteppingOptions options;
  options.checkJacobians = true;
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), EulerMoreauOSI(o.theta), Relay(), options);
  simulation.initialise();

  // 4. Hysteresis: a step that meets the threshold has λ between its bounds; from there on the other threshold holds.
  bool charging = true;
  std::size_t switchings = 0;
  const auto switchThreshold = [&] {
    constexpr double margin = 1e-9;
    const double lambda = gate->lambda(0)(0);
    if (charging ? lambda > 1. - margin : lambda < margin) return;
    charging = !charging;
    ++switchings;
    relation->setZ(makeVector({charging ? p.high : p.low}));
  };

  // 5. The run, beside the exact solution. Without hysteresis there are no modes: the voltage stays at the threshold.
  const bool hasModes = p.low < p.high;
  ExactSwitch exact(p, {p.source, 0.});
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "x1 [V]", "x2 [V]", "lambda", "i [A]"});
  double mean = 0.;
  double lowest = p.high;
  double highest = p.low;
  const auto record = [&] {
    const double voltage = load->x()(0);
    table.writeRow({simulation.time(), source->x()(0), voltage, gate->lambda(0)(0), load->r()(0)});
    if (simulation.time() < 0.5 * o.end) return;
    lowest = std::min(lowest, voltage);
    highest = std::max(highest, voltage);
  };
  ExampleRun run(o.run, simulation, "ideal switch", o.output);
  run.keep(table);
  run.keep("switch", [&](StateArchive& archive) {
    archive.value("charging", charging);
    archive.value("switchings", switchings);
    if (archive.restores()) relation->setZ(makeVector({charging ? p.high : p.low}));
    exact.serializeState(archive);
  });
  run.keep("measured", {&mean, &lowest, &highest});
  run.toTheEnd(record, [&] {
    if (hasModes) {
      switchThreshold();
      exact.advance(o.step);
      const double error = std::abs(source->x()(0) - exact.x()[0]) + std::abs(load->x()(0) - exact.x()[1]);
      mean += error / static_cast<double>(simulation.steps());
    }
    record();
  });

  // 6. The results.
  std::printf("In the second half x2 is between %.5f V and %.5f V, lambda at the end %.5f\n", lowest, highest,
              gate->lambda(0)(0));
  if (hasModes) {
    std::printf("%zu switchings (exact %zu), mean error of the voltages %.2e V\n", switchings, exact.switchings(),
                mean);
  }
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A capacitor fed by an ideal switch with hysteresis (Euler-Moreau time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--source", options.circuit.source, "Source voltage E, V");
  app.add_option("--resistance", options.circuit.resistance, "Resistance R of the source, Ohm");
  app.add_option("--capacitance1", options.circuit.capacitance1, "Capacitance at the source, F");
  app.add_option("--capacitance2", options.circuit.capacitance2, "Capacitance at the load, F");
  app.add_option("--load", options.circuit.load, "Conductance G of the load, S");
  app.add_option("--on", options.circuit.gOn, "Conductance of the closed switch, S");
  app.add_option("--off", options.circuit.gOff, "Conductance of the open switch, S");
  app.add_option("--low", options.circuit.low, "Voltage that closes the switch, V");
  app.add_option("--high", options.circuit.high, "Voltage that opens it, V");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Euler-Moreau scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("ideal_switch", app, argc, argv, [&] { simulate(options); });
}
