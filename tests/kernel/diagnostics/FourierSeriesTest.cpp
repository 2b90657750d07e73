// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/FourierSeries.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>

namespace {

using namespace delassus;
constexpr double pi = std::numbers::pi;

TEST(FourierSeries, OfASquareWaveIsThatOfItsClosedFormToRounding) {
  // +1 in the first half of each period and −1 in the second: |c_k| = 2/(π k) for odd k, and the rms value is 1.
  const double T = 0.02, begin = 0.3;
  FourierSeries series(begin, T, 9);
  for (int half = 0; half < 8; ++half) {
    const double value = half % 2 == 0 ? 1. : -1.;
    series.add(begin + 0.5 * T * half, value);
    series.add(begin + 0.5 * T * half + 0.1 * T, value);  // the samples need not be equidistant
    series.add(begin + 0.5 * T * (half + 1), value);
  }
  EXPECT_EQ(series.periods(), 4U);
  EXPECT_NEAR(series.mean(), 0., 1e-13);
  EXPECT_NEAR(series.rms(), 1., 1e-13);
  for (std::size_t k = 1; k <= 9; ++k) {
    EXPECT_NEAR(series.amplitude(k), k % 2 == 1 ? 4. / (pi * static_cast<double>(k)) : 0., 1e-13) << k;
  }
  EXPECT_NEAR(series.phase(3), -pi / 2, 1e-12);
  EXPECT_NEAR(series.distortion(), std::sqrt(pi * pi / 8. - 1.), 1e-12);
}

TEST(FourierSeries, OfATriangleIsExactSinceItIsLinearBetweenSamples) {
  FourierSeries series(0., 1., 5);
  for (int k = -1; k <= 7; ++k) series.add(0.5 * k, k % 2 == 0 ? 2. : 0.);
  // 1 + Σ_odd 8/(π² k²) cos: rms² = 1 + 1/3.
  EXPECT_NEAR(series.mean(), 1., 1e-14);
  EXPECT_NEAR(series.amplitude(1), 8. / (pi * pi), 1e-14);
  EXPECT_NEAR(series.amplitude(2), 0., 1e-14);
  EXPECT_NEAR(series.amplitude(5), 8. / (25. * pi * pi), 1e-14);
  EXPECT_NEAR(series.rms(), std::sqrt(4. / 3.), 1e-14);
}

TEST(FourierSeries, OfASampledSineHasTheErrorOfLinearInterpolation) {
  double before = 0.;
  for (const int samples : {50, 100, 200}) {
    FourierSeries series(0., 1., 3);
    for (int k = 0; k <= 3 * samples; ++k) {
      const double t = static_cast<double>(k) / samples;
      series.add(t, 2. + 3. * std::cos(2. * pi * t - 0.4));
    }
    EXPECT_EQ(series.periods(), 3U);
    EXPECT_NEAR(series.phase(1), -0.4, 1e-12);
    const double error = std::abs(series.amplitude(1) - 3.);
    // Linear interpolation of exp(iωt) scales it by (sin x / x)², x = π/samples.
    const double x = pi / samples, factor = std::pow(std::sin(x) / x, 2);
    EXPECT_NEAR(error, 3. * (1. - factor), 1e-12);
    if (before > 0.) {
      EXPECT_NEAR(before / error, 4., 0.02);
    }
    before = error;
  }
}

TEST(FourierSeries, OfFineSamplesLosesNothingByCancellation) {
  // 10⁵ samples a period, where the formulas of a segment cancel unless they are taken about its middle.
  FourierSeries series(0., 1., 2);
  const int samples = 100000;
  for (int k = 0; k <= samples; ++k) series.add(static_cast<double>(k) / samples, static_cast<double>(k) / samples);
  EXPECT_NEAR(series.mean(), 0.5, 1e-12);
  EXPECT_NEAR(series.amplitude(1), 1. / pi, 1e-12);  // a sawtooth
  EXPECT_NEAR(series.amplitude(2), 1. / (2. * pi), 1e-12);
}

TEST(FourierSeries, CutsSegmentsAtTheEndsOfPeriods) {
  // One segment over three periods of y = t: the mean over [1, 4] is 2.5, and only whole periods count.
  FourierSeries series(1., 1., 1);
  series.add(0.5, 0.5);
  series.add(4.7, 4.7);
  EXPECT_EQ(series.periods(), 3U);
  EXPECT_NEAR(series.mean(), 2.5, 1e-14);
}

TEST(FourierSeries, CountsAPeriodWhoseEndIsRounded) {
  for (const double h : {0.1, 0.3, 1e-3, 0.7}) {
    for (int steps = 1; steps < 60; ++steps) {
      // The sum and the product of steps differ by rounding, either way.
      FourierSeries series(h, h * steps, 1);
      double t = h;
      series.add(t, 1.);
      for (int k = 0; k < steps; ++k) series.add(t += h, 1.);
      ASSERT_EQ(series.periods(), 1U) << h << ' ' << steps;
      EXPECT_NEAR(series.mean(), 1., 1e-13);
    }
  }
}

TEST(FourierSeries, RefusesWhatMakesNoSense) {
  EXPECT_THROW(FourierSeries(0., 0., 3), Error);
  EXPECT_THROW(FourierSeries(0., NAN, 3), Error);
  EXPECT_THROW(FourierSeries(0., 1., 0), Error);
  FourierSeries series(0., 1., 2);
  EXPECT_THROW(series.mean(), Error);
  EXPECT_THROW(series.add(0.1, 1.), Error);  // it begins too late
  series.add(0., 1.);
  series.add(0.5, 1.);
  EXPECT_THROW(series.add(0.4, 1.), Error);
  EXPECT_THROW(series.add(0.6, NAN), Error);
  EXPECT_THROW(series.rms(), Error);
  series.add(1., 1.);
  EXPECT_NEAR(series.mean(), 1., 1e-15);
  EXPECT_THROW(series.coefficient(3), Error);
}

}  // namespace
