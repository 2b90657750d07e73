// SPDX-License-Identifier: Apache-2.0
//
// A body thrown with a spin about its intermediate axis flips over and over; beside it the closed form. See README.md
// for the equations.
//
//     intermediate_axis
//     intermediate_axis --theta 1 --step 1e-3
//     intermediate_axis --update normalised --semi-explicit --output results/explicit

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "FreeRotation.hpp"

using namespace delassus;

namespace {

struct Options {
  std::vector<double> moments{1e-4, 2.2e-4, 3e-4};
  double spin = 6.;
  double disturbance = 0.01;
  bool semiExplicit = false;
  ConfigurationUpdate update = ConfigurationUpdate::exponential;
  RunOptions run{.step = 1e-3, .end = 20., .theta = 0.5, .output = "intermediate_axis"};
  SceneOptions scene{.interval = 0.02};
};

// What to draw: a spindle along the second axis, with wings along the first, on which the moment of inertia is least.
void addScene(VtkWriter& vtk, const std::shared_ptr<NewtonEulerDS>& body) {
  vtk.add(body, VtkShape::box(0.16, 0.02, 0.03)
                    .with(VtkShape::rod({0., -0.03, 0.}, {0., 0.08, 0.}, 0.012, 32))
                    .with(VtkShape::sphere(0.012, 32), {{0., 0.08, 0.}}));
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The body, spinning about its second axis, with a small part about the others.
  const Vector3 Omega{o.disturbance * o.spin, o.spin, o.disturbance * o.spin};
  const Quaternion upright{1., 0., 0., 0.};
  const double mass = 0.2;
  const auto body = model.insert(
      "wing nut", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}, upright),
                                                  makeVector({0., 0., 0., Omega[0], Omega[1], Omega[2]}), mass,
                                                  diagonalMatrix({o.moments[0], o.moments[1], o.moments[2]})));
  body->setConfigurationUpdate(o.update);

  // 2. A model without interactions, and the scheme.
  MoreauJeanOSI scheme = o.semiExplicit ? MoreauJeanOSI::semiExplicit(o.run.theta) : MoreauJeanOSI(o.run.theta);
  TimeStepping simulation(model, o.run.step, std::move(scheme));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, body); });

  // 3. The run; a row at the start and one after each step, with the closed form beside.
  const FreeRotation exact({o.moments[0], o.moments[1], o.moments[2]}, Omega, upright);
  TableWriter table(
      o.run.file("trajectory.csv"),
      {"t [s]", "Omega1 [rad/s]", "Omega2 [rad/s]", "Omega3 [rad/s]", "Omega1 exact [rad/s]", "Omega2 exact [rad/s]",
       "Omega3 exact [rad/s]", "axis along L", "orientation error [rad]", "energy error"});
  const double energy = body->kineticEnergy();
  const Vector3 L = body->angularMomentum();
  double worstOmega = 0., worstOrientation = 0., worstEnergy = 0., worstMomentum = 0.;
  const auto record = [&] {
    const double t = simulation.time();
    const Vector3 now = body->angularVelocity(), there = exact.angularVelocity(t);
    const Quaternion apart = rotations::product(rotations::conjugate(exact.orientation(t)), body->orientation());
    const double orientation = norm(rotations::logarithm(apart));
    const double lost = body->kineticEnergy() / energy - 1.;
    const double along = dot(column(body->rotation(), 1), L) / norm(L);
    table.writeRow({t, now[0], now[1], now[2], there[0], there[1], there[2], along, orientation, lost});
    worstOmega = std::max(worstOmega, norm(now - there));
    worstOrientation = std::max(worstOrientation, orientation);
    worstEnergy = std::max(worstEnergy, std::abs(lost));
    worstMomentum = std::max(worstMomentum, norm(body->angularMomentum() - L) / norm(L));
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("errors", {&worstOmega, &worstOrientation, &worstEnergy, &worstMomentum});
  run.toTheEnd(record);
  std::printf("It turns over every %.3f s. Largest errors: Omega %.2e rad/s, orientation %.2e rad,\n",
              0.5 * exact.period(), worstOmega, worstOrientation);
  std::printf("energy %.2e and angular momentum %.2e of what they are.\n", worstEnergy, worstMomentum);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--moments", o.moments, "Principal moments of inertia, increasing, kg m^2").values(3);
    line.add("--spin", o.spin, "Angular velocity about the second axis, rad/s");
    line.add("--disturbance", o.disturbance, "Fraction of it about the other axes");
    line.addFlag("--semi-explicit", o.semiExplicit, "Take forces at the beginning of the step");
    line.addChoice("--update", o.update,
                   {{"exponential", ConfigurationUpdate::exponential}, {"normalised", ConfigurationUpdate::normalised}},
                   "How the orientation moves: exponential or normalised");
  };
  return runExample(argc, argv, "A body that spins about its intermediate axis and flips (free rotation)", o.run,
                    options, [&] { simulate(o); });
}
