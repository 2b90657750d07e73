// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <numbers>

// A cone that rolls on its side goes round its tip, and one that stands on its base slides or sticks as any block.

namespace delassus {
namespace {

constexpr double radius = 0.05, height = 0.2, gravity = 9.81;

// On a plane. With the half angle α and the line of contact along e, which turns at Ω, its angular velocity is along e,
// −Ω cot α e: what touches is at rest. The moment that this takes is across e, so that normal forces at tip and rim
// give it, and the motion is steady.
struct RollingCone {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts =
      std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 1.));
  std::shared_ptr<NewtonEulerDS> cone;

  RollingCone(double rate, const std::shared_ptr<const Shape>& floor, const Vector3& at, double end) : model(0., end) {
    const double half = std::atan(radius / height), arm = 0.75 * height;
    const Quaternion turned = rotations::exponential({0., 1.5 * std::numbers::pi - half, 0.});
    const Vector3 centre{arm * std::cos(half), 0., arm * std::sin(half)};
    const Vector3 omega{-rate / std::tan(half), 0., 0.}, v = cross(omega, centre);
    cone = NewtonEulerDS::ofShape(ConeShape(radius, height), 1000., centre, turned);
    const Vector3 inBody = multiplyTransposed(cone->rotation(), omega);
    cone->setState(cone->q(), Vector{v[0], v[1], v[2], inBody[0], inBody[1], inBody[2]});
    model.setGravity({0., 0., -gravity});
    model.insert("cone", cone);
    contacts->insert(cone, ConeShape(radius, height));
    contacts->insertObstacle(floor, at);
  }
  double angle() const { return std::atan2(cone->q()(1), cone->q()(0)); }
};

// The error of the angle after half a second.
double errorOf(double h, const std::shared_ptr<const Shape>& floor, const Vector3& at) {
  constexpr double rate = 3., end = 0.5;
  RollingCone scene(rate, floor, at, end);
  TimeStepping simulation(scene.model, h);
  simulation.setInteractionManager(scene.contacts);
  const double energy = scene.cone->kineticEnergy(), centre = scene.cone->q()(2);
  const std::size_t warnings = Log::count(LogLevel::warning);
  simulation.run();
  EXPECT_NEAR(scene.cone->kineticEnergy(), energy, 1e-4 * energy);
  EXPECT_NEAR(scene.cone->q()(2), centre, 1e-5 * height);
  EXPECT_EQ(Log::count(LogLevel::warning), warnings);
  return std::abs(scene.angle() - rate * end);
}

TEST(ConeMotion, RollsRoundItsTipWithOrderTwo) {
  for (const auto& [floor, at] : {std::pair{shareShape(Plane{}), Vector3{}},
                                  std::pair{shareShape(BoxShape(2., 2., 0.2)), Vector3{0., 0., -0.1}}}) {
    const double coarse = errorOf(2e-3, floor, at), fine = errorOf(1e-3, floor, at);
    EXPECT_LT(coarse, 2e-3) << floor->className();
    EXPECT_NEAR(coarse / fine, 4., 1.) << floor->className();
  }
}

TEST(ConeMotion, OnItsBaseItSticksBelowAndSlipsAboveTheAngleOfFriction) {
  constexpr double mu = 0.3, end = 0.3;
  for (const double part : {0.98, 1.02}) {
    const double slope = part * std::atan(mu);
    NonSmoothDynamicalSystem model(0., end);
    model.setGravity({gravity * std::sin(slope), 0., -gravity * std::cos(slope)});
    const auto cone = NewtonEulerDS::ofShape(ConeShape(0.1, 0.1), 1000., {0., 0., 0.025});
    model.insert("cone", cone);
    const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., mu));
    contacts->insert(cone, ConeShape(0.1, 0.1));
    contacts->insertObstacle(Plane{});
    TimeStepping simulation(model, 1e-3);
    simulation.setInteractionManager(contacts);
    simulation.run();
    const double acceleration = gravity * std::max(0., std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(cone->velocity()(0), acceleration * end, 1e-6 + 0.01 * acceleration * end);
    EXPECT_NEAR(cone->q()(2), 0.025, 1e-9);
  }
}

}  // namespace
}  // namespace delassus
