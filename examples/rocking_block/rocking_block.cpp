// SPDX-License-Identifier: Apache-2.0
//
// A block that is tilted on its lower edge and released: it rocks on rough ground, losing energy at every landing. See
// README.md for the equations.
//
//     rocking_block
//     rocking_block --width 0.4 --friction 0.2
//     rocking_block --restitution 0.3 --output results/bouncing

#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 2.;
  double width = 0.2;
  double height = 0.8;
  double depth = 0.3;
  double gravity = 9.81;
  double tilt = 0.6;
  double friction = 0.7;
  double restitution = 0.;
  RunOptions run{.step = 1e-3, .end = 4., .output = "rocking_block"};
  SceneOptions scene{.interval = 0.01};
};

// What there is to see.
void addScene(VtkWriter& vtk, const Options& o, const std::shared_ptr<NewtonEulerDS>& block) {
  vtk.add(block, VtkShape::box(o.width, o.depth, o.height));
  vtk.addObstacle("floor", VtkShape::rectangle(4. * o.height, 2. * o.height));
  vtk.addContacts();
}

// The block on its edge at y axis, turned by `tilt` about it.
Vector placeOnEdge(const Options& o, double tilt) {
  const double side = tilt > 0. ? 1. : -1.;
  const double c = std::cos(tilt);
  const double s = std::sin(tilt);
  const double x = side * 0.5 * o.width;
  return NewtonEulerDS::at({x * (1. - c) + 0.5 * o.height * s, 0., x * s + 0.5 * o.height * c},
                           {std::cos(0.5 * tilt), 0., std::sin(0.5 * tilt), 0.});
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});

  // 1. The block, tilted by a part of the angle α at which it would fall over.
  const double alpha = std::atan(o.width / o.height);
  const auto block = model.insert(
      "block", std::make_shared<NewtonEulerDS>(placeOnEdge(o, o.tilt * alpha), Vector(6), o.mass,
                                               NewtonEulerDS::boxInertia(o.mass, o.width, o.depth, o.height)));

  // 2. Its eight corners and the ground, with friction.
  const auto ground = model.link("ground", NewtonImpactFrictionNSL(o.restitution, 0., o.friction),
                                 NewtonEuler3DR(BoxPlane(o.width, o.depth, o.height, Plane{})), block);

  // 3. The simulation, with pictures if they are asked for.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI());
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, block); });

  // 4. The run. Energy is above that of the block at rest, and Housner's is what that was at the start, times the
  // factor of his theory at each change of sides.
  const double sine = std::sin(alpha);
  const double ratio = 1. - 1.5 * sine * sine;
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "tilt / alpha", "rate [rad/s]", "x [m]", "height [m]",
                                                   "energy [J]", "energy of Housner [J]", "normal impulse [N s]"});
  const auto tiltOf = [&] { return rotations::logarithm(block->orientation())[1]; };
  const auto energy = [&] {
    return block->kineticEnergy() + o.mass * o.gravity * (block->position()[2] - 0.5 * o.height);
  };
  double expected = energy();
  double side = 1.;
  int landings = 0, reported = 0;
  const auto record = [&] {
    double impulse = 0.;
    for (std::size_t k = 0; k < 8; ++k) impulse += ground->lambda(1)(3 * k);
    table.writeRow({simulation.time(), tiltOf() / alpha, block->velocity()(4), block->position()[0],
                    block->position()[2], energy(), expected, impulse});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("landings", [&](StateArchive& archive) {
    archive.value("expected", expected);
    archive.value("side", side);
    archive.value("landings", landings);
    archive.value("reported", reported);
  });
  run.toTheEnd(record, [&] {
    if (side * tiltOf() < 0. && std::abs(block->velocity()(4)) > 1e-3) {
      side = -side;
      expected *= ratio * ratio;
      ++landings;
    }
    // Where it turns back, a landing is over.
    const double rate = block->velocity()(4);
    if (landings > reported && landings <= 5 && side * rate < 0.) {
      reported = landings;
      std::printf(
          "after landing %d it turns at %.4f s, tilted by %.4f alpha: energy %.5f J, of Housner's theory %.5f J\n",
          landings, simulation.time(), std::abs(tiltOf()) / alpha, energy(), expected);
    }
    record();
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--width", o.width, "Edge along which it rocks, m");
    line.add("--height", o.height, "Height, m");
    line.add("--depth", o.depth, "Third edge, m");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--tilt", o.tilt, "Initial tilt, of the angle at which it falls over");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--restitution", o.restitution, "Coefficient of restitution");
  };
  return runExample(argc, argv, "A block that rocks on rough ground (Moreau-Jean time stepping)", o.run, options,
                    [&] { simulate(o); });
}
