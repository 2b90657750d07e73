// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(NewtonImpactFrictionNSL, AddsBothRestitutionsToTheFreeVelocity) {
  const NewtonImpactFrictionNSL law(0.5, 0.25, 0.7);
  const std::array<double, 3> before = {-4., 8., -2.};
  std::array<double, 3> output = {1., 1., 1.};
  law.addImpactTerm(before.data(), output.data());
  EXPECT_EQ(output, (std::array<double, 3>{-1., 3., 0.5}));
  EXPECT_EQ(law.size(), 3U);
  EXPECT_EQ(law.set()->coefficients()[0], 0.7);
  EXPECT_EQ(law.set()->name(), "coulomb");
  EXPECT_TRUE(law.actsOnVelocities());
  EXPECT_TRUE(law.hasRestitution());
  EXPECT_FALSE(NewtonImpactFrictionNSL(0., 0., 0.7).hasRestitution());

  const NewtonImpactFrictionNSL planar(0.5, 0.25, 0.7, 2);
  output = {1., 1., 1.};
  planar.addImpactTerm(before.data(), output.data());
  EXPECT_EQ(output, (std::array<double, 3>{-1., 3., 1.}));
  EXPECT_EQ(planar.size(), 2U);
}

TEST(NewtonImpactFrictionNSL, RefusesBadInput) {
  EXPECT_NO_THROW(NewtonImpactFrictionNSL(1., 1., 0.));
  for (const double e : {-0.1, 1.1, nan, infinity}) {
    expectError([&] { NewtonImpactFrictionNSL(e, 0., 0.5); },
                {"NewtonImpactFrictionNSL", "normal restitution", "in [0, 1]"});
    expectError([&] { NewtonImpactFrictionNSL(0., e, 0.5); }, {"tangential restitution", "in [0, 1]"});
  }
  for (const double mu : {-0.1, nan, infinity}) {
    expectError([&] { NewtonImpactFrictionNSL(0., 0., mu); }, {"NewtonImpactFrictionNSL", "mu", "not be negative"});
  }
  for (const std::size_t dimension : {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {
    expectError([&] { NewtonImpactFrictionNSL(0., 0., 0.5, dimension); },
                {"NewtonImpactFrictionNSL", "2 or 3", std::to_string(dimension)});
  }
}

TEST(NewtonImpactRollingFrictionNSL, HasNoRestitutionOfRotations) {
  const NewtonImpactRollingFrictionNSL law(0.5, 0.25, 0.7, 0.01);
  const std::array<double, 5> before = {-4., 8., -2., 3., 3.};
  std::array<double, 5> output = {1., 1., 1., 1., 1.};
  law.addImpactTerm(before.data(), output.data());
  EXPECT_EQ(output, (std::array<double, 5>{-1., 3., 0.5, 1., 1.}));
  EXPECT_EQ(law.size(), 5U);
  EXPECT_EQ(law.set()->coefficients()[0], 0.7);
  EXPECT_EQ(law.set()->coefficients()[1], 0.01);
  EXPECT_EQ(law.set()->name(), "rolling");
}

TEST(NewtonImpactRollingFrictionNSL, RefusesBadInput) {
  for (const double e : {-0.1, 1.1, nan}) {
    expectError([&] { NewtonImpactRollingFrictionNSL(e, 0., 0.5, 0.); }, {"normal restitution", "in [0, 1]"});
    expectError([&] { NewtonImpactRollingFrictionNSL(0., e, 0.5, 0.); }, {"tangential restitution", "in [0, 1]"});
  }
  for (const double mu : {-0.1, nan, infinity}) {
    expectError([&] { NewtonImpactRollingFrictionNSL(0., 0., mu, 0.); }, {"friction mu", "not be negative"});
    expectError([&] { NewtonImpactRollingFrictionNSL(0., 0., 0.5, mu); }, {"rolling friction mu_R", "not be negative"});
  }
}

}  // namespace
