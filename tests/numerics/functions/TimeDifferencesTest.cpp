// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <limits>
#include <numbers>

namespace {

using namespace delassus;

constexpr double pi = std::numbers::pi;

// A function of time that may be looked at from 0 to `end` alone.
template <class F>
struct Watched {
  F f;
  double end;
  TimeDifferences differences{};
  Vector terms = makeVector({1.});
  Vector result = makeVector({0.});

  auto at(double t) {
    return [this, t](double offset, Vector& value) {
      EXPECT_GE(t + offset, -1e-15 * end);
      EXPECT_LE(t + offset, end + 1e-15 * end);
      value(0) = f(std::clamp(t + offset, 0., end));
    };
  }
  TimeDifferences::Place place(double t) const {
    return {{t, end - t}, std::numeric_limits<double>::epsilon() * t, 1e-2};
  }
  double choose(double t) { return differences.choose(at(t), place(t), terms); }
  bool find(double t, double increment) { return differences.compute(at(t), place(t), terms, increment, result) > 0.; }
};

// Clang deduces no arguments of aggregates before its version 17.
template <class F>
Watched(F, double) -> Watched<F>;

TEST(TimeDifferences, FindTheScaleOfAnOscillationInAnyPiece) {
  for (const double frequency : {5., 20., 60., 400., 1e3, 3.3e3, 2e4}) {
    for (const double end : {0.01, 0.05, 0.29, 1.}) {
      const double omega = 2. * pi * frequency;
      Watched watched{[=](double t) { return std::cos(omega * t); }, end};
      const double increment = watched.choose(0.);
      for (int k = 0; k <= 40; ++k) {
        const double t = end * k / 40.;
        ASSERT_TRUE(watched.find(t, increment));
        // The orders agree to nine digits.
        EXPECT_NEAR(watched.result(0), -omega * std::sin(omega * t), 1e-9 * omega)
            << frequency << ' ' << end << ' ' << t;
      }
    }
  }
}

TEST(TimeDifferences, DoNotTakeAFastFunctionForASlowOne) {
  // All increments of a hundredth of a second see the same value, if they are of equal distance.
  for (const double frequency : {100., 1e3, 5e3, 1e4}) {
    const double omega = 2. * pi * frequency;
    Watched watched{[=](double t) { return std::sin(omega * t); }, 1.};
    for (const double increment : {1e-2, 1e-3, 2e-4}) {
      ASSERT_TRUE(watched.find(0.5, increment));
      EXPECT_NEAR(watched.result(0), omega * std::cos(omega * 0.5), 1e-9 * omega) << frequency << ' ' << increment;
    }
  }
}

TEST(TimeDifferences, AreExactForPolynomialsNearTheEndsOfAPiece) {
  Watched watched{[](double t) { return 3. + t * (2. + t * (-1. + t * t)); }, 1e-3};
  for (const double t : {0., 1e-12, 3e-4, 1e-3 - 1e-12, 1e-3}) {
    ASSERT_TRUE(watched.find(t, 1e-3));
    // Rounding of values of 3 over increments of a sixth of the piece.
    EXPECT_NEAR(watched.result(0), 2. - 2. * t + 4. * t * t * t, 1e-9) << t;
  }
}

TEST(TimeDifferences, SayWhereAFunctionIsNotSmooth) {
  Watched jump{[](double t) { return t < 0.5 ? 0. : 1.; }, 1.};
  EXPECT_FALSE(jump.find(0.5, 1e-2));
  EXPECT_TRUE(jump.find(0.5 + 1e-6, 1e-2));
  EXPECT_NEAR(jump.result(0), 0., 1e-8);  // rounding of ones over a microsecond
  // Beside a kink the increment becomes shorter.
  Watched kink{[](double t) { return std::abs(t - 0.5); }, 1.};
  ASSERT_TRUE(kink.find(0.5 + 1e-5, 1e-2));
  EXPECT_NEAR(kink.result(0), 1., 1e-9);
  Watched nothing{[](double) { return std::nan(""); }, 1.};
  EXPECT_FALSE(nothing.find(0.3, 1e-2));
  EXPECT_TRUE(std::isnan(nothing.result(0)));
  Watched instant{[](double) { return 1.; }, 0.};
  EXPECT_FALSE(instant.find(0., 1e-2));
}

TEST(TimeDifferences, KeepFourDigitsOfAFunctionThatIsNotExact) {
  // A table of nine digits, say.
  Watched rough{[](double t) { return std::round(std::sin(t) * 1e9) * 1e-9; }, 10.};
  ASSERT_TRUE(rough.find(3., rough.choose(3.)));
  EXPECT_NEAR(rough.result(0), std::cos(3.), 1e-4);
}

}  // namespace
