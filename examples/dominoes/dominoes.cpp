// SPDX-License-Identifier: Apache-2.0
//
// A row of dominoes: the speed of the wave, beside that of a model of angles alone. See README.md.
//
//     dominoes
//     dominoes --count 40 --gap 0.02 --friction 0.3 --output results/dominoes

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "DominoScene.hpp"

using namespace delassus;

namespace {

struct Options {
  DominoTrain train;
  double gap = 0.0125;
  std::size_t count = 20;
  RunOptions run{.step = 1e-3, .end = 0.62, .output = "dominoes"};
  SceneOptions scene{.interval = 0.01};
};

// Instants and speeds of the wave, of the run and of the model of angles.
void writeHits(const Options& o, const DominoScene& scene) {
  TableWriter table(o.run.file("hits.csv"), {"domino", "t [s]", "t by angles [s]", "v [m/s]", "v by angles [m/s]"});
  const std::vector<double> byAngles = o.train.hits(o.count), &found = scene.fallenAt();
  std::cout << "speed of the wave, m/s, beside that of the angle model:\n" << std::setprecision(4);
  for (std::size_t k = 1; k < byAngles.size() && found[k] > 0.; ++k) {
    const double v = o.train.pitch / (found[k] - found[k - 1]);
    const double expected = o.train.pitch / (byAngles[k] - byAngles[k - 1]);
    table.writeRow({static_cast<double>(k), found[k], byAngles[k], v, expected});
    std::cout << std::setw(4) << k << std::setw(10) << v << std::setw(10) << expected << '\n';
  }
  table.close();
}

void simulate(Options o) {
  o.train.pitch = o.train.thickness + o.gap;
  DominoScene scene(o.train, o.count, o.run.end);
  TimeStepping simulation(scene.model, o.run.step);
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *scene.contacts, {.planeSize = 1.}); });

  std::vector<std::string> columns{"t [s]", "energy [J]", "contacts"};
  for (std::size_t k = 0; k < o.count; ++k) columns.push_back("tilt " + std::to_string(k) + " [rad]");
  TableWriter table(o.run.file("trajectory.csv"), columns);
  const auto record = [&] {
    std::vector<double> row{simulation.time(), scene.energy(), static_cast<double>(simulation.problem().size()) / 3.};
    for (std::size_t k = 0; k < o.count; ++k) row.push_back(scene.tilt(k));
    table.writeRow(row);
  };
  ExampleRun run(o.run, simulation);
  run.keep(table).keep("observed", scene.observed());
  run.toTheEnd(record, [&] {
    scene.observe(simulation.time(), o.run.step);
    record();
  });
  writeHits(o, scene);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--count", o.count, "Number of dominoes").between(2, 200);
    line.add("--gap", o.gap, "Between two dominoes, m, of which each is 0.048 m high").between(1e-3, 0.045);
    line.add("--friction", o.train.friction, "Coefficient between dominoes; with the floor it is 1").between(0., 1.);
    line.add("--push", o.train.push, "Rate at which the first one turns at t = 0, rad/s").between(0., 20.);
    line.add("--gravity", o.train.gravity, "Acceleration of gravity, m/s^2").positive();
  };
  return runExample(argc, argv, "A row of dominoes", o.run, options, [&] { simulate(o); });
}
