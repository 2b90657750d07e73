// SPDX-License-Identifier: Apache-2.0
//
// A Colpitts oscillator with a piecewise linear transistor. The circuit is colpitts.cir; see README.md for the
// equations.
//
//     colpitts
//     colpitts --resistance 80 --output results/periodic
//     colpitts --step 2e-9 --end 2e-4

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
  CircuitInstance colpitts = example.circuit().insertInto(model, "colpitts");
  TimeStepping simulation(model, example.run.step, EulerMoreauOSI(example.run.theta));
  colpitts.attach(simulation);
  TableWriter table(example.run.file("trajectory.csv"), {"t [s]", "v_CE [V]", "v_BE [V]", "i_L [A]", "i_B [A]"});
  const auto record = [&] {
    table.writeRow({simulation.time(), colpitts.elementVoltage("C1"), colpitts.elementVoltage("C2"),
                    colpitts.current("L1"), colpitts.current("D1")});
  };

  // 2. Maxima of v_CE over the second half: one value for a periodic oscillation, many for a chaotic one.
  double before = colpitts.elementVoltage("C1"), earlier = before;
  double smallest = HUGE_VAL, largest = -HUGE_VAL;
  std::size_t maxima = 0;
  ExampleRun run(example.run, simulation);
  run.keep(table);
  run.keep("maxima", [&](StateArchive& archive) {
    for (double* const number : {&before, &earlier, &smallest, &largest}) archive.value("v_CE", *number);
    archive.value("maxima", maxima);
  });
  run.toTheEnd(record, [&] {
    record();
    const double now = colpitts.elementVoltage("C1");
    if (2. * simulation.time() > example.run.end && before > earlier && before >= now) {
      smallest = std::min(smallest, before);
      largest = std::max(largest, before);
      ++maxima;
    }
    earlier = before;
    before = now;
  });

  std::printf("Second half: %zu maxima of v_CE, between %.3f V and %.3f V, at %.1f kHz\n", maxima, smallest, largest,
              2e-3 * static_cast<double>(maxima) / example.run.end);
}

}  // namespace

int main(int argc, char** argv) {
  return runCircuitExample(argc, argv, "colpitts", 0.5,
                           {{"--collector-supply", "vcc", "V_CC, V", false},
                            {"--emitter-supply", "vee", "V_EE, V", false},
                            {"--resistance", "r", "Resistance in series with L, ohm"},
                            {"--inductance", "l", "Inductance L, H"},
                            {"--capacitance1", "c1", "Capacitance C1, F"},
                            {"--capacitance2", "c2", "Capacitance C2, F"},
                            {"--gain", "beta", "Current gain beta", false}},
                           simulate);
}
