// SPDX-License-Identifier: Apache-2.0
//
// A ball on a floor, found by the collision detection of an installed Delassus; fails if it does not come to rest
// there.
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <iostream>

using namespace delassus;

int main() {
  const double radius = 0.1;
  auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.3}), Vector(6), 1.,
                                              NewtonEulerDS::ballInertia(1., radius));
  ball->setExternalForces(makeVector({0., 0., -9.81}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);

  auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  contacts->insert(ball, SphereShape(radius));
  contacts->insertObstacle(Plane::through({0., 0., 0.}, {0., 0., 1.}));
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
  simulation.setInteractionManager(contacts);
  simulation.run();
  std::cout << "The ball rests at " << ball->position()[2] << " m; 0.1 m in theory.\n";
  return std::abs(ball->position()[2] - radius) < 5e-3 ? 0 : 1;
}
