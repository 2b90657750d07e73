// SPDX-License-Identifier: Apache-2.0
//
// A heavy ball hits a dry wall of boxes. See README.md.
//
//     wall
//     wall --rows 10 --columns 8 --speed 15 --output results/wall
//     wall --friction 0.2

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  std::size_t rows = 6;
  std::size_t columns = 5;
  double friction = 0.6;
  double restitution = 0.;
  double speed = 8.;
  double radius = 0.15;
  double density = 1800.;
  double ballDensity = 7800.;
  double gravity = 9.81;
  double rest = 0.3;
  double tolerance = 1e-4;
  std::size_t pictures = 6;
  RunOptions run{.step = 2.5e-3, .end = 0.9, .output = "wall"};
  SceneOptions scene{.interval = 0.01};
};

constexpr double pi = 3.141592653589793;
const Vector3 brick{0.15, 0.3, 0.1};  // through the wall, along it, and its height, m
constexpr double joint = 2e-3;        // between bricks of a row, m

struct Scene {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> bricks;
  std::vector<Vector3> edges;
  std::shared_ptr<NewtonEulerDS> ball;

  explicit Scene(const Options& o)
      : model(0., o.run.end),
        contacts(std::make_shared<CollisionManager>(2e-3, NewtonImpactFrictionNSL(o.restitution, 0., o.friction))) {
    model.setGravity({0., 0., -o.gravity});
    contacts->insertObstacle(Plane{});
    for (std::size_t row = 0; row < o.rows; ++row) layRow(o, row);
    const double mass = 4. / 3. * pi * o.radius * o.radius * o.radius * o.ballDensity;
    const Vector3 from{-0.5 * brick[0] - o.radius - o.speed * o.rest, 0., 0.6 * brick[2] * static_cast<double>(o.rows)};
    ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(from), makeVector({o.speed, 0., 0., 0., 0., 0.}), mass,
                                           NewtonEulerDS::ballInertia(mass, o.radius));
    // Held up until it hits at t = rest, so that the wall has time to settle.
    ball->setExternalForces([mass, &o](double t, Vector& f) { f(2) = t < o.rest ? mass * o.gravity : 0.; });
    model.insert("ball", ball);
    contacts->insert(ball, SphereShape(o.radius));
  }

  // In bond: odd rows begin and end with half a brick.
  void layRow(const Options& o, std::size_t row) {
    const double length = brick[1] * static_cast<double>(o.columns);
    const double z = brick[2] * (static_cast<double>(row) + 0.5) + 1e-4 * static_cast<double>(row + 1);
    double y = -0.5 * length;
    const auto lay = [&](double width) {
      const Vector3 size{brick[0], width - joint, brick[2]};
      const double mass = size[0] * size[1] * size[2] * o.density;
      auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., y + 0.5 * width, z}), Vector(6), mass,
                                                  NewtonEulerDS::boxInertia(mass, size[0], size[1], size[2]));
      model.insert(body);
      contacts->insert(body, BoxShape(size[0], size[1], size[2]));
      bricks.push_back(std::move(body));
      edges.push_back(size);
      y += width;
    };
    const bool isOdd = row % 2 == 1;
    if (isOdd) lay(0.5 * brick[1]);
    for (std::size_t k = 0; k < o.columns - (isOdd ? 1 : 0); ++k) lay(brick[1]);
    if (isOdd) lay(0.5 * brick[1]);
  }
};

