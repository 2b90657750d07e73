// SPDX-License-Identifier: Apache-2.0
//
// Spheres collapse into a silo, or are poured into it; its wall carries a part of their weight. See README.md.
//
//     silo
//     silo --pour 0.12 --spheres 800 --diameter 10 --end 11.5
//     silo --spheres 10000 --diameter 36 --threads 2 --output results/silo
//     silo --wall-friction 0 --sliding associated

#include <chrono>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iostream>
#include <limits>
#include <memory>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "SiloScene.hpp"

using namespace delassus;

namespace {

struct Options {
  SiloScene silo;
  Sliding sliding = Sliding::coulomb;
  double tolerance = 1e-3;
  std::size_t threads = 1;
  double solveTime = std::numeric_limits<double>::infinity();
  double pour = 0.;  // s between two layers; 0: all spheres at once
  RunOptions run{.step = 5e-3, .end = 3., .output = "silo"};
  SceneOptions scene{.interval = 0.04};
};

std::unique_ptr<OneStepNSProblem> problemFor(const Options& o) {
  if (o.sliding == Sliding::coulomb) {
    return std::make_unique<FrictionContact>(3, AutomaticFrictionSolver(o.tolerance));
  }
  return std::make_unique<GenericMechanical>(numerics::AutomaticMechanicalSolver({.tolerance = o.tolerance}));
}

struct Silo {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  std::vector<double> released;  // of each ball, the instant from which on it has weight, s
  std::size_t floor = 0;
  double gravity = 0.;

  explicit Silo(const Options& o)
      : model(0., o.run.end),
        contacts(std::make_shared<CollisionManager>(0.05 * o.silo.radius,
                                                    NewtonImpactFrictionNSL(0., 0., o.silo.friction, 3, o.sliding))),
        gravity(o.silo.gravity) {
    model.setGravity({0., 0., -o.silo.gravity});
    // 1. The wall has a law of its own; the floor is one of the grains.
    contacts->setLaw(SiloScene::grains, SiloScene::wall,
                     NewtonImpactFrictionNSL(0., 0., o.silo.wallFriction, 3, o.sliding));
    floor = contacts->insertObstacle(Plane{}, {}, {1., 0., 0., 0.}, SiloScene::grains);
    for (const Plane& side : o.silo.walls()) contacts->insertObstacle(side, {}, {1., 0., 0., 0.}, SiloScene::wall);
    // 2. The spheres.
    for (const SiloScene::Ball& each : o.silo.balls()) {
      const double mass = o.silo.massOf(each);
      const double release = o.pour * static_cast<double>(each.layer);
      Vector velocity(6);
      if (release > 0.) velocity(2) = -SiloScene::sinking * o.silo.radius / o.pour;
      auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(each.x), velocity, mass,
                                                  NewtonEulerDS::ballInertia(mass, each.radius));
      // Without weight until it is released.
      if (release > 0.) {
        ball->setExternalForces(
            [release, weight = mass * gravity](double t, Vector& force) { force(2) = t < release ? weight : 0.; });
      }
      released.push_back(release);
      model.insert(ball);
      contacts->insert(ball, SphereShape(each.radius), SiloScene::grains);
      balls.push_back(std::move(ball));
    }
  }

  // The weight of the spheres that have been released by then, N.
  double weight(double t) const {
    double sum = 0.;
    for (std::size_t k = 0; k < balls.size(); ++k) {
      if (t >= released[k]) sum += balls[k]->scalarMass() * gravity;
    }
    return sum;
  }

  // What the floor carries in the last step, N.
  double floorLoad() const {
    double sum = 0.;
    for (const CollisionManager::Contact& contact : contacts->contacts()) {
      if (!contact.second && contact.obstacle == floor) sum += contact.interaction->lambda(0)(0);
    }
    return sum;
  }

  double kineticEnergy() const {
    double sum = 0.;
    for (const auto& ball : balls) sum += ball->kineticEnergy();
    return sum;
  }

  // The prism, cut open in front, and the spheres.
  void addScene(VtkWriter& vtk, const Options& o) const {
    addColliders(vtk, *contacts, {.spheresAsPoints = false, .segments = 12, .obstacles = false});
    const double top = 1.1 * balls.back()->position()[2];
    const double half = o.silo.halfWidth();
    const double across = half * std::tan(SiloScene::pi / static_cast<double>(o.silo.sides));
    const VtkShape side = VtkShape::mesh(
        {{half, -across, 0.}, {half, across, 0.}, {half, across, top}, {half, -across, top}}, {{0, 1, 2, 3}});
    for (std::size_t k = 0; k < o.silo.sides; ++k) {
      vtk.addObstacle("wall", side, {{}, rotations::exponential({0., 0., o.silo.angleOf(k)})});
    }
  }
};

void simulate(const Options& o) {
  setThreads(o.threads);
  Silo silo(o);

  // 3. Scheme and problem follow from the model; forces are taken at the beginning of a step, of which one pass is
  // exact.
  TimeSteppingOptions options;
  options.solveTime = o.solveTime;
  TimeStepping simulation(silo.model, o.run.step, std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit()),
                          problemFor(o), options);
  simulation.setInteractionManager(silo.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { silo.addScene(vtk, o); });

  // 4. The run: a row a step, with what it cost.
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "contacts", "kinetic energy [J]", "floor load [N]", "weight [N]", "iterations", "error"});
  TableWriter costs(o.run.file("cost.txt"), {"t [s]", "wall time [ms]"});
  auto begun = std::chrono::steady_clock::now();
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep(costs);
  run.toTheEnd([&] {
    const auto now = std::chrono::steady_clock::now();
    const numerics::SolveReport& solve = simulation.lastStep().solve;
    table.writeRow({simulation.time(), static_cast<double>(simulation.problem().size()) / 3., silo.kineticEnergy(),
                    silo.floorLoad(), silo.weight(simulation.time()), static_cast<double>(solve.iterations),
                    solve.error});
    costs.writeRow({simulation.time(), std::chrono::duration<double, std::milli>(now - begun).count()});
    begun = std::chrono::steady_clock::now();
  });
  const double weight = silo.weight(simulation.time());
  std::cout << "The floor carries " << 100. * silo.floorLoad() / weight << " % of the weight.\n";
  if (weight < silo.weight(HUGE_VAL)) std::cout << "Some of the spheres have not been poured yet: see --end.\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    o.silo.addTo(line);
    line.addChoice("--sliding", o.sliding, {{"coulomb", Sliding::coulomb}, {"associated", Sliding::associated}},
                   "coulomb, or associated: the convex model");
    line.add("--pour", o.pour, "Time between two layers that are poured, s; 0: all spheres at once").between(0., 100.);
    line.add("--tolerance", o.tolerance, "Tolerance of the solver");
    line.add("--threads", o.threads, "Threads that share the work; the answer is the same").between(1, 1024);
    line.add("--solve-time", o.solveTime, "Wall time that the solver may take in a step, s (no limit)");
  };
  return runExample(argc, argv, "Spheres that collapse or are poured into a silo, and what its floor carries", o.run,
                    options, [&] { simulate(o); });
}
