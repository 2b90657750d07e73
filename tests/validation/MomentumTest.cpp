// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/delassus.hpp>
#include <validation/Convergence.hpp>

// What is kept of linear and angular momentum about the origin where two bodies fly into each other and go on.

namespace {

using namespace delassus;
using namespace delassus::test;

const Matrix ball = NewtonEulerDS::ballInertia(1., 0.1);
const Matrix box = NewtonEulerDS::boxInertia(1., 0.1, 0.2, 0.3);

struct Changes {
  double linear = 0.;        // the largest, relative to the speed of one body
  double angular = 0.;       // the largest, relative to what it is at first
  double angularEarly = 0.;  // the same until a quarter of the time
};

// Two bodies with round noses off their centres, friction and restitution; without contact they miss each other.
Changes changesOf(const Matrix& inertia, MoreauJeanOSI scheme, double h, bool contact, double end) {
  NonSmoothDynamicalSystem model(0., end);
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
  for (const double side : {-1., 1.}) {
    bodies.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.3 * side, 0.03 * side, 0.02}),
                                                     makeVector({-side, 0.05, -0.02, 2. + side, -3., 1.5}), 1.,
                                                     inertia));
    model.insert(bodies.back());
  }
  if (contact) {
    const SphereSphere noses(0.1, 0.1, {0., 0.02, 0.01}, {0., -0.03, 0.01});
    model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0.5, 0., 0.5), NewtonEuler3DR(noses)), bodies[0],
               bodies[1]);
  }
  const auto linear = [&] { return vector3(data(bodies[0]->velocity())) + vector3(data(bodies[1]->velocity())); };
  const auto angular = [&] {
    Vector3 sum{};
    for (const auto& body : bodies) {
      sum = sum + (cross(body->position(), vector3(data(body->velocity()))) + body->angularMomentum());
    }
    return sum;
  };
  const Vector3 linearBefore = linear();
  const Vector3 angularBefore = angular();
  Changes changes;
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(scheme), FrictionContact(3));
  simulation.run([&] {
    changes.linear = std::max(changes.linear, norm(linear() - linearBefore));
    changes.angular = std::max(changes.angular, norm(angular() - angularBefore) / norm(angularBefore));
    if (simulation.time() < 0.25 * end) changes.angularEarly = changes.angular;
  });
  return changes;
}

double orderOf(const char* title, const Matrix& inertia, const MoreauJeanOSI& scheme, bool contact) {
  std::vector<double> steps, errors;
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const Changes changes = changesOf(inertia, scheme, h, contact, 1.);
    EXPECT_LT(changes.linear, 1e-12) << title;  // rounding of sums of a thousand steps
    steps.push_back(h);
    errors.push_back(changes.angular);
  }
  return observedOrder(title, steps, errors);
}

TEST(Momentum, AngularMomentumIsKeptToTheSecondOrderInFreeFlightAndByBallsAndWithinTheFirstByImpactsOfOtherBodies) {
  EXPECT_NEAR(orderOf("free flight, theta = 1/2", box, MoreauJeanOSI(), false), 2., 0.05);
  EXPECT_NEAR(orderOf("impact of balls, theta = 1/2", ball, MoreauJeanOSI(), true), 2., 0.1);
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    EXPECT_LT(changesOf(box, MoreauJeanOSI(), h, true, 1.).angular, 0.1 * h);  // 0.05 h at most was observed
  }
}

TEST(Momentum, AngularMomentumIsKeptToTheFirstOrderByOtherSchemes) {
  EXPECT_NEAR(orderOf("impact of balls, semi-explicit", ball, MoreauJeanOSI::semiExplicit(), true), 1., 0.2);
  // By the midpoint rule of each body by itself.
  EXPECT_NEAR(orderOf("free flight, semi-explicit", box, MoreauJeanOSI::semiExplicit(), false), 2., 0.1);
  EXPECT_NEAR(orderOf("free flight, theta = 1", box, MoreauJeanOSI(1.), false), 1., 0.1);
}

TEST(Momentum, AngularMomentumSwingsAndDoesNotDriftInFreeFlight) {
  const Changes changes = changesOf(box, MoreauJeanOSI(), 2e-3, false, 40.);
  EXPECT_LT(changes.angular, 1.1 * changes.angularEarly);  // a drift would take it to four times that
}

}  // namespace
