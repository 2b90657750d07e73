// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/simulation/TimeDiscretisation.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(TimeDiscretisation, DoesNotDriftOverTenMillionSteps) {
  const TimeDiscretisation grid(0.3, 1e-4);
  const std::size_t k = 10'000'000;
  // One rounding of the exact k·h + t₀, and half an ulp of 1e-4 times k.
  EXPECT_NEAR(grid.instant(k), 1000.3, 1000. * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(grid.step(k), 1e-4);
  double summed = 0.3;
  for (std::size_t i = 0; i < k; ++i) summed += 1e-4;
  EXPECT_GT(std::abs(summed - 1000.3), 1e3 * std::abs(grid.instant(k) - 1000.3)) << "summing would do as well";
}

TEST(TimeDiscretisation, CountsStepsUntilTheEnd) {
  EXPECT_EQ(TimeDiscretisation(0., 1e-4).stepsUntil(1.), 10000U);
  EXPECT_EQ(TimeDiscretisation(0., 0.1).stepsUntil(0.3), 3U);
  EXPECT_EQ(TimeDiscretisation(0., 0.3).stepsUntil(1.), 4U);
  EXPECT_EQ(TimeDiscretisation(0., 2.).stepsUntil(1.), 1U);
  EXPECT_EQ(TimeDiscretisation(0., 1e12).stepsUntil(1.), 1U);
  EXPECT_EQ(TimeDiscretisation(1., 1e-7).stepsUntil(2.), 10'000'000U);
}

TEST(TimeDiscretisation, TakesGivenInstants) {
  const TimeDiscretisation grid({0., 0.5, 0.6, 2.});
  EXPECT_EQ(grid.t0(), 0.);
  EXPECT_EQ(grid.stepsUntil(2.), 3U);
  EXPECT_EQ(grid.instant(2), 0.6);
  EXPECT_DOUBLE_EQ(grid.step(1), 0.1);
  expectError([&] { grid.stepsUntil(1.); }, {"last instant", "final time"});
}

TEST(TimeDiscretisation, RefusesStepsAndInstantsThatMakeNoSense) {
  for (const double h : {0., -1e-3, nan, std::numeric_limits<double>::infinity()}) {
    expectError([h] { TimeDiscretisation(0., h); }, {"step h", "positive"});
  }
  expectError([] { TimeDiscretisation(nan, 1.); }, {"t0", "nan"});
  expectError([] { TimeDiscretisation(std::vector<double>{1.}); }, {"two instants"});
  expectError([] { TimeDiscretisation({0., 1., 1.}); }, {"increasing", "instant 2"});
  expectError([] { TimeDiscretisation(std::vector<double>{0., nan}); }, {"instant 1", "nan"});
  expectError([] { TimeDiscretisation(0., 1e-300).stepsUntil(1.); }, {"too small"});
}

}  // namespace
