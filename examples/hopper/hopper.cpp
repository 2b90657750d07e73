// SPDX-License-Identifier: Apache-2.0
//
// Spheres fall into a hopper, rest on its gate, and run out when that opens. See README.md.
//
//     hopper
//     hopper --spheres 60 --output results/hopper
//     hopper --friction 0.1 --gate 2

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <random>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

constexpr double pi = 3.141592653589793;

struct Options {
  std::size_t spheres = 250;
  double radius = 0.02;
  double density = 2500.;
  double gravity = 9.81;
  double friction = 0.3;
  double slope = 45.;
  double outlet = 8.;
  double gate = 0.8;
  double tolerance = 1e-3;
  std::size_t pictures = 6;
  RunOptions run{.step = 5e-3, .end = 2., .output = "hopper"};
  SceneOptions scene{.interval = 0.02};
};

// A square silo over a pyramid with a square outlet, which is at the height 0.
struct Hopper {
  double outlet;  // half its width, m
  double silo;    // half the width of the silo
  double slope;   // rad
  double top() const { return (silo - outlet) * std::tan(slope); }
};

// The four walls of the pyramid are boxes whose inner faces lie on it, with half edges (a, b, c): along the slope,
// across, and the thickness.
void insertFunnel(CollisionManager& contacts, const Hopper& hopper) {
  const double length = (hopper.silo - hopper.outlet) / std::cos(hopper.slope);
  const double thickness = 0.25 * length;
  const BoxShape wall(length, 2. * hopper.silo, thickness);
  for (int side = 0; side < 4; ++side) {
    const double azimuth = 0.5 * pi * side;
    const Quaternion about = rotations::exponential({0., 0., azimuth});
    const Quaternion tilted = rotations::product(about, rotations::exponential({0., -hopper.slope, 0.}));
    // In the wall's frame x goes up the slope and z out of the inner face, to the axis of the hopper.
    const Vector3 lowerEdge = rotations::rotate(about, {hopper.outlet, 0., 0.});
    contacts.insertObstacle(wall, lowerEdge + rotations::rotate(tilted, {0.5 * length, 0., -0.5 * thickness}), tilted);
  }
}

// What to draw: the spheres, the faces of silo and pyramid, and the gate.
void addScene(VtkWriter& vtk, const CollisionManager& contacts, const Hopper& hopper, double radius) {
  addColliders(vtk, contacts, {.spheresAsPoints = false, .segments = 20, .obstacles = false});
  const double a = hopper.outlet, b = hopper.silo, top = hopper.top(), rim = top + 10. * radius;
  for (int side = 0; side < 4; ++side) {
    const VtkPlacement turned{{}, rotations::exponential({0., 0., 0.5 * pi * side})};
    vtk.addObstacle("funnel", VtkShape::mesh({{a, -a, 0.}, {a, a, 0.}, {b, b, top}, {b, -b, top}}, {{0, 1, 2, 3}}),
                    turned);
    vtk.addObstacle("silo", VtkShape::mesh({{b, -b, top}, {b, b, top}, {b, b, rim}, {b, -b, rim}}, {{0, 1, 2, 3}}),
                    turned);
  }
  vtk.addObstacle("gate", VtkShape::box(2.5 * a, 2.5 * a, radius), {{0., 0., -0.5 * radius}});
  vtk.addContacts();
}

