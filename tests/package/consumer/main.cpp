// SPDX-License-Identifier: Apache-2.0
//
// The model of the README by two methods, against an installed Delassus; fails if a ball is not where it should be.
#include <algorithm>
#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/delassus.hpp>
#include <iostream>

using namespace delassus;

namespace {

// A ball from 1 m above the floor.
struct Ball {
  Ball() : model(0., 2.) {
    const double m = 1.;
    const double g = 9.81;
    ball->setExternalForces([=](double, Vector& f) { f(0) = -m * g; });
    model.insert(ball);
    model.link(floor, ball);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball =
      std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
  std::shared_ptr<Interaction> floor =
      std::make_shared<Interaction>(NewtonImpactNSL(0.9), LagrangianLinearTIR(makeMatrix({{1.}})));
};

// The height that it rises to after the first impact.
template <class Simulation>
double summitOf(Simulation& simulation, const Ball& ball) {
  double summit = 0.;
  simulation.run([&] {
    if (simulation.time() > 0.5) summit = std::max(summit, ball.ball->q()(0));
  });
  return summit;
}

}  // namespace

int main() {
  Ball stepped;
  TimeStepping timeStepping(stepped.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP(LemkeSolver{}));
  const double first = summitOf(timeStepping, stepped);
  std::cout << "After the first impact the ball rises to " << first << " m by time stepping";
  double second = 0.81;
  if (withSundials) {
    Ball exact;
    EventDriven eventDriven(exact.model, TimeDiscretisation(0., 1e-3), LCP());
    second = summitOf(eventDriven, exact);
    std::cout << " and " << second << " m event-driven";
  }
  std::cout << "; 0.81 m in theory.\n";
  return std::abs(first - 0.81) < 0.01 && std::abs(second - 0.81) < 1e-5 ? 0 : 1;
}
