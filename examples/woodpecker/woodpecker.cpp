// SPDX-License-Identifier: Apache-2.0
//
// The woodpecker toy: a bird on a spring comes down a pole in steps, by friction and impacts of its sleeve and beak.
// See README.md for the equations.
//
//     woodpecker
//     woodpecker --friction 0.2 --end 2
//     woodpecker --step 1e-5 --output results/fine

#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double sleeveMass = 0.0003;
  double sleeveInertia = 5e-9;
  double birdMass = 0.0045;
  double birdInertia = 7e-7;
  double spring = 0.0056;
  double gravity = 9.81;
  double poleRadius = 0.0025;
  double sleeveRadius = 0.0031;
  double sleeveHalfHeight = 0.0058;
  double sleeveLength = 0.010;  // from the pole to the spring
  double birdLength = 0.015;    // from the spring to the bird's centre of mass
  double beakHeight = 0.02;
  double beakLength = 0.0201;
  double beakRestitution = 0.5;
  double sleeveRestitution = 0.;
  double friction = 0.3;
  RunOptions run{.step = 1e-4, .end = 1., .output = "woodpecker"};
};

std::shared_ptr<LagrangianLinearTIDS> makeToy(const Options& o) {
  const double m = o.birdMass;
  const double a = o.sleeveLength;
  const double b = o.birdLength;
  const Matrix M = makeMatrix({{o.sleeveMass + m, m * a, m * b},
                               {m * a, o.sleeveInertia + m * a * a, m * a * b},
                               {m * b, m * a * b, o.birdInertia + m * b * b}});
  const Matrix K = makeMatrix({{0., 0., 0.}, {0., o.spring, -o.spring}, {0., -o.spring, o.spring}});
  // Close to the periodic motion, the sleeve jammed.
  auto toy = std::make_shared<LagrangianLinearTIDS>(makeVector({0., -0.1036, -0.2788}),
                                                    makeVector({-0.3411, 0., -7.4583}), M, K, Matrix(3, 3));
  toy->setExternalForces(makeVector({-(o.sleeveMass + m) * o.gravity, -m * o.gravity * a, -m * o.gravity * b}));
  return toy;
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The toy, q = (y, φ_sleeve, φ_bird).
  const auto toy = model.insert("woodpecker", makeToy(o));

  // 2. Contacts with the pole: the beak, and the lower and upper end of the sleeve.
  const auto beak = model.link("beak", NewtonImpactFrictionNSL(o.beakRestitution, 0., o.friction, 2),
                               LagrangianContactR(2, automatic([o](const auto& q, auto& gap) {
                                                    gap(0) = o.sleeveLength + o.birdLength - o.beakLength -
                                                             o.poleRadius - o.beakHeight * q(2);
                                                  }),
                                                  [o](double, const Vector&, Matrix& rows) {
                                                    rows(0, 0) = 1.;
                                                    rows(0, 1) = o.sleeveLength;
                                                    rows(0, 2) = o.birdLength - o.beakLength;
                                                  }),
                               toy);
  const auto sleeve = model.link("sleeve", NewtonImpactFrictionNSL(o.sleeveRestitution, 0., o.friction, 2),
                                 LagrangianContactR(
                                     2, automatic([o](const auto& q, auto& gap) {
                                       gap(0) = o.sleeveRadius - o.poleRadius + o.sleeveHalfHeight * q(1);
                                       gap(1) = o.sleeveRadius - o.poleRadius - o.sleeveHalfHeight * q(1);
                                     }),
                                     [o](double, const Vector&, Matrix& rows) {
                                       for (std::size_t k = 0; k < 2; ++k) {
                                         rows(k, 0) = 1.;
                                         rows(k, 1) = o.sleeveRadius;
                                       }
                                     },
                                     2),
                                 toy);

  // 3. The simulation.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI());

  // 4. The run. A cycle begins where the beak hits.
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "y [m]", "phi sleeve [rad]", "phi bird [rad]", "y_dot [m/s]", "phi_dot sleeve [rad/s]",
                     "phi_dot bird [rad/s]", "p beak [N s]", "p lower [N s]", "p upper [N s]"});
  const auto record = [&] {
    const Vector& q = toy->q();
    const Vector& v = toy->velocity();
    table.writeRow({simulation.time(), q(0), q(1), q(2), v(0), v(1), v(2), beak->lambda(1)(0), sleeve->lambda(1)(0),
                    sleeve->lambda(1)(2)});
  };
  double peckTime = 0., peckHeight = 0., period = 0., descent = 0.;
  int pecks = 0;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("pecks", [&](StateArchive& archive) {
    for (double* const number : {&peckTime, &peckHeight, &period, &descent}) archive.value("peck", *number);
    archive.value("pecks", pecks);
  });
  run.toTheEnd(record, [&] {
    record();
    const double t = simulation.time();
    // Pecks are far apart; a beak that stays on the pole for some steps is one.
    if (beak->lambda(1)(0) > 0. && (pecks == 0 || t > peckTime + 0.02)) {
      period = t - peckTime;
      descent = peckHeight - toy->q()(0);
      peckTime = t;
      peckHeight = toy->q()(0);
      ++pecks;
    }
  });
  std::printf("%d pecks; the last after %.4f s and %.3f mm\n", pecks, period, 1e3 * descent);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--spring", o.spring, "Stiffness of the spring, N m/rad");
    line.add("--bird-mass", o.birdMass, "Mass of the bird, kg");
    line.add("--bird-inertia", o.birdInertia, "Moment of inertia of the bird, kg m^2");
    line.add("--sleeve-mass", o.sleeveMass, "Mass of the sleeve, kg");
    line.add("--sleeve-inertia", o.sleeveInertia, "Moment of inertia of the sleeve, kg m^2");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--beak-restitution", o.beakRestitution, "Coefficient of restitution of the beak");
    line.add("--sleeve-restitution", o.sleeveRestitution, "Coefficient of restitution of the sleeve");
  };
  return runExample(argc, argv, "The woodpecker toy (Moreau-Jean time stepping)", o.run, options, [&] { simulate(o); });
}
