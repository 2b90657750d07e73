// SPDX-License-Identifier: Apache-2.0
//
// A box on an incline that is shaken along its slope: it sticks, slides a little in every period, and so walks down.
// Beside it the closed form of a block. See README.md for the equations.
//
//     sliding_box
//     sliding_box --shaking 1
//     sliding_box --speed 1.5 --yaw 4 --shaking 0 --angle 15 --end 1 --output results/thrown

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <numbers>
#include <string>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "ShakenBlock.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 1.;
  double length = 0.2, width = 0.15, height = 0.06;
  double angle = 20.;
  double mu = 0.5;
  double shaking = 3.;
  double frequency = 4.;
  double speed = 0.;
  double yaw = 0.;
  double gravity = 9.81;
  double step = 1e-3;
  double end = 2.;
  double theta = 0.5;
  std::string output = "sliding_box";
  RunOptions run;
  SceneOptions scene{.interval = 0.01};
};

// What there is to see: the box and a part of the incline.
void addScene(VtkWriter& vtk, const Options& o, const std::shared_ptr<NewtonEulerDS>& box, const Vector3& normal) {
  vtk.add(box, VtkShape::box(o.length, o.width, o.height));
  const VtkPlacement incline{-0.01 * normal, box->orientation()};
  vtk.addObstacle("incline", VtkShape::box(6. * o.length, 3. * o.width, 0.02), incline);
  vtk.addContacts();
}

void simulate(const Options& o) {
  // 1. The incline: it descends along x; its frame has x down the slope and z along the normal.
  const double alpha = o.angle * std::numbers::pi / 180.;
  const Vector3 down{std::cos(alpha), 0., -std::sin(alpha)}, normal{std::sin(alpha), 0., std::cos(alpha)};
  const Quaternion lying = rotations::exponential({0., alpha, 0.});

  // 2. The box, in the frame of the shaken incline: its weight, and the force of inertia of the shaking.
  const Vector3 place = 0.5 * o.height * normal;
  const Vector3 v = o.speed * down;
  const auto box =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(place, lying), makeVector({v[0], v[1], v[2], 0., 0., o.yaw}),
                                      o.mass, NewtonEulerDS::boxInertia(o.mass, o.length, o.width, o.height));
  box->setName("box");
  const double omega = 2. * std::numbers::pi * o.frequency;
  box->setExternalForces([=](double t, Vector& force) {
    const double along = o.mass * o.shaking * std::sin(omega * t);
    for (std::size_t i = 0; i < 3; ++i) force(i) = along * down[i];
    force(2) -= o.mass * o.gravity;
  });

  // 3. Eight contacts in one interaction, of which four carry: their impulses are not unique, the motion is.
  const auto contact = std::make_shared<Interaction>(
      NewtonImpactFrictionNSL(0., 0., o.mu),
      NewtonEuler3DR(BoxPlane(o.length, o.width, o.height, Plane::through({0., 0., 0.}, normal))));
  contact->setName("incline");
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(box);
  model.link(contact, box);
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), MoreauJeanOSI(o.theta), FrictionContact(3));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, box, normal); });

  // 4. The run; a row at the start and one after each step, with the block's closed form beside.
  ShakenBlock block(o.gravity * std::sin(alpha), o.mu * o.gravity * std::cos(alpha), o.shaking, omega, o.speed);
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "s [m]", "across [m]", "v [m/s]", "yaw [rad]", "s block [m]", "v block [m/s]",
                           "weight carried [N]"});
  double worst = 0.;
  const auto record = [&] {
    const Vector3 moved = box->position() - place;
    const double yaw = rotations::logarithm(rotations::product(rotations::conjugate(lying), box->orientation()))[2];
    block.advance(simulation.time());
    double carried = 0.;
    for (std::size_t k = 0; k < 8; ++k) carried += contact->lambda(0)(3 * k);
    table.writeRow({simulation.time(), dot(moved, down), moved[1], dot(vector3(data(box->velocity())), down), yaw,
                    block.position(), block.velocity(), carried});
    worst = std::max(worst, std::abs(dot(moved, down) - block.position()));
  };
  ExampleRun run(o.run, simulation, "sliding box", o.output);
  run.keep(table);
  run.keep("block", [&](StateArchive& archive) { block.serializeState(archive); });
  run.keep("worst", {&worst});
  run.toTheEnd(record);
  std::printf("The box moved %.4f m down the slope", dot(box->position() - place, down));
  if (o.yaw == 0.) std::printf("; largest distance from the closed form of a block: %.2e m", worst);
  std::printf(".\n%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A box on a shaken incline, with stick and slip");
  app.option_defaults()->always_capture_default();
  Options options;
  options.scene.addTo(app);
  app.add_option("--mass", options.mass, "Mass, kg");
  app.add_option("--length", options.length, "Edge down the slope, m");
  app.add_option("--width", options.width, "Edge across, m");
  app.add_option("--height", options.height, "Height, m");
  app.add_option("--angle", options.angle, "Angle of the incline, degrees");
  app.add_option("--mu", options.mu, "Coefficient of friction");
  app.add_option("--shaking", options.shaking, "Amplitude of the acceleration along the slope, m/s^2");
  app.add_option("--frequency", options.frequency, "Frequency of the shaking, Hz");
  app.add_option("--speed", options.speed, "Initial speed down the slope, m/s");
  app.add_option("--yaw", options.yaw, "Initial spin about the normal, rad/s");
  app.add_option("--gravity", options.gravity, "Acceleration of gravity, m/s^2");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Moreau-Jean scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("sliding_box", app, argc, argv, [&] { simulate(options); });
}
