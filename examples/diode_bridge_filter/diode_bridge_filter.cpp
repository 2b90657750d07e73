// SPDX-License-Identifier: Apache-2.0
//
// A rectifier: sinusoidal source, bridge of four ideal diodes, filter capacitor and load. The circuit is
// diode_bridge_filter.cir; see README.md for the equations.
//
//     diode_bridge_filter
//     diode_bridge_filter --capacitance 10e-3 --end 1
//     diode_bridge_filter --load 5 --step 1e-5 --output results/heavy_load

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/CircuitExample.hpp"

using namespace delassus;

namespace {

void simulate(const CircuitExample& example) {
  // 1. The circuit, and its run.
  NonSmoothDynamicalSystem model(0., example.run.end);
  CircuitInstance rectifier = example.circuit().insertInto(model, "rectifier");
  TimeStepping simulation(model, example.run.step, EulerMoreauOSI(example.run.theta));
  rectifier.attach(simulation);

  // 2. A row at the start and one after each step, and the voltage of the last period.
  TableWriter table(example.run.file("trajectory.csv"), {"t [s]", "source [V]", "i [A]", "v [V]", "i1 [A]", "i3 [A]"});
  const auto record = [&] {
    table.writeRow({simulation.time(), rectifier.voltage("V1"), rectifier.current("L1"), rectifier.voltage("out"),
                    rectifier.current("D1"), rectifier.current("D3")});
  };
  double smallest = HUGE_VAL, largest = -HUGE_VAL, mean = 0., time = 0.;
  const double lastPeriod = example.run.end - 1. / example["f"];
  ExampleRun run(example.run, simulation);
  run.keep(table);
  run.keep("last period", {&smallest, &largest, &mean, &time});
  run.toTheEnd(record, [&] {
    record();
    if (simulation.time() < lastPeriod) return;
    const double voltage = rectifier.voltage("out");
    smallest = std::min(smallest, voltage);
    largest = std::max(largest, voltage);
    mean += example.run.step * voltage;
    time += example.run.step;
  });

  // 3. The ripple beside the rule of thumb for short conduction, ΔV = V / (2 f R C).
  mean /= time;
  const double thumb = mean / (2. * example["f"] * example["load"] * example["c"]);
  std::printf("Last period: mean %.4f V, ripple %.4f V (short conduction would give %.2f V)\n", mean,
              largest - smallest, thumb);
}

}  // namespace

int main(int argc, char** argv) {
  return runCircuitExample(argc, argv, "diode_bridge_filter", 0.5,
                           {{"--amplitude", "v", "Amplitude of the source, V", false},
                            {"--frequency", "f", "Frequency of the source, Hz"},
                            {"--inductance", "l", "Inductance of the source, H"},
                            {"--resistance", "r", "Resistance of the source, ohm"},
                            {"--capacitance", "c", "Capacitance of the filter, F"},
                            {"--load", "load", "Load, ohm"}},
                           simulate);
}
