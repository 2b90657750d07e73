// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <random>
#include <support/ContactRows.hpp>

namespace delassus::numerics {
namespace {

TEST(FrictionCone, ProjectionIsNearestPointByMoreausDecomposition) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> some(-1., 1.);
  for (const std::size_t d : {std::size_t{2}, std::size_t{3}}) {
    for (const double mu : {0., 0.1, 1., 10.}) {
      for (int trial = 0; trial < 1000; ++trial) {
        const std::array<double, 3> x{some(generator), some(generator), some(generator)};
        std::array<double, 3> p = x;
        projectOnCone(d, mu, p.data());
        // p in K, x − p in the polar cone, p ⟂ x − p.
        EXPECT_LE(tangentNorm(d, p.data()), mu * p[0] + 1e-15);
        const std::array<double, 3> rest{x[0] - p[0], x[1] - p[1], x[2] - p[2]};
        EXPECT_LE(rest[0] + mu * tangentNorm(d, rest.data()), 1e-14);
        double product = 0.;
        for (std::size_t i = 0; i < d; ++i) product += p[i] * rest[i];
        EXPECT_NEAR(product, 0., 1e-14);
      }
    }
  }
}

TEST(FrictionCone, NegativeAxisProjectsToZeroWithoutFriction) {
  for (const double mu : {0., 0.5}) {
    std::array<double, 3> x{-1., 0., 0.};
    projectOnCone(3, mu, x.data());
    EXPECT_EQ(x[0], 0.);
    // r = 0 with u_N > 0 is take-off.
    const std::array<double, 3> r{}, u{1., 0., 0.};
    EXPECT_EQ(test::contactMapSquared(3, mu, r.data(), u.data()), 0.);
    EXPECT_EQ(test::contactMapSquared(2, mu, r.data(), u.data()), 0.);
  }
}

}  // namespace
}  // namespace delassus::numerics
