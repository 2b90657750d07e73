// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/ObstacleMotion.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <thread>
#include <vector>

namespace delassus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Turns about a fixed axis, at a rate that changes, while its origin moves.
ObstacleMotion screw() {
  return ObstacleMotion(automatic([](const auto& t, auto& q) {
    using std::cos;
    using std::sin;
    q(0) = sin(t);
    q(1) = t * t;
    q(2) = 0.3;
    const auto half = 0.5 * (2. * t + 0.3 * t * t);
    q(3) = cos(half);
    q(4) = 0.6 * sin(half);
    q(6) = 0.8 * sin(half);
  }));
}

void expectNear(const Vector3& a, const Vector3& b, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance);
}

TEST(ObstacleMotion, SaysHowItsMatterMoves) {
  const ObstacleMotion motion = screw();
  const Vector3 local{0.2, -0.4, 0.7};
  for (const double t : {0., 0.7, 2.3}) {
    const double step = 1e-5;  // of third derivatives of about ten: errors of 1e-9
    ContactPoint contact;
    contact.point = motion.at(t).place.place(local);
    motion.at(t).drive(contact);
    const Vector3 moved = motion.at(t + step).place.place(local) - motion.at(t - step).place.place(local);
    expectNear(contact.obstacleVelocity, 0.5 / step * moved, 1e-8);
    const double rate = 2. + 0.6 * t;
    expectNear(contact.obstacleRotation, {0.6 * rate, 0., 0.8 * rate}, 1e-13);
  }
}

TEST(ObstacleMotion, AtRestHasNoStateToSpeakOf) {
  const ObstacleMotion rest;
  EXPECT_FALSE(rest.isMoving());
  EXPECT_TRUE(rest.at(3.).place.isIdentity());
  ContactPoint contact;
  rest.at(3.).drive(contact);
  EXPECT_EQ(contact.obstacleVelocity, Vector3{});
}

TEST(ObstacleMotion, ItsSurfaceRunsInItsFrameAndAlongTheContactOnly) {
  const ObstacleMotion tilted(automatic([](const auto& t, auto& q) {
    q(2) = 2. * t;
    q(3) = std::sqrt(0.5);
    q(5) = std::sqrt(0.5);  // x of the frame points down
  }));
  const ObstacleMotion belt = tilted.withSurface({0.5, 0., 0.}, {}, [](double t) { return t < 1. ? 1. : -1.; });
  EXPECT_TRUE(belt.isMoving());
  const auto velocityAt = [&](double t, const Vector3& normal) {
    ContactPoint contact;
    contact.normal = normal;
    belt.at(t).drive(contact);
    return contact.obstacleVelocity;
  };
  expectNear(velocityAt(0.5, {1., 0., 0.}), {0., 0., 1.5}, 1e-15);
  expectNear(velocityAt(1.5, {1., 0., 0.}), {0., 0., 2.5}, 1e-15);
  expectNear(velocityAt(0.5, {0., 0., 1.}), {0., 0., 2.}, 1e-15);  // it runs along this normal, and does not push
  expectNear(belt.at(0.).surfaceRotation, {}, 0.);

  const ObstacleMotion disk = ObstacleMotion().withSurface({}, {0., 0., 3.});
  ContactPoint contact;
  contact.normal = {0., 0., 1.};
  contact.point = {0.2, 0.1, 0.};
  disk.at(0.).drive(contact);
  expectNear(contact.obstacleVelocity, {-0.3, 0.6, 0.}, 1e-15);
  expectNear(contact.obstacleRotation, {0., 0., 3.}, 0.);
}

TEST(ObstacleMotion, RunsTheSurfacesOfPlanes) {
  SpherePlane onBelt(0.1, MovingPlane(Plane{}, ObstacleMotion().withSurface({0.5, 0., 1.})));
  EXPECT_TRUE(onBelt.isTimeDependent());
  ContactPoint contact;
  onBelt.findContacts(0., NewtonEulerDS::at({1., 2., 0.2}), &contact);
  EXPECT_NEAR(contact.gap, 0.1, 1e-15);
  expectNear(contact.obstacleVelocity, {0.5, 0., 0.}, 1e-15);
}

TEST(ObstacleMotion, GivesManyThreadsTheSame) {
  const ObstacleMotion motion = screw();
  std::vector<double> found(4, 0.), expected(4, 0.);
  const auto sum = [](const ObstacleMotion& of, std::size_t k) {
    double total = 0.;
    for (int i = 0; i < 2000; ++i) total += of.at(0.01 * ((i + 7 * static_cast<int>(k)) % 11)).place.position[0];
    return total;
  };
  for (std::size_t k = 0; k < 4; ++k) expected[k] = sum(screw(), k);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k) threads.emplace_back([&, k] { found[k] = sum(motion, k); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, expected);
}

TEST(ObstacleMotion, RefusesWhatIsNotFinite) {
  EXPECT_THROW(ObstacleMotion{ObstacleMotion::Function()}, Error);
  EXPECT_THROW(ObstacleMotion().withSurface({nan, 0., 0.}), Error);
  EXPECT_THROW(ObstacleMotion().withSurface({}, {0., nan, 0.}), Error);
  EXPECT_THROW(ObstacleMotion().withSurface({1., 0., 0.}, {}, [](double) { return nan; }).at(1.), Error);
  const ObstacleMotion ends(differenced([](double t, Vector& q) { q(0) = std::log(t - 1.); }));
  EXPECT_THROW(ends.at(0.5), Error);
  EXPECT_NEAR(ends.at(2.).velocity[0], 1., 1e-8);  // and it goes on after an error
}

}  // namespace
}  // namespace delassus
