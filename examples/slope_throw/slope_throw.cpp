// SPDX-License-Identifier: Apache-2.0
//
// A point that is thrown across a slope with friction, from event to event: it turns down the slope until it rests, or
// slides on for ever. See README.md for the equations.
//
//     slope_throw
//     slope_throw --ratio 3 --output results/rough
//     slope_throw --ratio 0.9 --end 3 --output results/smooth

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>
#include <numbers>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 1.;
  double angle = 20.;
  double ratio = 1.5;
  double speed = 2.;
  double gravity = 9.81;
  RunOptions run{.step = 1e-2, .end = 1.5, .theta = 0.5, .output = "slope_throw"};
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The point, q = (down the slope, across it, away from it), under its weight.
  const double alpha = o.angle * std::numbers::pi / 180.;
  const double pull = o.gravity * std::sin(alpha);
  const auto point = model.insert(
      "point", std::make_shared<LagrangianLinearTIDS>(makeVector({0., 0., 0.}), makeVector({0., o.speed, 0.}),
                                                      diagonalMatrix({o.mass, o.mass, o.mass})));
  point->setExternalForces(makeVector({o.mass * pull, 0., -o.mass * o.gravity * std::cos(alpha)}));

  // 2. The slope: three rows, the gap and two tangents.
  model.link("slope", NewtonImpactFrictionNSL(0., 0., o.ratio * std::tan(alpha), 3),
             LagrangianLinearTIR(makeMatrix({{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}})), point);

  // 3. The run; a row at the start and at each output, with the hodograph for the direction of the velocity beside.
  EventDriven simulation(model, TimeDiscretisation(0., o.run.step), FrictionContact(3));
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x [m]", "y [m]", "vx [m/s]", "vy [m/s]", "vy hodograph [m/s]"});
  double worst = 0.;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("worst", {&worst});
  run.toTheEnd([&] {
    const Vector& v = point->velocity();
    const bool slides = std::hypot(v(0), v(1)) > 1e-6;
    const double across = slides ? o.speed * std::pow(std::tan(0.5 * std::atan2(v(1), v(0))), o.ratio) : 0.;
    table.writeRow({simulation.time(), point->q()(0), point->q()(1), v(0), v(1), across});
    worst = std::max(worst, std::abs(v(1) - across));
  });
  std::printf("Largest distance from the hodograph: %.1e m/s\n", worst);
  for (const Event& event : simulation.events()) {
    const double rest = o.speed * o.ratio / (pull * (o.ratio * o.ratio - 1.));
    if (event.kind == EventKind::stick) std::printf("At rest at t = %.12f s (exact %.12f s)\n", event.t, rest);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--angle", o.angle, "Angle of the slope, degrees").between(0.1, 89.);
    line.add("--ratio", o.ratio, "Coefficient of friction over the tangent of the angle");
    line.add("--speed", o.speed, "Initial speed across the slope, m/s");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
  };
  return runExample(argc, argv, "A point thrown across a slope with friction, from event to event", o.run, options,
                    [&] { simulate(o); });
}
