// SPDX-License-Identifier: Apache-2.0
//
// A bowl of mixed shapes is poured out over hills. See README.md.
//
//     bowl
//     bowl --bodies 120 --output results/bowl
//     bowl --friction 0.2 --pour 0.6

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  std::size_t bodies = 60;
  double density = 1000.;
  double friction = 0.5;
  double gravity = 9.81;
  double pour = 1.;      // s, when the bowl begins to turn
  double turning = 1.2;  // s, for how long it does
  RunOptions run{.step = 2e-3, .end = 3., .output = "bowl"};
  SceneOptions scene{.interval = 0.02};
};

constexpr double bowlRadius = 0.4;  // m, at the rim
constexpr double height = 0.75;     // of the rim over the ground, m

// A half sphere with a wall of 3 cm, its rim at the height 0.
TriangleMesh makeBowl() {
  constexpr double thickness = 0.03;
  constexpr int rings = 12;
  std::vector<std::array<double, 2>> outline;
  const auto add = [&](double radius, int k) {
    const double angle = 0.5 * std::numbers::pi * k / rings;
    outline.push_back({k == 0 ? 0. : radius * std::sin(angle), -radius * std::cos(angle)});
  };
  for (int k = 0; k <= rings; ++k) add(bowlRadius + thickness, k);
  for (int k = rings; k >= 0; --k) add(bowlRadius, k);
  return TriangleMesh::of(Surface::revolution(outline, 36));
}

// It turns about the x axis through the middle of the rim, by 150°, and stays so.
ObstacleMotion pouring(const Options& o) {
  const double most = 150. * std::numbers::pi / 180.;
  // Of a cubic that begins and ends at rest, and its rate.
  const auto angleAt = [=](double t) {
    const double s = std::clamp((t - o.pour) / o.turning, 0., 1.);
    return std::pair(most * s * s * (3. - 2. * s), most * 6. * s * (1. - s) / o.turning);
  };
  const auto place = [=](double t, Vector& q) {
    const auto [angle, rate] = angleAt(t);
    q(2) = height;
    q(3) = std::cos(0.5 * angle);
    q(4) = std::sin(0.5 * angle);
  };
  const auto rates = [=](double t, Vector& q) {
    const auto [angle, rate] = angleAt(t);
    q(3) = -0.5 * rate * std::sin(0.5 * angle);
    q(4) = 0.5 * rate * std::cos(0.5 * angle);
  };
  return ObstacleMotion(withJacobians(place, rates));
}

// Hills of 6 cm on a square of 3 m.
TriangleMesh makeHills() {
  constexpr std::size_t n = 31;
  Matrix heights(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      heights(i, j) = 0.03 * (std::sin(0.9 * static_cast<double>(i)) + std::cos(0.8 * static_cast<double>(j)) - 2.);
    }
  }
  return TriangleMesh::ofHeights(heights, 0.1, 0.1);
}

struct Scene {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
  std::mt19937 random{1};

  explicit Scene(const Options& o)
      : model(0., o.run.end),
        contacts(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., o.friction))) {
    model.setGravity({0., 0., -o.gravity});
    contacts->insertObstacle(makeBowl(), pouring(o));
    contacts->insertObstacle(makeHills(), {-1.5, -1.2, 0.});
    for (std::size_t k = 0; k < o.bodies; ++k) {
      if (k % 5 == 0) add(o, SphereShape(0.04));
      if (k % 5 == 1) add(o, BoxShape(0.08, 0.06, 0.05));
      if (k % 5 == 2) add(o, CapsuleShape(0.025, 0.07));
      if (k % 5 == 3) add(o, CylinderShape(0.035, 0.06));
      if (k % 5 == 4) add(o, CompoundShape().with(BoxShape(0.1, 0.03, 0.03)).with(BoxShape(0.03, 0.1, 0.03)));
    }
  }
  // In layers of nine over the bowl, turned at random.
  template <class S>
  void add(const Options& o, const S& shape) {
    std::normal_distribution<double> entry;
    const std::size_t k = bodies.size();
    const double layer = static_cast<double>(k / 9);
    const Vector3 x{0.13 * (static_cast<double>(k % 3) - 1.), 0.13 * (static_cast<double>(k / 3 % 3) - 1.),
                    height - 0.1 + 0.12 * layer};
    const Quaternion p = rotations::normalised({entry(random), entry(random), entry(random), entry(random)});
    bodies.push_back(NewtonEulerDS::ofShape(shape, o.density, x, p));
    model.insert(bodies.back());
    contacts->insert(bodies.back(), shape, placementInBody(shape));
  }
};

void simulate(const Options& o) {
  Scene scene(o);
  TimeStepping simulation(scene.model, o.run.step, {.accuracy = Accuracy::coarse});
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addColliders(vtk, *scene.contacts, {.spheresAsPoints = false}); });
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "contacts", "in the bowl", "on the ground", "kinetic energy [J]"});
  const auto record = [&] {
    double above = 0., below = 0., energy = 0.;
    for (const auto& body : scene.bodies) {
      energy += body->kineticEnergy();
      const Vector3 x = body->position();
      above += norm(x - Vector3{0., 0., height}) < bowlRadius ? 1. : 0.;
      below += x[2] < 0.15 ? 1. : 0.;
    }
    table.writeRow({simulation.time(), static_cast<double>(simulation.problem().size()) / 3., above, below, energy});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--bodies", o.bodies, "Number of bodies, of five shapes").between(1, 10000);
    line.add("--density", o.density, "Density of the bodies, kg/m^3").positive();
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2").positive();
    line.add("--pour", o.pour, "When the bowl begins to turn, s");
    line.add("--turning", o.turning, "For how long it turns, s").positive();
  };
  return runExample(argc, argv, "A bowl of mixed shapes is poured out over hills", o.run, options,
                    [&] { simulate(o); });
}
