// SPDX-License-Identifier: Apache-2.0
//
// An ideal switch that feeds a capacitor, with hysteresis: a nonlinear relation whose input is the product of a relay
// and the state. See README.md for the equations.
//
//     ideal_switch
//     ideal_switch --low 3.3 --high 3.3 --output results/sliding
//     ideal_switch --load 0.3 --step 1e-6 --output results/heavy

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>

#include "../support/ExampleRun.hpp"
#include "ExactSwitch.hpp"

using namespace delassus;

namespace {

struct Options {
  SwitchedCapacitors circuit;
  RunOptions run{.step = 1e-5, .end = 0.02, .theta = 1., .output = "ideal_switch"};
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  const SwitchedCapacitors& p = o.circuit;

  // 1. Two systems: C₁ ẋ₁ = (E − x₁)/R − i and C₂ ẋ₂ = i − G x₂, both voltages.
  const auto source = model.insert(
      "source", std::make_shared<FirstOrderLinearTIDS>(makeVector({p.source}), makeMatrix({{-1. / p.resistance}}),
                                                       makeVector({p.source / p.resistance})));
  source->setM(makeMatrix({{p.capacitance1}}));
  const auto load =
      model.insert("load", std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-p.load}})));
  load->setM(makeMatrix({{p.capacitance2}}));

  // 2. The switch: y = x₂ − z with the threshold z, λ = 1 where y < 0 and 0 where y > 0, and the current depends on λ
  //    and on both voltages.
  const auto relation = std::make_shared<FirstOrderNonLinearR>(
      1, automatic([](auto, const auto& x, const auto&, const auto& z, auto& y) { y(0) = x(1) - z(0); }),
      automatic([p](auto, const auto& x, const auto& lambda, const auto&, auto& r) {
        r(1) = (x(0) - x(1)) * (p.gOff + lambda(0) * (p.gOn - p.gOff));
        r(0) = -r(1);
      }));
  relation->setZ(makeVector({p.high}));
  const auto gate = model.link("switch", std::make_shared<RelayNSL>(1, 0., 1.), relation, source, load);

  // 3. The simulation; the automatic Jacobians are compared with differences before the first step.
  TimeSteppingOptions options;
  options.checkJacobians = true;
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta), options);
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
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "x1 [V]", "x2 [V]", "lambda", "i [A]"});
  double mean = 0.;
  double lowest = p.high;
  double highest = p.low;
  const auto record = [&] {
    const double voltage = load->x()(0);
    table.writeRow({simulation.time(), source->x()(0), voltage, gate->lambda(0)(0), load->r()(0)});
    if (simulation.time() < 0.5 * o.run.end) return;
    lowest = std::min(lowest, voltage);
    highest = std::max(highest, voltage);
  };
  ExampleRun run(o.run, simulation);
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
      exact.advance(o.run.step);
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
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--source", o.circuit.source, "Source voltage E, V");
    line.add("--resistance", o.circuit.resistance, "Resistance R of the source, Ohm");
    line.add("--capacitance1", o.circuit.capacitance1, "Capacitance at the source, F");
    line.add("--capacitance2", o.circuit.capacitance2, "Capacitance at the load, F");
    line.add("--load", o.circuit.load, "Conductance G of the load, S");
    line.add("--on", o.circuit.gOn, "Conductance of the closed switch, S");
    line.add("--off", o.circuit.gOff, "Conductance of the open switch, S");
    line.add("--low", o.circuit.low, "Voltage that closes the switch, V");
    line.add("--high", o.circuit.high, "Voltage that opens it, V");
  };
  return runExample(argc, argv, "A capacitor fed by an ideal switch with hysteresis (Euler-Moreau time stepping)",
                    o.run, options, [&] { simulate(o); });
}
