// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/rotations/FreeSpin.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace delassus::rotations {
namespace {

const Matrix3 inertia{1., 0.1, 0., 0.1, 2., 0.2, 0., 0.2, 2.5};

double energyOf(const Vector3& Omega) {
  return 0.5 * dot(Omega, multiply(inertia, Omega));
}

// Also where a step is a thousand turns, in which no rule is exact.
TEST(FreeSpin, KeepsEnergyAtAnySpin) {
  for (const double speed : {1e-3, 1., 30., 1e3, 1e6}) {
    Vector3 Omega = speed * Vector3{0.3, -0.8, 0.5};
    const double before = energyOf(Omega);
    for (int k = 0; k < 100; ++k) Omega = spinFreely(inertia, Omega, 0.01);
    EXPECT_NEAR(energyOf(Omega), before, 1e-12 * before) << speed;
  }
}

// (IΩ)² is quadratic too: the midpoint rule keeps it where Newton's method has found the middle.
TEST(FreeSpin, KeepsTheSizeOfTheAngularMomentum) {
  Vector3 Omega{3., -8., 5.};
  const double before = norm(multiply(inertia, Omega));
  for (int k = 0; k < 1000; ++k) Omega = spinFreely(inertia, Omega, 0.1);
  EXPECT_NEAR(norm(multiply(inertia, Omega)), before, 1e-11 * before);
}

TEST(FreeSpin, FollowsEulersEquationsToOrderTwo) {
  const Vector3 start{0.3, -0.8, 0.5};
  const auto after = [&](int steps) {
    Vector3 Omega = start;
    for (int k = 0; k < steps; ++k) Omega = spinFreely(inertia, Omega, 2. / steps);
    return Omega;
  };
  const Vector3 exact = after(100000);
  EXPECT_NEAR(norm(after(50) - exact) / norm(after(100) - exact), 4., 0.05);
}

TEST(FreeSpin, LeavesRestAndPrincipalAxesAsTheyAre) {
  EXPECT_EQ(spinFreely(inertia, {0., 0., 0.}, 1.), (Vector3{0., 0., 0.}));
  const Matrix3 principal{1., 0., 0., 0., 2., 0., 0., 0., 3.};
  EXPECT_NEAR(norm(spinFreely(principal, {0., 5., 0.}, 0.1) - Vector3{0., 5., 0.}), 0., 1e-14);
}

}  // namespace
}  // namespace delassus::rotations
