// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/circuits/Gate.hpp>
#include <delassus/kernel/circuits/Waveform.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace {

using namespace delassus;

constexpr double never = std::numeric_limits<double>::infinity();

// The derivative is that of the value, and no break is left out between two instants.
void expectSmooth(const Waveform& wave, double begin, double end) {
  for (double t = begin; t < end; t += 0.0137 * (end - begin)) {
    const double step = 1e-6 * (end - begin);
    if (wave.nextBreak(t - step) <= t + step) continue;
    const double slope = (wave.value(t + step) - wave.value(t - step)) / (2. * step);
    EXPECT_NEAR(wave.derivative(t), slope, 1e-6 * (1. + std::abs(slope))) << t;
  }
}

TEST(WaveformTest, SineHasOffsetDelayDampingAndPhase) {
  const Waveform wave(
      SineWave{.amplitude = 2., .frequency = 3., .offset = 1., .delay = 0.1, .damping = 4., .phase = 0.5});
  EXPECT_DOUBLE_EQ(wave.value(0.), 1. + 2. * std::sin(0.5));
  EXPECT_NEAR(wave.value(0.3), 1. + 2. * std::exp(-0.8) * std::sin(2. * M_PI * 3. * 0.2 + 0.5), 1e-14);
  EXPECT_DOUBLE_EQ(wave.nextBreak(0.), 0.1);
  EXPECT_EQ(wave.nextBreak(0.1), never);
  expectSmooth(wave, 0., 1.);
  EXPECT_FALSE(wave.isConstant());
  EXPECT_TRUE(Waveform(3.).isConstant());
}

TEST(WaveformTest, PulseHasEdgesAtItsBreaks) {
  const Waveform wave(
      PulseWave{.low = 1., .high = 3., .delay = 2., .rise = 1., .fall = 2., .width = 3., .period = 10.});
  const double expected[][2] = {{0., 1.}, {2., 1.}, {2.5, 2.}, {3., 3.}, {5.9, 3.}, {7., 2.}, {8.5, 1.}, {12.5, 2.}};
  for (const auto& [t, u] : expected) EXPECT_NEAR(wave.value(t), u, 1e-14) << t;
  double t = 0.;
  for (const double next : {2., 3., 6., 8., 12., 13.}) EXPECT_DOUBLE_EQ(t = wave.nextBreak(t), next);
  EXPECT_FALSE(wave.hasJumps());
  expectSmooth(wave, 0., 30.);
}

TEST(WaveformTest, VerticalEdgesAreJumpsWithTheValueAfterThem) {
  const Waveform wave(PulseWave{.high = 1., .width = 0.25, .period = 1.});
  EXPECT_TRUE(wave.hasJumps());
  for (const double k : {0., 1., 7., 1e6}) {
    EXPECT_EQ(wave.value(k), 1.) << k;
    EXPECT_EQ(wave.value(k + 0.25), 0.) << k;
    EXPECT_EQ(wave.value(k + 0.2499), 1.) << k;
  }
  EXPECT_TRUE(Waveform(PulseWave{.high = 1.}).hasJumps());
}

// A break whose instant is rounded is one break, and past at its instant.
TEST(WaveformTest, BreaksOfManyPeriodsComeOnceEach) {
  for (const double period : {2e-5, 1e-3 / 3., 0.1, 1. / 60.}) {
    const double width = 0.37 * period;
    const Waveform wave(PulseWave{.high = 1., .delay = 1e-6, .width = width, .period = period});
    double t = 0., last = -1.;
    for (int k = 0; k < 10000; ++k) {
      t = wave.nextBreak(t);
      ASSERT_GT(t - last, 0.3 * period) << "break " << k << " of " << period;
      ASSERT_NEAR(t, 1e-6 + (k / 2) * period + (k % 2) * width, 1e-9 * period);
      ASSERT_EQ(wave.value(t), k % 2 == 0 ? 1. : 0.) << "break " << k << " of " << period;
      last = t;
    }
  }
}

TEST(WaveformTest, StraightLinesHoldTheirEndsOrRepeat) {
  const Waveform once = Waveform::piecewiseLinear({{1., 0.}, {2., 4.}, {2., 1.}, {3., 1.}});
  EXPECT_EQ(once.value(0.), 0.);
  EXPECT_EQ(once.value(1.5), 2.);
  EXPECT_EQ(once.value(2.), 1.);
  EXPECT_EQ(once.value(9.), 1.);
  EXPECT_TRUE(once.hasJumps());
  const Waveform saw = Waveform::piecewiseLinear({{0., 0.}, {1., 1.}}, 1.);
  EXPECT_NEAR(saw.value(5.25), 0.25, 1e-14);
  EXPECT_DOUBLE_EQ(saw.nextBreak(5.25), 6.);
  EXPECT_TRUE(saw.hasJumps());
}

TEST(WaveformTest, ExponentialsRiseAndFall) {
  const Waveform wave(
      ExponentialWave{.low = 1., .high = 2., .riseDelay = 1., .riseTime = 0.5, .fallDelay = 3., .fallTime = 0.2});
  EXPECT_EQ(wave.value(0.5), 1.);
  EXPECT_NEAR(wave.value(2.), 2. - std::exp(-2.), 1e-14);
  EXPECT_NEAR(wave.value(30.), 1., 1e-12);
  expectSmooth(wave, 0., 5.);
}

TEST(WaveformTest, BadNumbersAreRefused) {
  EXPECT_THROW(Waveform{std::nan("")}, Error);
  EXPECT_THROW((Waveform{PulseWave{.rise = 1., .width = 2., .period = 2.}}), Error);
  EXPECT_THROW((Waveform{SineWave{.delay = -1.}}), Error);
  EXPECT_THROW((Waveform{ExponentialWave{.riseTime = 0.}}), Error);
  EXPECT_THROW(Waveform::piecewiseLinear({}), Error);
  EXPECT_THROW(Waveform::piecewiseLinear({{1., 0.}, {0., 0.}}), Error);
  EXPECT_THROW(Waveform([](double t) { return t; }, {}, {2., 1.}), Error);
}

TEST(GateTest, PulsesHaveClosingAndOpeningEdges) {
  const Gate gate = Gate::pulses({.period = 2., .width = 0.5, .delay = 1.});
  const double expected[] = {1., 1.5, 3., 3.5, 5.};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_DOUBLE_EQ(gate.instant(k), expected[k]);
  EXPECT_EQ(Gate::pulses({.period = 1., .width = 0.}).kind(), Gate::Kind::manual);
  EXPECT_EQ(Gate::pulses({.period = 1., .width = 1.}).instant(1), never);
  EXPECT_THROW(Gate::pulses({.period = 1., .width = 2.}), Error);
  EXPECT_THROW(Gate::switching({}), Error);
  EXPECT_THROW(Gate::where({}), Error);
  EXPECT_THROW(Gate::voltage("a", "b", {.closes = never}), Error);
}

}  // namespace
