// SPDX-License-Identifier: Apache-2.0
//
// Spheres collapse into a silo; its wall carries a part of their weight. See README.md.
//
//     silo
//     silo --spheres 10000 --diameter 36 --threads 2 --output results/silo
//     silo --wall-friction 0 --sliding associated

#include <algorithm>
#include <chrono>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/NumberChecks.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

constexpr double pi = 3.141592653589793;

struct Options {
  std::size_t spheres = 1000;
  double radius = 0.02;
  double density = 2500.;
  double gravity = 9.81;
  double diameter = 16.;
  std::size_t sides = 16;
  double friction = 0.5;
  double wallFriction = 0.4;
  Sliding sliding = Sliding::coulomb;
  double tolerance = 1e-3;
  std::size_t threads = 1;
  double solveTime = std::numeric_limits<double>::infinity();
  RunOptions run{.step = 5e-3, .end = 3., .output = "silo"};
  SceneOptions scene{.interval = 0.04};
};

// The members of a collision, by which laws are chosen.
enum Member : CollisionManager::Group { grains, wall };

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
  std::size_t floor = 0;
  double weight = 0.;
  double halfWidth;  // from the axis to the middle of a side, m

  explicit Silo(const Options& o)
      : model(0., o.run.end),
        contacts(std::make_shared<CollisionManager>(0.05 * o.radius,
                                                    NewtonImpactFrictionNSL(0., 0., o.friction, 3, o.sliding))),
        halfWidth(0.5 * o.diameter * o.radius) {
    model.setGravity({0., 0., -o.gravity});
    // 1. A prism of many sides, open above. Its floor is one of the grains.
    contacts->setLaw(grains, wall, NewtonImpactFrictionNSL(0., 0., o.wallFriction, 3, o.sliding));
    floor = contacts->insertObstacle(Plane{}, {}, {1., 0., 0., 0.}, grains);
    for (std::size_t side = 0; side < o.sides; ++side) {
      const double angle = 2. * pi * static_cast<double>(side) / static_cast<double>(o.sides);
      const Vector3 inwards{-std::cos(angle), -std::sin(angle), 0.};
      contacts->insertObstacle(Plane::through(-halfWidth * inwards, inwards), {}, {1., 0., 0., 0.}, wall);
    }
    fill(o);
  }

  // 2. Layer over layer of a loose grid, each sphere a little off its place and of its own size.
  void fill(const Options& o) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> jitter(-0.05 * o.radius, 0.05 * o.radius), size(0.8, 1.);
    const double spacing = 2.2 * o.radius;
    const int reach = static_cast<int>(halfWidth / spacing);
    for (int layer = 0; balls.size() < o.spheres; ++layer) {
      for (int i = -reach; i <= reach; ++i) {
        for (int j = -reach; j <= reach && balls.size() < o.spheres; ++j) {
          if (std::hypot(i * spacing, j * spacing) > halfWidth - 1.1 * o.radius) continue;
          const double r = o.radius * size(random);
          const double mass = 4. / 3. * pi * r * r * r * o.density;
          auto ball = std::make_shared<NewtonEulerDS>(
              NewtonEulerDS::at(
                  {i * spacing + jitter(random), j * spacing + jitter(random), 1.1 * o.radius + layer * spacing}),
              Vector(6), mass, NewtonEulerDS::ballInertia(mass, r));
          model.insert(ball);
          contacts->insert(ball, SphereShape(r), grains);
          balls.push_back(std::move(ball));
          weight += mass * o.gravity;
        }
      }
    }
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
    addColliders(vtk, *contacts, {.segments = 12, .obstacles = false});
    const double top = 1.1 * balls.back()->position()[2];
    const double across = halfWidth * std::tan(pi / static_cast<double>(o.sides));
    for (std::size_t side = 0; side < o.sides; ++side) {
      const double angle = 2. * pi * static_cast<double>(side) / static_cast<double>(o.sides);
      vtk.addObstacle(
          "wall",
          VtkShape::mesh(
              {{halfWidth, -across, 0.}, {halfWidth, across, 0.}, {halfWidth, across, top}, {halfWidth, -across, top}},
              {{0, 1, 2, 3}}),
          {{}, rotations::exponential({0., 0., angle})});
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
                    silo.floorLoad(), silo.weight, static_cast<double>(solve.iterations), solve.error});
    costs.writeRow({simulation.time(), std::chrono::duration<double, std::milli>(now - begun).count()});
    begun = std::chrono::steady_clock::now();
  });
  std::cout << "The floor carries " << 100. * silo.floorLoad() / silo.weight << " % of the weight.\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CLI::App& app) {
    o.scene.addTo(app);
    app.add_option("--spheres", o.spheres, "Number of spheres")->check(CLI::Range(1, 1000000));
    app.add_option("--radius", o.radius, "Largest radius of the spheres, m; the smallest is 0.8 of it")
        ->check(numberBetween(1e-6, 10.));
    app.add_option("--density", o.density, "Density, kg/m^3");
    app.add_option("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    app.add_option("--diameter", o.diameter, "Width of the silo, in radii")->check(numberBetween(4., 1000.));
    app.add_option("--sides", o.sides, "Sides of the silo")->check(CLI::Range(3, 200));
    app.add_option("--friction", o.friction, "Coefficient of friction of the spheres, and with the floor");
    app.add_option("--wall-friction", o.wallFriction, "Coefficient of friction with the wall");
    app.add_option("--sliding", o.sliding, "coulomb, or associated: the convex model")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, Sliding>{{"coulomb", Sliding::coulomb}, {"associated", Sliding::associated}}));
    app.add_option("--tolerance", o.tolerance, "Tolerance of the solver");
    app.add_option("--threads", o.threads, "Threads that share the work; the answer is the same")
        ->check(CLI::Range(1, 1024));
    app.add_option("--solve-time", o.solveTime, "Wall time that the solver may take in a step, s (no limit)");
  };
  return runExample(argc, argv, "Spheres that collapse into a silo, and what its floor carries", o.run, options,
                    [&] { simulate(o); });
}
