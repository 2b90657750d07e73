// SPDX-License-Identifier: Apache-2.0
//
// A motor that swings an arm against a stop: a circuit, a mechanism and a sampled controller in one model. See
// README.md for the equations.
//
//     motor_arm
//     motor_arm --voltage 12 --stop 3
//     motor_arm --sampling 0.02 --output results/slow

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 1.2;
  double length = 0.5;
  double resistance = 0.6;
  double inductance = 1.5e-3;
  double constant = 0.04;
  double gear = 50.;
  double rotor = 1e-5;
  double voltage = 24.;
  double stop = 1.9;
  double restitution = 0.3;
  double sampling = 1e-3;
  double gravity = 9.81;
  RunOptions run{.step = 2e-4, .end = 3., .theta = 0.5, .output = "motor_arm"};
};

// Up to where the stop is in the way, and back.
double targetAt(double t) {
  if (t < 0.1) return 0.;
  return t < 1.6 ? 2.2 : 0.6;
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});

  // 1. The arm, a rod that hangs from a pivot, with the inertia of the rotor behind the gear.
  const double inertia = o.mass * o.length * o.length / 12. + o.rotor * o.gear * o.gear;
  const Vector hanging = NewtonEulerDS::at({0., 0., -0.5 * o.length});
  const auto arm = model.insert(
      "arm", std::make_shared<NewtonEulerDS>(hanging, Vector(6), o.mass, diagonalMatrix({inertia, inertia, 1e-3})));
  const PivotJointR pivot = PivotJointR::at({0., 0., 0.}, {0., -1., 0.}, hanging);
  model.link("pivot", EqualityConditionNSL(5), pivot, arm);

  // 2. The circuit, L di/dt = u − R i − k ω, with the voltage u as its parameter.
  const auto circuit =
      model.insert("circuit", std::make_shared<FirstOrderLinearTIDS>(Vector(1), makeMatrix({{-o.resistance}})));
  circuit->setM(makeMatrix({{o.inductance}}));
  circuit->setZ(makeVector({0.}));
  circuit->setB([](double, const Vector& z, Vector& b) { b(0) = z(0); });

  // 3. The motor between both: −k ω in the circuit and k i on the arm, of the angle times the ratio of the gear.
  const auto motor =
      model.link("motor", GyratorLaw(o.constant), TransducerR(1, pivot.angle().times(o.gear)), circuit, arm);

  // 4. The stop.
  const auto stop = model.link("stop", NewtonImpactNSL(o.restitution), pivot.angle().below(o.stop), arm);

  // 5. The simulation, with a controller that sees the angle at its own instants.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  const double t0 = model.t0();
  const auto angle = [&] { return motor->output(simulation.time())(1) / o.gear; };
  const auto speed = [&] { return motor->rate(simulation.time())(1) / o.gear; };
  simulation.addSampling("controller", TimeDiscretisation(t0, o.sampling), [&] {
    const double u = 60. * (targetAt(simulation.time()) - angle()) - 4. * speed();
    circuit->setZ(makeVector({std::clamp(u, -o.voltage, o.voltage)}));
  });

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "target [rad]", "angle [rad]", "speed [rad/s]",
                                                   "voltage [V]", "current [A]", "torque [N m]", "stop [N m]"});
  const auto record = [&] {
    const double t = simulation.time(), torque = o.gear * motor->force(t)(1);
    table.writeRow({t, targetAt(t), angle(), speed(), circuit->z()(0), circuit->x()(0), torque, stop->lambda(0)(0)});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--mass", o.mass, "Mass of the arm, kg");
    line.add("--length", o.length, "Length of the arm, m");
    line.add("--resistance", o.resistance, "Resistance of the motor, ohm");
    line.add("--inductance", o.inductance, "Inductance of the motor, H");
    line.add("--constant", o.constant, "Constant of the motor, N m/A");
    line.add("--gear", o.gear, "Ratio of the gear");
    line.add("--rotor", o.rotor, "Inertia of the rotor, kg m^2");
    line.add("--voltage", o.voltage, "Largest voltage, V");
    line.add("--stop", o.stop, "Angle of the stop, rad");
    line.add("--restitution", o.restitution, "Restitution at the stop");
    line.add("--sampling", o.sampling, "Period of the controller, s");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
  };
  return runExample(argc, argv, "A motor that swings an arm against a stop (Moreau-Jean time stepping)", o.run, options,
                    [&] { simulate(o); });
}