// The twelve edges of a box, as seen from the side (x, z) and the front (y, z).
void writeOutline(TableWriter& table, double picture, double t, std::size_t number, const NewtonEulerDS& body,
                  const Vector3& edges) {
  const Matrix3 R = body.rotation();
  const auto corner = [&](std::size_t k) {
    Vector3 local;
    for (std::size_t axis = 0; axis < 3; ++axis) local[axis] = ((k >> axis & 1u) != 0 ? 0.5 : -0.5) * edges[axis];
    return body.position() + multiply(R, local);
  };
  for (std::size_t k = 0; k < 8; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((k >> axis & 1u) != 0) continue;
      const Vector3 a = corner(k);
      const Vector3 b = corner(k | std::size_t{1} << axis);
      table.writeRow(
          {picture, t, static_cast<double>(number), a[0], a[1], a[2], b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    }
  }
}

// What there is to see: bricks, ball and floor.
void addScene(VtkWriter& vtk, const CollisionManager& contacts) {
  addColliders(vtk, contacts, {.spheresAsPoints = false, .segments = 48, .planeSize = 12.});
  vtk.addContacts();
}

void simulate(const Options& o) {
  Scene scene(o);
  TimeStepping simulation(scene.model, o.run.step, MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, AutomaticFrictionSolver(o.tolerance)));
  simulation.setInteractionManager(scene.contacts);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, *scene.contacts); });
  simulation.setFailurePolicy(FailureAction::accept);

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "contacts", "ball x [m]", "ball z [m]", "ball speed [m/s]",
                                                   "kinetic energy [J]", "bricks moved"});
  TableWriter outlines(o.run.file("outlines.csv"),
                       {"picture", "t [s]", "brick", "x [m]", "y [m]", "z [m]", "dx [m]", "dy [m]", "dz [m]"});
  TableWriter balls(o.run.file("ball.csv"), {"picture", "t [s]", "x [m]", "y [m]", "z [m]", "radius [m]"});
  std::vector<Vector3> built;
  for (const auto& body : scene.bricks) built.push_back(body->position());
  const auto record = [&] {
    double energy = scene.ball->kineticEnergy();
    double moved = 0.;
    for (std::size_t k = 0; k < built.size(); ++k) {
      energy += scene.bricks[k]->kineticEnergy();
      moved += norm(scene.bricks[k]->position() - built[k]) > 0.01 ? 1. : 0.;
    }
    const Vector3 x = scene.ball->position();
    table.writeRow({simulation.time(), static_cast<double>(simulation.problem().size()) / 3., x[0], x[2],
                    norm(vector3(data(scene.ball->velocity()))), energy, moved});
  };
  std::size_t pictures = 0;
  const auto takePicture = [&] {
    // The first when the wall stands, the others after the impact.
    const double due = o.rest + (o.run.end - o.rest) * static_cast<double>(pictures) /
                                    static_cast<double>(std::max<std::size_t>(o.pictures, 2) - 1);
    if (simulation.time() < due - 0.5 * o.run.step) return;
    const double number = static_cast<double>(pictures);
    for (std::size_t k = 0; k < built.size(); ++k) {
      writeOutline(outlines, number, simulation.time(), k, *scene.bricks[k], scene.edges[k]);
    }
    const Vector3 x = scene.ball->position();
    balls.writeRow({number, simulation.time(), x[0], x[1], x[2], o.radius});
    ++pictures;
  };
  ExampleRun run(o.run, simulation);
  for (TableWriter* const each : {&table, &outlines, &balls}) run.keep(*each);
  run.keep("pictures", [&](StateArchive& archive) { archive.value("pictures", pictures); });
  run.toTheEnd(record, [&] {
    record();
    takePicture();
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--rows", o.rows, "Rows of bricks").between(1, 200);
    line.add("--columns", o.columns, "Bricks in a row").between(1, 200);
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--restitution", o.restitution, "Coefficient of restitution");
    line.add("--speed", o.speed, "Speed of the ball, m/s");
    line.add("--radius", o.radius, "Radius of the ball, m").between(1e-3, 10.);
    line.add("--density", o.density, "Density of the bricks, kg/m^3");
    line.add("--ball-density", o.ballDensity, "Density of the ball, kg/m^3");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--rest", o.rest, "Time at which the ball arrives, s");
    line.add("--tolerance", o.tolerance, "Tolerance of the solver");
    line.add("--pictures", o.pictures, "Number of instants at which all outlines are written");
  };
  return runExample(argc, argv, "A ball that hits a wall of boxes", o.run, options, [&] { simulate(o); });
}
