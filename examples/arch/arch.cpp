// SPDX-License-Identifier: Apache-2.0
//
// A masonry arch, loaded until it falls. See README.md.
//
//     arch
//     arch --thickness 0.2 --loaded 7 --output results/arch
//     arch --thickness 0.1 --rate 0

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iostream>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "ArchScene.hpp"

using namespace delassus;

namespace {

struct Options {
  ArchScene arch;
  double friction = 0.9;
  double rate = 0.4;
  std::size_t pictures = 6;
  RunOptions run{.step = 2e-3, .end = 2.6, .output = "arch"};
  SceneOptions scene{.interval = 0.02};
};

struct Scene {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> stones;
  std::vector<Vector3> centres;  // of mass, as they were laid
  double weight = 0.;            // of a stone, N
  double limit = 0.;             // of the load, by the kinematic theorem, N

  explicit Scene(const Options& o)
      : model(0., o.run.end),
        contacts(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., o.friction))) {
    model.setGravity({0., 0., -o.arch.gravity});
    contacts->insertObstacle(Plane{});
    for (std::size_t k = 0; k < o.arch.stones; ++k) {
      const ConvexHull stone(o.arch.cornersOf(k));
      stones.push_back(NewtonEulerDS::ofShape(stone, o.arch.density));
      model.insert("stone " + std::to_string(k), stones.back());
      contacts->insert(stones.back(), stone, placementInBody(stone));
      centres.push_back(stones.back()->position());
    }
    weight = stones[0]->scalarMass() * o.arch.gravity;
    limit = o.arch.limitLoad(centres, weight);
    if (o.arch.loaded >= stones.size()) return;
    stones[o.arch.loaded]->setExternalForces([growth = loadRate(o)](double t, Vector& f) { f(2) = -growth * t; });
  }
  // N/s: --rate is in units of the weight of all stones.
  double loadRate(const Options& o) const { return o.rate * weight * static_cast<double>(stones.size()); }
  // The farthest that a stone has moved, m.
  double moved() const {
    double most = 0.;
    for (std::size_t k = 0; k < stones.size(); ++k) most = std::max(most, norm(stones[k]->position() - centres[k]));
    return most;
  }
};

// The outline of each stone, as seen from the side.
void writeOutlines(TableWriter& table, double picture, double t, const Options& o, const Scene& scene) {
  for (std::size_t k = 0; k < scene.stones.size(); ++k) {
    const std::vector<Vector3> corners = o.arch.cornersOf(k);
    for (const std::size_t corner : {0u, 1u, 3u, 2u, 0u}) {
      const NewtonEulerDS& stone = *scene.stones[k];
      const Vector3 x = stone.position() + multiply(stone.rotation(), corners[corner] - scene.centres[k]);
      table.writeRow({picture, t, static_cast<double>(k), x[0], x[2]});
    }
  }
}

void simulate(const Options& o) {
  Scene scene(o);
  TimeStepping simulation(scene.model, o.run.step, {.accuracy = Accuracy::coarse});
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *scene.contacts, {.planeSize = 4.}); });

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "load [N]", "moved [m]", "crown z [m]", "contacts"});
  TableWriter outlines(o.run.file("outlines.csv"), {"picture", "t [s]", "stone", "x [m]", "z [m]"});
  double fellAt = -1.;
  const auto record = [&] {
    const double t = simulation.time(), load = scene.loadRate(o) * t;
    if (fellAt < 0. && scene.moved() > 0.01 * o.arch.thickness) fellAt = load;
    table.writeRow({t, load, scene.moved(), scene.stones[scene.stones.size() / 2]->q()(2),
                    static_cast<double>(simulation.problem().size()) / 3.});
  };
  std::size_t pictures = 0;
  const auto takePicture = [&] {
    // The last part of the run.
    const double part = static_cast<double>(pictures) / static_cast<double>(std::max<std::size_t>(o.pictures, 2) - 1);
    const double due = (0.8 + 0.2 * part) * o.run.end;
    if (simulation.time() < due - 0.5 * o.run.step) return;
    writeOutlines(outlines, static_cast<double>(pictures), simulation.time(), o, scene);
    ++pictures;
  };
  ExampleRun run(o.run, simulation);
  for (TableWriter* const each : {&table, &outlines}) run.keep(*each);
  run.keep("pictures", [&](StateArchive& archive) {
    archive.value("pictures", pictures);
    archive.value("fellAt", fellAt);
  });
  run.toTheEnd(record, [&] {
    record();
    takePicture();
  });
  std::cout << "by the kinematic theorem it falls at " << scene.limit << " N, of " << scene.weight << " N a stone\n";
  if (fellAt < 0.) std::cout << "it stands\n";
  if (fellAt >= 0.) std::cout << "a stone had moved by a hundredth of the thickness at " << fellAt << " N\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--stones", o.arch.stones, "Number of stones").between(3, 60);
    line.add("--thickness", o.arch.thickness, "Thickness of the arch of radius 1 m, m").between(1e-3, 1.);
    line.add("--width", o.arch.width, "Width of the arch, m").between(1e-2, 10.);
    line.add("--density", o.arch.density, "Density of the stones, kg/m^3").positive();
    line.add("--gravity", o.arch.gravity, "Acceleration of gravity, m/s^2").positive();
    line.add("--loaded", o.arch.loaded, "The stone that is loaded, from the right, from 0");
    line.add("--rate", o.rate, "Growth of the load, in weights of the arch a second");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--pictures", o.pictures, "Number of instants at which all outlines are written");
  };
  return runExample(argc, argv, "A masonry arch that is loaded until it falls", o.run, options, [&] { simulate(o); });
}
