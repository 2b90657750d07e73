// SPDX-License-Identifier: Apache-2.0
//
// A rectifier: sinusoidal source, bridge of four ideal diodes, filter capacitor and load. See README.md for the
// equations.
//
//     diode_bridge_filter
//     diode_bridge_filter --capacitance 10e-3 --end 1
//     diode_bridge_filter --load 5 --step 1e-5 --output results/heavy_load

#include <algorithm>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"
#include "RectifierCircuit.hpp"

using namespace delassus;

namespace {

struct Options {
  RectifierParameters parameters;
  RunOptions run{.step = 2e-5, .theta = 0.5, .output = "diode_bridge_filter"};
};

void simulate(const Options& o) {
  const RectifierParameters& p = o.parameters;

  // 1. The model: source, bridge, filter and load by their elements.
  NonSmoothDynamicalSystem model(0., p.end);
  CircuitInstance rectifier = makeRectifierCircuit(p).insertInto(model, "rectifier");

  // 2. The simulation.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  rectifier.attach(simulation);

  // 3. The run; a row at the start and one after each step, and the voltage of the last period.
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "source [V]", "i [A]", "v [V]", "i1 [A]", "i3 [A]"});
  const auto record = [&] {
    table.writeRow({simulation.time(), rectifier.voltage("V"), rectifier.current("L"), rectifier.voltage("out"),
                    rectifier.current("D1"), rectifier.current("D3")});
  };
  double smallest = HUGE_VAL, largest = -HUGE_VAL, mean = 0., time = 0.;
  const double lastPeriod = p.end - 1. / p.frequency;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("last period", {&smallest, &largest, &mean, &time});
  run.toTheEnd(record, [&] {
    record();
    if (simulation.time() < lastPeriod) return;
    const double voltage = rectifier.voltage("out");
    smallest = std::min(smallest, voltage);
    largest = std::max(largest, voltage);
    mean += o.run.step * voltage;
    time += o.run.step;
  });

  // 4. The ripple beside the rule of thumb for short conduction, ΔV = V / (2 f R C).
  mean /= time;
  const double thumb = mean / (2. * p.frequency * p.load * p.capacitance);
  std::printf("Last period: mean %.4f V, ripple %.4f V (short conduction would give %.2f V)\n", mean,
              largest - smallest, thumb);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    RectifierParameters& p = o.parameters;
    line.add("--amplitude", p.amplitude, "Amplitude of the source, V");
    line.add("--frequency", p.frequency, "Frequency of the source, Hz").positive();
    line.add("--inductance", p.inductance, "Inductance of the source, H").positive();
    line.add("--resistance", p.resistance, "Resistance of the source, ohm").notNegative();
    line.add("--capacitance", p.capacitance, "Capacitance of the filter, F").positive();
    line.add("--load", p.load, "Load, ohm").positive();
    line.add("--end", p.end, "Final time, s");
  };
  return runExample(
      argc, argv,
      "A rectifier: source, bridge of four ideal diodes, filter capacitor, load (Euler-Moreau time stepping)", o.run,
      options, [&] { simulate(o); });
}
