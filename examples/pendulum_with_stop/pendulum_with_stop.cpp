// SPDX-License-Identifier: Apache-2.0
//
// A pendulum that swings against a wall: a nonlinear system and a nonlinear relation, with automatic Jacobians. See
// README.md for the equations.
//
//     pendulum_with_stop
//     pendulum_with_stop --angle -2.5 --wall 0 --restitution 0.5
//     pendulum_with_stop --damping 0.4 --end 20 --output results/damped

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <string>

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
  double step = 1e-3;
  double end = 10.;
  double theta = 0.5;
  std::string output = "pendulum_with_stop";
  RunOptions run;
};

void simulate(const Options& o) {
  // 1. The system: m l² φ̈ + c φ̇ + m g l sin φ = p.
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({o.angle}), makeVector({o.velocity}),
                                                       makeMatrix({{o.mass * o.length * o.length}}));
  pendulum->setName("pendulum");
  pendulum->setInternalForces(automatic([o](const auto&, const auto& q, const auto& v, auto& force) {
    using std::sin;
    force(0) = o.damping * v(0) + o.mass * o.gravity * o.length * sin(q(0));
  }));

  // 2. The stop: the bob stays left of a wall, y = l (sin φ_w − sin φ).
  const auto stop = std::make_shared<Interaction>(
      NewtonImpactNSL(o.restitution), LagrangianScleronomousR(1, automatic([o](const auto& q, auto& y) {
                                                                using std::sin;
                                                                y(0) = o.length * (std::sin(o.wall) - sin(q(0)));
                                                              })));
  stop->setName("wall");

  // 3. The model, with its Jacobians checked against differences before the first step.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(pendulum);
  model.link(stop, pendulum);
  TimeSteppingOptions checking;
  checking.checkJacobians = true;
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), MoreauJeanOSI(o.theta), LCP(), checking);

  // 4. The run; a row at the start and one after each step.
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "phi [rad]", "phi_dot [rad/s]", "gap [m]", "lambda [N s]", "energy [J]"});
  const auto record = [&] {
    const double phi = pendulum->q()(0);
    const double speed = o.length * pendulum->velocity()(0);
    const double energy = o.mass * (0.5 * speed * speed + o.gravity * o.length * (1. - std::cos(phi)));
    table.writeRow({simulation.time(), phi, pendulum->velocity()(0), stop->y(0)(0), stop->lambda(1)(0), energy});
  };
  ExampleRun run(o.run, simulation, "pendulum with stop", o.output);
  run.keep(table);
  run.toTheEnd(record);
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A pendulum that swings against a wall (Moreau-Jean time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--mass", options.mass, "Mass of the bob, kg");
  app.add_option("--length", options.length, "Length, m");
  app.add_option("--gravity", options.gravity, "Acceleration of gravity, m/s^2");
  app.add_option("--damping", options.damping, "Viscous damping of the hinge, N m s/rad");
  app.add_option("--angle", options.angle, "Initial angle from the vertical, rad");
  app.add_option("--velocity", options.velocity, "Initial angular velocity, rad/s");
  app.add_option("--wall", options.wall, "Angle at which the bob touches the wall, rad");
  app.add_option("--restitution", options.restitution, "Coefficient of restitution");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Moreau-Jean scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("pendulum_with_stop", app, argc, argv, [&] { simulate(options); });
}
