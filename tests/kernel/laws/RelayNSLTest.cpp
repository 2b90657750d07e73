// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/RelayNSL.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expectBounds(const RelayNSL& law, const Vector& expectedLower, const Vector& expectedUpper) {
  Vector lower(law.size()), upper(law.size());
  law.bounds(data(lower), data(upper));
  for (std::size_t i = 0; i < law.size(); ++i) {
    EXPECT_EQ(lower(i), expectedLower(i));
    EXPECT_EQ(upper(i), expectedUpper(i));
  }
}

TEST(RelayNSL, RefusesASizeWithoutMemory) {
  expectError([] { RelayNSL(std::size_t{1} << 61, -1., 1.); }, {"RelayNSL", "no memory for 2305843009213693952 rows"});
}

TEST(RelayNSL, HasTheBoundsItWasGiven) {
  EXPECT_TRUE(RelayNSL().set()->isBox());
  EXPECT_FALSE(RelayNSL().isMixedComplementarity());
  EXPECT_FALSE(RelayNSL().actsOnVelocities());
  expectBounds(RelayNSL(), makeVector({-1.}), makeVector({1.}));
  expectBounds(RelayNSL(2, 0., 3.), makeVector({0., 0.}), makeVector({3., 3.}));
  const Vector lower = makeVector({-infinity, 0., -2., 5.});
  const Vector upper = makeVector({infinity, infinity, 3., 5.});
  expectBounds(RelayNSL(lower, upper), lower, upper);
}

TEST(RelayNSL, RefusesBoundsThatAreTheWrongWayRoundOrNoNumbers) {
  expectError([] { RelayNSL(1, 2., 1.); }, {"RelayNSL", "row 0", "lower bound 2", "upper bound 1"});
  expectError([] { RelayNSL(makeVector({0., 1.}), makeVector({1., 0.})); }, {"row 1", "lower <= upper"});
  expectError([] { RelayNSL(1, nan, 1.); }, {"RelayNSL", "nan"});
  expectError([] { RelayNSL(1, -1., nan); }, {"RelayNSL", "nan"});
  expectError([] { RelayNSL(makeVector({nan}), makeVector({1.})); }, {"RelayNSL", "row 0", "nan"});
}

TEST(RelayNSL, RefusesBoundsAtTheWrongInfinity) {
  expectError([] { RelayNSL(1, -infinity, 1.); }, {"must be finite", "vectors of bounds"});
  expectError([] { RelayNSL(1, -1., infinity); }, {"must be finite"});
  expectError([] { RelayNSL(makeVector({infinity}), makeVector({infinity})); }, {"row 0"});
  expectError([] { RelayNSL(makeVector({-infinity}), makeVector({-infinity})); }, {"row 0"});
}

TEST(RelayNSL, RefusesSizesThatDoNotFit) {
  expectError([] { RelayNSL(0); }, {"RelayNSL", "at least 1"});
  expectError([] { RelayNSL(Vector(0), Vector(0)); }, {"at least 1"});
  expectError([] { RelayNSL(Vector(2), Vector(3)); }, {"upper bounds", "size 2", "size 3"});
}

TEST(RelayNSL, ChangesItsBoundsButNotTheirKind) {
  RelayNSL law(makeVector({-1., 0.}), makeVector({1., infinity}));
  law.setBounds(makeVector({0., -2.}), makeVector({0., infinity}));
  expectBounds(law, makeVector({0., -2.}), makeVector({0., infinity}));
  expectError([&] { law.setBounds(makeVector({0.}), makeVector({1.})); }, {"RelayNSL", "new bounds", "size 2"});
  expectError([&] { law.setBounds(makeVector({2., 0.}), makeVector({1., infinity})); }, {"row 0", "lower bound 2"});
  expectError([&] { law.setBounds(makeVector({0., 0.}), makeVector({0., 1.})); }, {"row 1", "finite ones stay finite"});
  expectBounds(law, makeVector({0., -2.}), makeVector({0., infinity}));
}

}  // namespace
