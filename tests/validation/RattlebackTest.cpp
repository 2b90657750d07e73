// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <rattleback/RattlebackScene.hpp>

// A rattleback: an ellipsoid whose principal axes of inertia are turned against those of its surface. Spun the wrong
// way it begins to rattle, stops, and turns back. The stone of Kane and Levinson (Int. J. Non-Linear Mechanics 17,
// 1982).

namespace delassus {
namespace {

std::unique_ptr<RattlebackScene> stoneFor(double seconds) {
  return std::make_unique<RattlebackScene>(RattlebackParameters{}, 10., seconds);
}

// The error of ω after `end` seconds with steps h.
double errorOf(double h, double end, const std::shared_ptr<const Shape>& floor, const Vector3& at) {
  const auto scene = stoneFor(end);
  scene->contacts->insertObstacle(floor, at);
  TimeStepping simulation(scene->model, h);
  simulation.setInteractionManager(scene->contacts);
  simulation.run();
  for (int k = 0; k < std::lround(end / 1e-4); ++k) scene->reference.advance(1e-4);
  return norm(scene->stone->angularVelocity() - scene->reference.omega());
}

// On a half-space, on a box, and on another ellipsoid, so large that it is flat here.
TEST(Rattleback, RollsAsItsEquationsSayWithOrderTwo) {
  const double coarse = errorOf(1e-3, 0.5, shareShape(Plane{}), {});
  EXPECT_LT(coarse, 0.1);  // of 5 rad/s, with a rattle of up to 10
  const double fine = errorOf(5e-4, 0.5, shareShape(Plane{}), {});
  EXPECT_NEAR(coarse / fine, 4., 0.5);
  EXPECT_NEAR(errorOf(1e-3, 0.5, shareShape(BoxShape(4., 4., 0.2)), {0., 0., -0.1}), coarse, 1e-6);
  EXPECT_NEAR(errorOf(1e-3, 0.5, shareShape(EllipsoidShape(1e5, 1e5, 1e5)), {0., 0., -1e5}), coarse, 1e-3);
}

TEST(Rattleback, TurnsBackAndKeepsItsEnergy) {
  const auto scene = stoneFor(5.);
  scene->contacts->insertObstacle(Plane{});
  TimeStepping simulation(scene->model, 5e-4);
  simulation.setInteractionManager(scene->contacts);
  const double begin = scene->energy();
  double before = 0., lost = 0., won = 0.;
  while (simulation.hasNextStep()) {
    simulation.step();
    const double spin = scene->stone->angularVelocity()[2];
    if (before < 0. && spin >= 0.) lost = simulation.time();
    won = std::max(won, spin);
    before = spin;
    EXPECT_NEAR(scene->stone->q()(2), 0.01, 0.01);
  }
  EXPECT_NEAR(lost, 2.8, 0.5);  // the equations have it at about 2.8 s, between swings of the rattle
  EXPECT_GT(won, 3.5);
  EXPECT_NEAR(scene->energy(), begin, 0.02 * begin);
}

}  // namespace
}  // namespace delassus
