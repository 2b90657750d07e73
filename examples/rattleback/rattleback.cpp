// SPDX-License-Identifier: Apache-2.0
//
// A rattleback: spun the wrong way it rattles, stops, and turns back. Beside it the equations of pure rolling. See
// README.md.
//
//     rattleback
//     rattleback --spin 5 --output results/the_other_way
//     rattleback --friction 0.3 --end 10 --vtk results/rattleback/vtk

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iomanip>
#include <iostream>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "RattlebackScene.hpp"

using namespace delassus;

namespace {

struct Options {
  RattlebackParameters parameters;
  double friction = 1.;
  RunOptions run{.step = 5e-4, .end = 5., .output = "rattleback"};
  SceneOptions scene{.interval = 0.02};
};

// When the spin changed its sign, of the run and of the equations.
class Turns {
 public:
  void look(double t, double spin, double ofEquations) {
    lookAt(t, spin, last_, found_);
    lookAt(t, ofEquations, lastOfEquations_, foundOfEquations_);
  }
  void serializeState(StateArchive& archive) {
    for (double* const x : {&last_, &lastOfEquations_, &found_, &foundOfEquations_}) archive.value("turn", *x);
  }
  void print() const {
    std::cout << std::setprecision(3);
    if (found_ > 0.) {
      std::cout << "it turns back at t = " << found_ << " s; by the equations of rolling at " << foundOfEquations_
                << " s\n";
    } else {
      std::cout << "it does not turn back\n";
    }
  }

 private:
  static void lookAt(double t, double spin, double& last, double& found) {
    if (found == 0. && last * spin < 0.) found = t;
    last = spin;
  }

  double last_ = 0., lastOfEquations_ = 0., found_ = 0., foundOfEquations_ = 0.;
};

void simulate(const Options& o) {
  RattlebackScene scene(o.parameters, o.friction, o.run.end);
  scene.contacts->insertObstacle(Plane{});
  TimeStepping simulation(scene.model, o.run.step);
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *scene.contacts, {.planeSize = 0.5}); });

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "spin [rad/s]", "spin by equations [rad/s]",
                                                   "pitch rate [rad/s]", "roll rate [rad/s]", "energy [J]", "gap [m]"});
  const auto record = [&] {
    const Vector3 omega = scene.stone->angularVelocity();
    const auto contacts = scene.contacts->contacts();
    const double gap = contacts.empty() ? 0. : contacts[0].interaction->y(0)(0);
    table.writeRow({simulation.time(), omega[2], scene.reference.omega()[2], omega[1], omega[0], scene.energy(), gap});
  };
  Turns turns;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("turns", [&](StateArchive& archive) { turns.serializeState(archive); });
  run.keep("equations", [&](StateArchive& archive) { scene.reference.serializeState(archive); });
  run.toTheEnd(record, [&] {
    constexpr int parts = 5;
    for (int k = 0; k < parts; ++k) scene.reference.advance(o.run.step / parts);
    turns.look(simulation.time(), scene.stone->angularVelocity()[2], scene.reference.omega()[2]);
    record();
  });
  turns.print();
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--spin", o.parameters.spin, "Rate about the vertical at t = 0, rad/s").between(-50., 50.);
    line.add("--tilt", o.parameters.tilt, "About both axes at t = 0, degrees").between(-5., 5.);
    line.add("--friction", o.friction, "Coefficient of friction").between(0., 100.);
    line.add("--gravity", o.parameters.gravity, "Acceleration of gravity, m/s^2").positive();
  };
  return runExample(argc, argv, "A stone that turns back", o.run, options, [&] { simulate(o); });
}