void simulate(const Options& o) {
  // 1. The hopper: planes for the silo, boxes for the funnel, a box as its gate, and a floor far below.
  const double across = std::ceil(std::cbrt(static_cast<double>(o.spheres) / 1.5));
  const double spacing = 2.2 * o.radius;
  const Hopper hopper{0.5 * o.outlet * o.radius, 0.5 * spacing * across + o.radius, o.slope * pi / 180.};
  const auto contacts =
      std::make_shared<CollisionManager>(0.05 * o.radius, NewtonImpactFrictionNSL(0., 0., o.friction));
  for (const double side : {1., -1.}) {
    contacts->insertObstacle(Plane::through({-side * hopper.silo, 0., 0.}, {side, 0., 0.}));
    contacts->insertObstacle(Plane::through({0., -side * hopper.silo, 0.}, {0., side, 0.}));
  }
  insertFunnel(*contacts, hopper);
  const double floor = -hopper.top() - 4. * o.radius;
  contacts->insertObstacle(Plane::through({0., 0., floor}, {0., 0., 1.}));
  const std::size_t gate =
      contacts->insertObstacle(BoxShape(2.5 * hopper.outlet, 2.5 * hopper.outlet, o.radius), {0., 0., -0.5 * o.radius});

  // 2. The spheres, on a grid above the funnel, each a little off its place and of its own size.
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  std::vector<double> radii;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(-0.05 * o.radius, 0.05 * o.radius), size(0.8, 1.);
  const auto row = static_cast<std::size_t>(across);
  for (std::size_t k = 0; k < o.spheres; ++k) {
    const double r = o.radius * size(random);
    const double mass = 4. / 3. * pi * r * r * r * o.density;
    const auto place = [&](std::size_t i) {
      return spacing * (static_cast<double>(i) - 0.5 * (across - 1.)) + jitter(random);
    };
    const Vector3 x{place(k % row), place(k / row % row),
                    hopper.top() + o.radius + spacing * static_cast<double>(k / (row * row))};
    auto ball =
        std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), Vector(6), mass, NewtonEulerDS::ballInertia(mass, r));
    model.insert(ball);
    contacts->insert(ball, SphereShape(r));
    balls.push_back(std::move(ball));
    radii.push_back(r);
  }

  // 3. The run: every step a row of counts, and now and then all positions.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, AutomaticFrictionSolver(o.tolerance)));
  simulation.setInteractionManager(contacts);
  const auto vtk = o.scene.watch(simulation, [&](VtkWriter& w) { addScene(w, *contacts, hopper, o.radius); });
  // One step that is not certified would not matter for a flow of grains; the program prints how many there were.
  simulation.setFailurePolicy(FailureAction::accept);
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "contacts", "linked", "in the silo", "discharged", "kinetic energy [J]"});
  TableWriter snapshots(o.run.file("snapshots.csv"),
                        {"picture", "t [s]", "x [m]", "y [m]", "z [m]", "radius [m]", "speed [m/s]"});
  const auto record = [&] {
    double energy = 0.;
    double discharged = 0.;
    for (const auto& ball : balls) {
      energy += ball->kineticEnergy();
      discharged += ball->position()[2] < 0. ? 1. : 0.;
    }
    table.writeRow({simulation.time(), static_cast<double>(simulation.problem().size()) / 3.,
                    static_cast<double>(contacts->contactCount()), static_cast<double>(balls.size()) - discharged,
                    discharged, energy});
  };
  std::size_t pictures = 0;
  const auto takePicture = [&] {
    const double due =
        o.run.end * static_cast<double>(pictures) / static_cast<double>(std::max<std::size_t>(o.pictures, 2) - 1);
    if (simulation.time() < due - 0.5 * o.run.step) return;
    for (std::size_t k = 0; k < balls.size(); ++k) {
      const Vector3 x = balls[k]->position();
      const double speed = norm(vector3(data(balls[k]->velocity())));
      snapshots.writeRow({static_cast<double>(pictures), simulation.time(), x[0], x[1], x[2], radii[k], speed});
    }
    ++pictures;
  };
  bool open = false;
  const auto afterStep = [&] {
    record();
    takePicture();
    if (!open && simulation.time() >= o.gate) {
      contacts->removeObstacle(gate);
      if (vtk) vtk->hide("gate");
      open = true;
    }
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep(snapshots);
  run.keep("pictures and gate", [&](StateArchive& archive) {
    archive.value("pictures", pictures);
    archive.value("open", open);
  });
  run.toTheEnd(afterStep);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--spheres", o.spheres, "Number of spheres").between(1, 100000);
    line.add("--radius", o.radius, "Largest radius of the spheres, m; the smallest is 0.8 of it").between(1e-6, 10.);
    line.add("--density", o.density, "Density, kg/m^3");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--slope", o.slope, "Slope of the funnel, degrees");
    line.add("--outlet", o.outlet, "Width of the outlet in radii").between(0., 1000.);
    line.add("--gate", o.gate, "Time at which the gate opens, s");
    line.add("--tolerance", o.tolerance, "Tolerance of the solver");
    line.add("--pictures", o.pictures, "Number of instants at which all positions are written");
  };
  return runExample(argc, argv, "Spheres that fill a hopper and run out of it", o.run, options, [&] { simulate(o); });
}
