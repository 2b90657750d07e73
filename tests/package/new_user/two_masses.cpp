// SPDX-License-Identifier: Apache-2.0
//
// Two masses on springs, the second before a stop: what a new user may write first, with only the README at hand.
// Writes a table; fails if the second mass goes through the stop or an impact makes energy.
#include <delassus/delassus.hpp>
#include <iostream>

using namespace delassus;

int main(int, char** arguments) {
  const double m1 = 1., m2 = 2.;     // kg
  const double k1 = 100., k2 = 50.;  // N/m: wall to first, first to second
  const double stop = 0.1, e = 0.8;  // m; restitution
  const double end = 5., h = 1e-3;   // s
  const Matrix M = makeMatrix({{m1, 0.}, {0., m2}});
  const Matrix K = makeMatrix({{k1 + k2, -k2}, {-k2, k2}});
  auto masses = std::make_shared<LagrangianLinearTIDS>(makeVector({0., 0.}), makeVector({0., 1.}), M, K, Matrix(2, 2));
  auto contact = std::make_shared<Interaction>(NewtonImpactNSL(e),
                                               LagrangianLinearTIR(makeMatrix({{0., -1.}}), makeVector({stop})));

  NonSmoothDynamicalSystem model(0., end);
  model.insert(masses);
  model.link(contact, masses);

  TableWriter table(arguments[1], {"t [s]", "q1 [m]", "q2 [m]", "energy [J]"});
  double highest = 0., deepest = 0.;
  const double start = 0.5 * m2;
  int impacts = 0;
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  simulation.run([&] {
    const Vector& q = masses->q();
    const Vector& v = masses->velocity();
    const double energy =
        0.5 * (m1 * v(0) * v(0) + m2 * v(1) * v(1) + k1 * q(0) * q(0) + k2 * (q(1) - q(0)) * (q(1) - q(0)));
    table.writeRow({simulation.time(), q(0), q(1), energy});
    highest = std::max(highest, energy);
    deepest = std::max(deepest, q(1) - stop);
    if (contact->lambda(1)(0) > 0.) ++impacts;
  });
  table.close();
  std::cout << impacts << " impacts, at most " << deepest << " m through the stop, energy at most " << highest
            << " J of " << start << " J.\n";
  // In one step of time stepping a mass goes at most h v through a stop.
  return impacts > 0 && deepest < 1.5 * h && highest < start * (1. + 1e-9) ? 0 : 1;
}
