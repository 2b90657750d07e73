// SPDX-License-Identifier: Apache-2.0
//
// A Geneva drive: a crank that turns evenly moves a wheel by steps. Beside it the motion that geometry alone has. See
// README.md.
//
//     geneva_drive
//     geneva_drive --slots 6 --rate 12 --output results/geneva_drive
//     geneva_drive --vtk results/geneva_drive/vtk

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iomanip>
#include <iostream>
#include <numbers>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "GenevaScene.hpp"

using namespace delassus;

namespace {

struct Options {
  GenevaGeometry geometry;
  double rate = 2. * std::numbers::pi;
  double friction = 0.05;
  RunOptions run{.step = 5e-4, .end = 2., .output = "geneva_drive"};
  SceneOptions scene{.interval = 0.01};
};

void simulate(const Options& o) {
  GenevaScene scene(o.geometry, o.rate, o.friction, o.run.end);
  const GenevaMotion motion(o.geometry);
  TimeStepping simulation(scene.model, o.run.step);
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *scene.contacts, {.spheresAsPoints = false}); });

  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "crank [rad]", "wheel [rad]", "wheel by geometry [rad]", "rate of the wheel [rad/s]",
                     "rate by geometry [rad/s]", "moment of the motor [N m]", "contacts"});
  double farthest = 0.;
  const auto record = [&] {
    const double angle = o.rate * simulation.time() - std::numbers::pi;
    farthest = std::max(farthest, std::abs(scene.wheelAngle() - motion.wheelAngle(angle)));
    table.writeRow({simulation.time(), angle, scene.wheelAngle(), motion.wheelAngle(angle), scene.wheelRate(),
                    o.rate * motion.wheelRate(angle), scene.motor->lambda(0)(0),
                    static_cast<double>(scene.contacts->contactCount())});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table).keep("observed", scene.observed()).keep("farthest", {&farthest});
  run.toTheEnd(record, [&] {
    scene.observe();
    record();
  });
  std::cout << std::setprecision(3) << "the wheel has turned by " << scene.wheelAngle()
            << " rad, and was never farther than " << farthest << " rad from where geometry without play has it\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--slots", o.geometry.slots, "Slots of the wheel").between(3, 8);
    line.add("--rate", o.rate, "Rate of the crank, rad/s").between(0.1, 100.);
    line.add("--friction", o.friction, "Coefficient between crank and wheel").between(0., 1.);
    line.add("--play", o.geometry.play, "Of the pin in a slot to each side, and of the wheel while it is locked, m")
        .between(1e-5, 1e-3);
  };
  return runExample(argc, argv, "A Geneva drive", o.run, options, [&] { simulate(o); });
}
