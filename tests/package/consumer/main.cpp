// SPDX-License-Identifier: Apache-2.0
//
// The program of the README, against an installed Delassus; fails if the ball is not where it should be.
#include <cmath>
#include <delassus/delassus.hpp>
#include <iostream>

using namespace delassus;

int main() {
  const double m = 1.;
  const double g = 9.81;
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{m}}));
  ball->setExternalForces([=](double, Vector& f) { f(0) = -m * g; });
  auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.9), LagrangianLinearTIR(makeMatrix({{1.}})));

  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(ball);
  model.link(floor, ball);

  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP(LemkeSolver{}));
  double summit = 0.;
  simulation.run([&] {
    if (simulation.time() > 0.5) summit = std::max(summit, ball->q()(0));
  });
  std::cout << "After the first impact the ball rises to " << summit << " m; 0.81 m in theory.\n";
  return std::abs(summit - 0.81) < 0.01 ? 0 : 1;
}
