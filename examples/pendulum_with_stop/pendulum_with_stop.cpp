// SPDX-License-Identifier: Apache-2.0
//
// A pendulum that swings against a wall: a nonlinear system and a nonlinear relation, with automatic Jacobians. See
// README.md for the equations.
//
//     pendulum_with_stop
//     pendulum_with_stop --angle -2.5 --wall 0 --restitution 0.5
//     pendulum_with_stop --damping 0.4 --end 20 --output results/damped

#include <cmath>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 1.;
  double length = 1.;
  double gravity = 9.81;
  double damping = 0.;
  double angle = -1.2;
  double velocity = 0.;
  double wall = 0.3;
  double restitution = 0.8;
  RunOptions run{.step = 1e-3, .end = 10., .theta = 0.5, .output = "pendulum_with_stop"};
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The system: m l² φ̈ + c φ̇ + m g l sin φ = p.
  const auto pendulum =
      model.insert("pendulum", std::make_shared<LagrangianDS>(makeVector({o.angle}), makeVector({o.velocity}),
                                                              makeMatrix({{o.mass * o.length * o.length}})));
  pendulum->setInternalForces(automatic([o](const auto&, const auto& q, const auto& v, auto& force) {
    using std::sin;
    force(0) = o.damping * v(0) + o.mass * o.gravity * o.length * sin(q(0));
  }));

  // 2. The stop: the bob stays left of a wall, y = l (sin φ_w − sin φ).
  const auto stop = model.link("wall", NewtonImpactNSL(o.restitution),
                               LagrangianScleronomousR(1, automatic([o](const auto& q, auto& y) {
                                                         using std::sin;
                                                         y(0) = o.length * (std::sin(o.wall) - sin(q(0)));
                                                       })),
                               pendulum);

  // 3. The simulation, with the Jacobians checked against differences before the first step.
  TimeSteppingOptions checking;
  checking.checkJacobians = true;
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta), checking);

  // 4. The run; a row at the start and one after each step.
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "phi [rad]", "phi_dot [rad/s]", "gap [m]", "lambda [N s]", "energy [J]"});
  const auto record = [&] {
    const double phi = pendulum->q()(0);
    const double speed = o.length * pendulum->velocity()(0);
    const double energy = o.mass * (0.5 * speed * speed + o.gravity * o.length * (1. - std::cos(phi)));
    table.writeRow({simulation.time(), phi, pendulum->velocity()(0), stop->y(0)(0), stop->lambda(1)(0), energy});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--mass", o.mass, "Mass of the bob, kg");
    line.add("--length", o.length, "Length, m");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--damping", o.damping, "Viscous damping of the hinge, N m s/rad");
    line.add("--angle", o.angle, "Initial angle from the vertical, rad");
    line.add("--velocity", o.velocity, "Initial angular velocity, rad/s");
    line.add("--wall", o.wall, "Angle at which the bob touches the wall, rad");
    line.add("--restitution", o.restitution, "Coefficient of restitution");
  };
  return runExample(argc, argv, "A pendulum that swings against a wall (Moreau-Jean time stepping)", o.run, options,
                    [&] { simulate(o); });
}
