// SPDX-License-Identifier: Apache-2.0
//
// A quarter of a car on a washboard: springs and a damper between bodies, and a tyre that leaves the road. See
// README.md for the equations.
//
//     quarter_car
//     quarter_car --speed 20 --height 0.02 --wave 1
//     quarter_car --damping 300 --end 8 --output results/soft

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double body = 250.;
  double wheel = 35.;
  double tread = 3.;
  double stiffness = 16e3;
  double damping = 1.1e3;
  double tyreStiffness = 160e3;
  double tyreDamping = 100.;
  double speed = 12.;
  double height = 0.03;
  double wave = 0.8;
  double gravity = 9.81;
  RunOptions run{.step = 5e-4, .end = 4., .theta = 0.5, .output = "quarter_car"};
};

// A mass that moves up and down from where springs carry it; q = 0 is the place of a car that stands.
std::shared_ptr<LagrangianLinearTIDS> mass(double m, double gravity) {
  const auto system = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{m}}));
  system->setExternalForces(makeVector({-m * gravity}));
  return system;
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The bodies, each with its weight.
  const auto body = model.insert("body", mass(o.body, o.gravity));
  const auto wheel = model.insert("wheel", mass(o.wheel, o.gravity));
  const auto tread = model.insert("tread", mass(o.tread, o.gravity));

  // 2. The force elements, preloaded with the weight that they carry: λ = λ₀ − k y − c ẏ, y = q_upper − q_lower.
  const LagrangianLinearTIR difference(makeMatrix({{1., -1.}}));
  const auto strut =
      model.link("strut", SpringDamperLaw(o.stiffness, o.damping, o.body * o.gravity), difference, body, wheel);
  const auto tyre = model.link("tyre", SpringDamperLaw(o.tyreStiffness, o.tyreDamping, (o.body + o.wheel) * o.gravity),
                               difference, wheel, tread);

  // 3. The road, flat for half a second, then a washboard: y = q − z(t), from which the tread does not rebound.
  const double rate = 2. * std::numbers::pi * o.speed / o.wave;
  const auto road = [o, rate](const auto& t) {
    using std::cos;
    const auto phase = rate * (t - 0.5);
    return phase > 0. ? 0.5 * o.height * (1. - cos(phase)) : 0. * phase;
  };
  const auto contact = model.link(
      "road", NewtonImpactNSL(0.),
      LagrangianRheonomousR(1, automatic([road](const auto& t, const auto& q, auto& y) { y(0) = q(0) - road(t); })),
      tread);

  // 4. The simulation; a row at the start and one after each step.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "road [m]", "body [m]", "wheel [m]", "tread [m]",
                                                   "road force [N]", "strut [N]", "tyre [N]", "body [m/s^2]"});
  const auto record = [&] {
    const double t = simulation.time(), acceleration = strut->force(t)(0) / o.body - o.gravity;
    table.writeRow({t, road(t), body->q()(0), wheel->q()(0), tread->q()(0), contact->lambda(0)(0), strut->force(t)(0),
                    tyre->force(t)(0), acceleration});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--body", o.body, "Mass of the body, kg");
    line.add("--wheel", o.wheel, "Mass of wheel and axle, kg");
    line.add("--tread", o.tread, "Mass of the tread, which touches the road, kg");
    line.add("--stiffness", o.stiffness, "Stiffness of the strut, N/m");
    line.add("--damping", o.damping, "Damping of the strut, N s/m");
    line.add("--tyre-stiffness", o.tyreStiffness, "Stiffness of the tyre, N/m");
    line.add("--tyre-damping", o.tyreDamping, "Damping of the tyre, N s/m");
    line.add("--speed", o.speed, "Speed of the car, m/s");
    line.add("--height", o.height, "Height of the washboard, m");
    line.add("--wave", o.wave, "Length of its waves, m");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
  };
  return runExample(argc, argv, "A quarter of a car on a washboard (Moreau-Jean time stepping)", o.run, options,
                    [&] { simulate(o); });
}
