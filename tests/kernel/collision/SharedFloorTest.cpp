// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/collision/CollisionQueries.hpp>
#include <numbers>

#include "CollisionModels.hpp"

// Bodies that stand on one floor and meet at their feet: points of their contacts lie at the height of the floor, where
// sides of tiles lie that a seam hides (Seams.hpp).

namespace delassus {
namespace {

std::shared_ptr<const ConvexShape> frustum(std::size_t corners, double top) {
  std::vector<Vector3> points;
  for (std::size_t k = 0; k < corners; ++k) {
    const double angle = 2. * std::numbers::pi * static_cast<double>(k) / static_cast<double>(corners);
    for (const double radius : {0.14, top}) {
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), radius == top ? 0.1 : 0.});
    }
  }
  return std::make_shared<ConvexHull>(points);
}

struct Standing {
  std::shared_ptr<NewtonEulerDS> body;
  Placement inBody;

  Standing(const ConvexShape& shape, const Vector3& x, double yaw) : inBody(placementInBody(shape)) {
    body = NewtonEulerDS::ofShape(shape, 1000., x, rotations::exponential({0., 0., yaw}));
    Vector q = body->q();
    q(2) = -(inBody.position[2] + shape.support({0., 0., -1.})[2]);
    body->setState(q, body->velocity());
    testing::letFall(*body);
  }
  Placement place() const { return Placement{body->position(), body->rotation()}.place(inBody); }
};

class SharedFloor : public ::testing::TestWithParam<std::shared_ptr<const ConvexShape>> {
 protected:
  // One slides into the other, without friction.
  void expectTheyMeet(const std::shared_ptr<const Shape>& floor, const Vector3& at, double yaw) const {
    constexpr double h = 1e-3, speed = 1.;
    const Standing still(*GetParam(), {0., 0., 0.}, yaw), slider(*GetParam(), {0.4, 0.02, 0.}, 0.3);
    slider.body->setState(slider.body->q(), makeVector({-speed, 0., 0., 0., 0., 0.}));
    NonSmoothDynamicalSystem model(0., 0.5);
    const auto manager = std::make_shared<CollisionManager>(2e-3, NewtonImpactFrictionNSL(0., 0., 0.));
    for (const Standing* standing : {&still, &slider}) {
      model.insert(standing->body);
      manager->insert(standing->body, GetParam(), standing->inBody);
    }
    manager->insertObstacle(floor, at);
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(manager);
    double gap = 1.;
    simulation.run(
        [&] { gap = std::min(gap, findDistance(*GetParam(), still.place(), *GetParam(), slider.place()).gap); });
    // The way of a step; they went through each other by their whole size.
    EXPECT_GT(gap, -h * speed) << yaw;
    // Equal masses share the momentum about evenly without restitution.
    EXPECT_LT(still.body->velocity()(0), -0.2) << yaw;
    EXPECT_GT(slider.body->velocity()(0), -0.8) << yaw;
    EXPECT_NEAR(still.body->velocity()(0) + slider.body->velocity()(0), -speed, 1e-6) << yaw;
  }
};

TEST_P(SharedFloor, DoesNotLetBodiesPassThroughEachOther) {
  for (const double yaw : {0., 0.3, 0.7}) {
    expectTheyMeet(shareShape(Plane{}), {}, yaw);
    expectTheyMeet(shareShape(BoxShape(4., 4., 0.2)), {0., 0., -0.1}, yaw);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SharedFloor,
                         ::testing::Values(std::make_shared<ConeShape>(0.1, 0.15),
                                           std::make_shared<CylinderShape>(0.1, 0.15), frustum(4, 0.07),
                                           frustum(5, 0.02)));

}  // namespace
}  // namespace delassus
