// SPDX-License-Identifier: Apache-2.0
//
// A box on an incline that is shaken along its slope: it sticks, slides a little in every period, and so walks down.
// Beside it the closed form of a block. See README.md for the equations.
//
//     sliding_box
//     sliding_box --shaking 1
//     sliding_box --speed 1.5 --yaw 4 --shaking 0 --angle 15 --end 1 --output results/thrown

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <numbers>

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
  RunOptions run{.step = 1e-3, .end = 2., .theta = 0.5, .output = "sliding_box"};
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
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});

  // 1. The incline: it descends along x; its frame has x down the slope and z along the normal.
  const double alpha = o.angle * std::numbers::pi / 180.;
  const Vector3 down{std::cos(alpha), 0., -std::sin(alpha)}, normal{std::sin(alpha), 0., std::cos(alpha)};
  const Quaternion lying = rotations::exponential({0., alpha, 0.});

  // 2. The box, in the frame of the shaken incline: beside its weight, the force of inertia of the shaking.
  const Vector3 place = 0.5 * o.height * normal;
  const Vector3 v = o.speed * down;
  const auto box = model.insert(
      "box",
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(place, lying), makeVector({v[0], v[1], v[2], 0., 0., o.yaw}),
                                      o.mass, NewtonEulerDS::boxInertia(o.mass, o.length, o.width, o.height)));
  const double omega = 2. * std::numbers::pi * o.frequency;
  box->setExternalForces([=](double t, Vector& force) { force = o.mass * o.shaking * std::sin(omega * t) * down; });

  // 3. Eight contacts in one interaction, of which four carry: their impulses are not unique, the motion is.
  const auto contact =
      model.link("incline", NewtonImpactFrictionNSL(0., 0., o.mu),
                 NewtonEuler3DR(BoxPlane(o.length, o.width, o.height, Plane::through({0., 0., 0.}, normal))), box);
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, box, normal); });

  // 4. The run; a row at the start and one after each step, with the block's closed form beside.
  ShakenBlock block(o.gravity * std::sin(alpha), o.mu * o.gravity * std::cos(alpha), o.shaking, omega, o.speed);
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "s [m]", "across [m]", "v [m/s]", "yaw [rad]",
                                                   "s block [m]", "v block [m/s]", "weight carried [N]"});
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
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("block", [&](StateArchive& archive) { block.serializeState(archive); });
  run.keep("worst", {&worst});
  run.toTheEnd(record);
  std::printf("The box moved %.4f m down the slope", dot(box->position() - place, down));
  if (o.yaw == 0.) std::printf("; largest distance from the closed form of a block: %.2e m", worst);
  std::printf(".\n");
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--length", o.length, "Edge down the slope, m");
    line.add("--width", o.width, "Edge across, m");
    line.add("--height", o.height, "Height, m");
    line.add("--angle", o.angle, "Angle of the incline, degrees");
    line.add("--mu", o.mu, "Coefficient of friction");
    line.add("--shaking", o.shaking, "Amplitude of the acceleration along the slope, m/s^2");
    line.add("--frequency", o.frequency, "Frequency of the shaking, Hz");
    line.add("--speed", o.speed, "Initial speed down the slope, m/s");
    line.add("--yaw", o.yaw, "Initial spin about the normal, rad/s");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
  };
  return runExample(argc, argv, "A box on a shaken incline, with stick and slip", o.run, options, [&] { simulate(o); });
}
