// SPDX-License-Identifier: Apache-2.0
//
// A ball that bounces on the floor: the smallest model. See README.md for the equations.
//
//     bouncing_ball
//     bouncing_ball --restitution 0.5 --height 2 --end 5
//     bouncing_ball --step 1e-4 --restitution 1 --output results/elastic
//     bouncing_ball --scheme schatzman-paoli

#include <CLI/CLI.hpp>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 1.;
  double gravity = 9.81;
  double height = 1.;
  double velocity = 0.;
  double restitution = 0.9;
  double step = 5e-3;
  double end = 10.;
  double theta = 0.5;
  std::string scheme = "moreau-jean";
  std::string output = "bouncing_ball";
  RunOptions run;
};

std::unique_ptr<OneStepIntegrator> makeScheme(const Options& o) {
  if (o.scheme == "moreau-jean") return std::make_unique<MoreauJeanOSI>(o.theta);
  return std::make_unique<SchatzmanPaoliOSI>(o.theta);
}

void simulate(const Options& o) {
  // 1. The system: m v̇ = −m g + p.
  const auto ball =
      std::make_shared<LagrangianLinearTIDS>(makeVector({o.height}), makeVector({o.velocity}), makeMatrix({{o.mass}}));
  ball->setName("ball");
  ball->setExternalForces(makeVector({-o.mass * o.gravity}));

  // 2. The contact: y = q, Newton's impact law.
  const auto floor =
      std::make_shared<Interaction>(NewtonImpactNSL(o.restitution), LagrangianLinearTIR(makeMatrix({{1.}})));
  floor->setName("floor");

  // 3. The model.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(ball);
  model.link(floor, ball);

  // 4. The run; a row at the start and one after each step.
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), makeScheme(o), std::make_unique<LCP>());
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "q [m]", "v [m/s]", "lambda [N s]", "energy [J]"});
  const auto record = [&] {
    const double q = ball->q()(0);
    const double v = ball->velocity()(0);
    table.writeRow({simulation.time(), q, v, floor->lambda(1)(0), o.mass * (0.5 * v * v + o.gravity * q)});
  };
  ExampleRun run(o.run, simulation, "bouncing ball", o.output);
  run.keep(table);
  run.toTheEnd(record);
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A ball that bounces on the floor (time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--mass", options.mass, "Mass, kg");
  app.add_option("--gravity", options.gravity, "Acceleration of gravity, m/s^2");
  app.add_option("--height", options.height, "Initial height, m");
  app.add_option("--velocity", options.velocity, "Initial velocity, upwards, m/s");
  app.add_option("--restitution", options.restitution, "Coefficient of restitution");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the scheme");
  app.add_option("--scheme", options.scheme, "Scheme: contacts on velocities or on positions")
      ->check(CLI::IsMember({"moreau-jean", "schatzman-paoli"}));
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("bouncing_ball", app, argc, argv, [&] { simulate(options); });
}
