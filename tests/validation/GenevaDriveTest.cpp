// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <geneva_drive/GenevaScene.hpp>
#include <numbers>

// A mechanism that contacts of compounds alone drive and lock, beside its geometry.

namespace delassus {
namespace {

constexpr double rate = 2. * std::numbers::pi;  // of the crank, rad/s

// Largest differences from the motion of geometry.
struct Differences {
  double turning = 0.;  // rad, while the pin is in a slot
  double locked = 0.;   // rad, while it is not
  double atEnd = 0.;    // rad
  double speed = 0.;    // largest, rad/s
  double moment =
      0.;  // root of the sum of squares of the motor's, N m, away from the middle, where the pin changes walls
  double ofMoment = 0.;  // that of the moment itself
};

Differences run(const GenevaGeometry& geometry, double friction, double h, double end = 1.) {
  GenevaScene scene(geometry, rate, friction, end);
  const GenevaMotion motion(geometry);
  const double inertia = scene.wheel->inertia()(2, 2);
  TimeStepping simulation(scene.model, h);
  simulation.setInteractionManager(scene.contacts);
  const std::size_t warnings = Log::count(LogLevel::warning);
  Differences all;
  double squares = 0., ofMoments = 0.;
  while (simulation.hasNextStep()) {
    simulation.step();
    scene.observe();
    const double angle = rate * simulation.time() - std::numbers::pi;
    const double difference = scene.wheelAngle() - motion.wheelAngle(angle);
    double& largest = motion.wheelRate(angle) == 0. ? all.locked : all.turning;
    largest = std::max(largest, std::abs(difference));
    all.speed = std::max(all.speed, std::abs(scene.wheelRate()));
    all.atEnd = std::abs(difference);
    // What accelerates the wheel is the work of the motor: M ω = J φ̇ φ̈, in the middle of the step.
    const double middle = std::remainder(angle - 0.5 * h * rate, 2. * std::numbers::pi);
    const double part = std::abs(middle) / geometry.entry();
    if (part < 0.3 || part > 0.9) continue;
    const double moment = inertia * rate * rate * motion.wheelRate(middle) * motion.wheelAcceleration(middle);
    squares += std::pow(scene.motor->lambda(0)(0) - moment, 2);
    ofMoments += moment * moment;
  }
  all.moment = std::sqrt(squares);
  all.ofMoment = std::sqrt(ofMoments);
  EXPECT_EQ(Log::count(LogLevel::warning), warnings);
  return all;
}

TEST(GenevaDrive, TurnsTheWheelAsGeometryHasItUpToThePlayOfThePin) {
  for (const std::size_t slots : {3U, 4U, 6U, 8U}) {
    GenevaGeometry geometry;
    geometry.slots = slots;
    const Differences found = run(geometry, 0.05, 5e-4);
    // The pin is nearest to the axis of the wheel in the middle of its way, at C − a, and there it changes walls. What
    // a step and the penetration of an impact add is less than a fifth of the play; the rate is the largest of a
    // sample.
    const double lever = geometry.distance - geometry.crank();
    EXPECT_NEAR(found.turning, geometry.play / lever, 0.2 * geometry.play / lever) << slots << " slots";
    EXPECT_NEAR(found.speed, rate * geometry.crank() / lever, 1e-3 * rate * geometry.crank() / lever);
  }
}

// A wheel that is locked turns until a hollow touches the disk. It is freest at the ends of the hollow, 41 degrees from
// the line of both axes, by the play and by what chords leave between disk and hollow: R (1 − cos 2.25°) = 0.04 mm in
// the disk, R (1/cos 4.1° − 1) = 0.13 mm in the hollow, at a lever of C sin 41°.
TEST(GenevaDrive, IsLockedWhileThePinIsOutside) {
  const GenevaGeometry geometry;
  const Differences found = run(geometry, 0.05, 5e-4, 2.);
  const double most = (geometry.play + 0.04e-3 + 0.13e-3) / (geometry.distance * std::sin(0.716));
  EXPECT_LT(found.locked, most);
  EXPECT_LT(found.atEnd, most);
}

TEST(GenevaDrive, TakesTheMomentThatAcceleratesTheWheel) {
  const GenevaGeometry geometry;
  const Differences found = run(geometry, 0., 1e-3);
  // The play moves the pin by 0.17 % of its least lever, and this step adds a tenth of a percent, of order 1.
  EXPECT_LT(found.moment, 4e-3 * found.ofMoment);
}

}  // namespace
}  // namespace delassus
