// SPDX-License-Identifier: Apache-2.0
//
// A Colpitts oscillator with a piecewise linear transistor. See README.md for the equations.
//
//     colpitts
//     colpitts --resistance 80 --output results/periodic
//     colpitts --step 2e-9 --end 2e-4

#include <algorithm>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"
#include "ColpittsCircuit.hpp"

using namespace delassus;

namespace {

struct Options {
  ColpittsParameters parameters;
  RunOptions run{.step = 2e-8, .theta = 0.5, .output = "colpitts"};
};

void simulate(const Options& o) {
  // 1. The model.
  NonSmoothDynamicalSystem model(0., o.parameters.end);
  CircuitInstance colpitts = makeColpittsCircuit(o.parameters).insertInto(model, "colpitts");

  // 2. The simulation.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  colpitts.attach(simulation);
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "v_CE [V]", "v_BE [V]", "i_L [A]", "i_B [A]"});
  const auto record = [&] {
    table.writeRow({simulation.time(), colpitts.voltage("C1"), colpitts.voltage("C2"), colpitts.current("L"),
                    colpitts.current("J")});
  };

  // 3. The run. Maxima of v_CE over the second half: one value for a periodic oscillation, many for a chaotic one.
  double before = colpitts.voltage("C1"), earlier = before;
  double smallest = HUGE_VAL, largest = -HUGE_VAL;
  std::size_t maxima = 0;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("maxima", [&](StateArchive& archive) {
    for (double* const number : {&before, &earlier, &smallest, &largest}) archive.value("v_CE", *number);
    archive.value("maxima", maxima);
  });
  run.toTheEnd(record, [&] {
    record();
    const double now = colpitts.voltage("C1");
    if (2. * simulation.time() > o.parameters.end && before > earlier && before >= now) {
      smallest = std::min(smallest, before);
      largest = std::max(largest, before);
      ++maxima;
    }
    earlier = before;
    before = now;
  });

  std::printf("Second half: %zu maxima of v_CE, between %.3f V and %.3f V, at %.1f kHz\n", maxima, smallest, largest,
              2e-3 * static_cast<double>(maxima) / o.parameters.end);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    ColpittsParameters& p = o.parameters;
    line.add("--collector-supply", p.collectorSupply, "V_CC, V");
    line.add("--emitter-supply", p.emitterSupply, "V_EE, V");
    line.add("--resistance", p.resistance, "Resistance in series with L, ohm").notNegative();
    line.add("--inductance", p.inductance, "Inductance L, H").positive();
    line.add("--capacitance1", p.capacitance1, "Capacitance C1, F").positive();
    line.add("--capacitance2", p.capacitance2, "Capacitance C2, F").positive();
    line.add("--gain", p.gain, "Current gain beta");
    line.add("--end", p.end, "Final time, s");
  };
  return runExample(argc, argv, "A Colpitts oscillator with a piecewise linear transistor (Euler-Moreau time stepping)",
                    o.run, options, [&] { simulate(o); });
}
