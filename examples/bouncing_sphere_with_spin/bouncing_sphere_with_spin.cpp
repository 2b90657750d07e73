// SPDX-License-Identifier: Apache-2.0
//
// A ball with spin that bounces on a moving floor: a conveyor belt that may be shaken too. Compared with the closed
// form of the bounces. See README.md for the equations.
//
//     bouncing_sphere_with_spin
//     bouncing_sphere_with_spin --et 0 --mu 0.1
//     bouncing_sphere_with_spin --shaking 0.02 --frequency 5 --output results/shaken

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <numbers>

#include "../support/ExampleRun.hpp"
#include "../support/PhaseCount.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 0.05;
  double radius = 0.03;
  double height = 1.;
  double speed = 1.2;
  double spin = -60.;
  double belt = -0.4;
  double shaking = 0.;
  double frequency = 5.;
  double en = 0.85;
  double et = 0.5;
  double mu = 0.35;
  double gravity = 9.81;
  std::size_t every = 10;
  RunOptions run{.step = 1e-4, .end = 3., .theta = 0.5, .output = "bouncing_sphere_with_spin"};
  SceneOptions scene{.interval = 0.01};
};

// The bounces in closed form, on a belt that is not shaken: flights are parabolas, and each impact has
// u_N⁺ = −e_n u_N and p_T = −(2m/7)(1 + e_t) u_T, or μ p_N against u_T where that is more.
struct Bounces {
  double speed, spin;  // after the last impact
  double impact;       // speed of the next
  double left;         // time of the next
  double last = 0.;    // time of the last
  int count = 0;

  explicit Bounces(const Options& o)
      : speed(o.speed), spin(o.spin), impact(std::sqrt(2. * o.gravity * o.height)), left(impact / o.gravity) {}

  void serializeState(StateArchive& archive) {
    for (double* const number : {&speed, &spin, &impact, &left, &last}) archive.value("bounces", *number);
    archive.value("count", count);
  }

  // Up to t, or to where bounces come faster than `shortest`.
  void advance(const Options& o, double t, double shortest) {
    for (PhaseCount phases("closed form of the bounces"); left < t && 2. * impact / o.gravity > shortest;
         phases.next()) {
      const double slip = speed - o.radius * spin - o.belt;
      const double limit = o.mu * (1. + o.en) * impact;
      const double push = std::clamp(-2. / 7. * (1. + o.et) * slip, -limit, limit);
      speed += push;
      spin -= 2.5 * push / o.radius;
      impact *= o.en;
      last = left;
      left += 2. * impact / o.gravity;
      ++count;
    }
  }
};

// What to draw: the ball, and slats of the belt that run with it.
void addScene(VtkWriter& vtk, const Options& o, const std::shared_ptr<NewtonEulerDS>& ball) {
  vtk.add(ball, VtkShape::sphere(o.radius, 48));
  constexpr double pitch = 0.1, gap = 0.01, width = 0.24, thickness = 0.012;
  for (int k = -20; k < 40; ++k) {
    vtk.addObstacle("belt", VtkShape::box(pitch - gap, width, thickness), [=](double t) {
      const double up = o.shaking * std::sin(2. * std::numbers::pi * o.frequency * t);
      return VtkPlacement{{pitch * k + o.belt * t, 0., up - 0.5 * thickness}};
    });
  }
  vtk.addContacts();
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});

  // 1. The ball, with a spin about the horizontal y.
  const auto ball =
      model.insert("ball", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., o.radius + o.height}),
                                                           makeVector({o.speed, 0., 0., 0., o.spin, 0.}), o.mass,
                                                           NewtonEulerDS::ballInertia(o.mass, o.radius)));

  // 2. The floor: a plane whose obstacle runs along x, and up and down.
  const double omega = 2. * std::numbers::pi * o.frequency;
  const MovingPlane floor(Plane{}, automatic([=](const auto& t, auto& q) {
                            using std::sin;
                            q(0) = o.belt * t;
                            q(2) = o.shaking * sin(omega * t);
                          }));
  const auto contact = model.link("floor", NewtonImpactFrictionNSL(o.en, o.et, o.mu),
                                  NewtonEuler3DR(SpherePlane(o.radius, floor)), ball);

  // 3. The simulation, with pictures if they are asked for.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, ball); });

  // 4. The run; a row at the start and one after every so many steps, with the closed form. They are compared in
  //    flight, twenty steps from the impacts, whose times the scheme knows to a step or two, and while flights are
  //    long.
  Bounces exact(o);
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x [m]", "z [m]", "floor z [m]", "v_x [m/s]", "v_z [m/s]", "spin [rad/s]", "energy [J]",
                     "v_x closed form [m/s]", "spin closed form [rad/s]"});
  double worstSpeed = 0., worstSpin = 0.;
  const auto compare = [&] {
    exact.advance(o, simulation.time(), 100. * o.run.step);
    if (std::min(simulation.time() - exact.last, exact.left - simulation.time()) < 20. * o.run.step) return;
    worstSpeed = std::max(worstSpeed, std::abs(ball->velocity()(0) - exact.speed));
    worstSpin = std::max(worstSpin, std::abs(ball->inertialAngularVelocity()[1] - exact.spin));
  };
  const auto record = [&] {
    const Vector3 x = ball->position();
    const double t = simulation.time();
    table.writeRow({t, x[0], x[2], o.shaking * std::sin(omega * t), ball->velocity()(0), ball->velocity()(2),
                    ball->inertialAngularVelocity()[1], ball->kineticEnergy() + o.mass * o.gravity * x[2], exact.speed,
                    exact.spin});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("closed form", [&](StateArchive& archive) {
    exact.serializeState(archive);
    archive.value("worstSpeed", worstSpeed);
    archive.value("worstSpin", worstSpin);
  });
  run.toTheEnd(record, [&] {
    compare();
    if (simulation.stepIndex() % o.every == 0) record();
  });
  std::printf("At the end: v_x = %.4f m/s, spin %.3f rad/s.\n", ball->velocity()(0),
              ball->inertialAngularVelocity()[1]);
  if (o.shaking == 0.) {
    std::printf("Largest distance from the closed form in %d bounces: %.2e m/s, %.2e rad/s.\n", exact.count, worstSpeed,
                worstSpin);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--radius", o.radius, "Radius, m");
    line.add("--height", o.height, "Initial height above the floor, m");
    line.add("--speed", o.speed, "Initial horizontal speed, m/s");
    line.add("--spin", o.spin, "Initial spin, rad/s (positive rolls forward)");
    line.add("--belt", o.belt, "Speed of the floor along x, m/s");
    line.add("--shaking", o.shaking, "Amplitude of the floor's motion up and down, m");
    line.add("--frequency", o.frequency, "Frequency of that, Hz");
    line.add("--en", o.en, "Normal restitution");
    line.add("--et", o.et, "Tangential restitution");
    line.add("--mu", o.mu, "Coefficient of friction");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--every", o.every, "Steps from row to row of the table").positive();
  };
  return runExample(argc, argv, "A ball with spin on a moving floor", o.run, options, [&] { simulate(o); });
}
