// SPDX-License-Identifier: Apache-2.0
//
// A ball that bounces on the floor: the smallest model. See README.md for the equations.
//
//     bouncing_ball
//     bouncing_ball --restitution 0.5 --height 2 --end 5
//     bouncing_ball --step 1e-4 --restitution 1 --output results/elastic
//     bouncing_ball --scheme schatzman-paoli

#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
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
  std::string scheme = "moreau-jean";
  RunOptions run{.step = 5e-3, .end = 10., .theta = 0.5, .output = "bouncing_ball"};
};

std::unique_ptr<OneStepIntegrator> makeScheme(const Options& o) {
  if (o.scheme == "moreau-jean") return std::make_unique<MoreauJeanOSI>(o.run.theta);
  return std::make_unique<SchatzmanPaoliOSI>(o.run.theta);
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The system: m v̇ = −m g + p.
  const auto ball = model.insert("ball", std::make_shared<LagrangianLinearTIDS>(
                                             makeVector({o.height}), makeVector({o.velocity}), makeMatrix({{o.mass}})));
  ball->setExternalForces(makeVector({-o.mass * o.gravity}));

  // 2. The contact: y = q, Newton's impact law.
  const auto floor = model.link("floor", NewtonImpactNSL(o.restitution), LagrangianLinearTIR(makeMatrix({{1.}})), ball);

  // 3. The run; a row at the start and one after each step.
  TimeStepping simulation(model, o.run.step, makeScheme(o));
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "q [m]", "v [m/s]", "lambda [N s]", "energy [J]"});
  const auto record = [&] {
    const double q = ball->q()(0);
    const double v = ball->velocity()(0);
    table.writeRow({simulation.time(), q, v, floor->lambda(1)(0), o.mass * (0.5 * v * v + o.gravity * q)});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--height", o.height, "Initial height, m");
    line.add("--velocity", o.velocity, "Initial velocity, upwards, m/s");
    line.add("--restitution", o.restitution, "Coefficient of restitution");
    line.add("--scheme", o.scheme, "Scheme: contacts on velocities or on positions")
        .oneOf({"moreau-jean", "schatzman-paoli"});
  };
  return runExample(argc, argv, "A ball that bounces on the floor (time stepping)", o.run, options,
                    [&] { simulate(o); });
}
