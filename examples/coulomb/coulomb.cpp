// SPDX-License-Identifier: Apache-2.0
//
// Experiments with friction and impacts side by side, beside their closed forms. See README.md.
//
//     coulomb
//     coulomb --step 5e-4 --output results/coulomb

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iomanip>
#include <iostream>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "CoulombScenes.hpp"

using namespace delassus;

namespace {

struct Options {
  RunOptions run{.step = 1e-3, .output = "coulomb"};
  SceneOptions scene{.interval = 0.02};
};

void print(const CoulombScenes& yard) {
  std::cout << std::left << std::setw(44) << "scene" << std::setw(30) << "quantity" << std::setw(14) << "closed form"
            << std::setw(14) << "found"
            << "may differ by\n";
  for (const CoulombScenes::Evidence& line : yard.evidence()) {
    std::cout << std::left << std::setw(44) << line.scene << std::setw(30) << line.quantity << std::setprecision(6)
              << std::setw(14) << line.expected << std::setw(14) << line.found() << std::setprecision(2)
              << line.tolerance << '\n';
  }
}

void simulate(const Options& o) {
  CoulombScenes yard(o.run.step);
  TimeStepping simulation(yard.model, o.run.step);
  simulation.setInteractionManager(yard.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *yard.contacts, {.spheresAsPoints = false}); });

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "slider [m/s]", "roller [m/s]", "ball [m/s]",
                                                   "parcel [m/s]", "tripod [m/s]", "tripod [rad/s]", "dropped z [m]"});
  const auto speedOf = [&](const char* name, std::size_t entry = 0) { return yard.body(name).velocity()(entry); };
  const auto record = [&] {
    table.writeRow({simulation.time(), speedOf("slider"), speedOf("roller"), speedOf("ball"), speedOf("parcel"),
                    speedOf("tripod"), speedOf("tripod", 5), yard.body("dropped").q()(2)});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table).keep("observed", yard.observed());
  run.toTheEnd(record, [&] {
    yard.observe(simulation.time());
    record();
  });
  print(yard);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) { o.scene.addTo(line); };
  return runExample(argc, argv, "Friction and impacts beside their closed forms", o.run, options, [&] { simulate(o); });
}
