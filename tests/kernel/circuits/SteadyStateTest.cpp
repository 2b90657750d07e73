// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(FourierSeriesTest, HarmonicsOfASumOfCosinesAreExact) {
  const std::size_t n = 64;
  for (const std::size_t periods : {1U, 3U}) {
    std::vector<double> samples;
    for (std::size_t j = 0; j < n; ++j) {
      const double angle = 2. * M_PI * static_cast<double>(periods * j) / static_cast<double>(n);
      samples.push_back(1.5 + 2. * std::cos(angle + 0.3) + 0.4 * std::cos(3. * angle - 1.) +
                        0.3 * std::sin(5. * angle));
    }
    const FourierSeries series(samples, 6, periods);
    EXPECT_NEAR(series.mean(), 1.5, 1e-14);
    EXPECT_NEAR(series.amplitude(1), 2., 1e-14);
    EXPECT_NEAR(series.phase(1), 0.3, 1e-14);
    EXPECT_NEAR(series.amplitude(2), 0., 1e-14);
    EXPECT_NEAR(series.phase(3), -1., 1e-13);
    EXPECT_NEAR(series.phase(5), -0.5 * M_PI, 1e-13);
    EXPECT_NEAR(series.distortion(), 0.25, 1e-14);
    EXPECT_NEAR(series.rms(), std::sqrt(1.5 * 1.5 + 0.5 * (4. + 0.25)), 1e-14);
    EXPECT_THROW(series.amplitude(7), Error);
  }
  EXPECT_THROW(FourierSeries(std::vector<double>(8), 4), Error);
  EXPECT_THROW(FourierSeries(std::vector<double>(64), 2).distortion(), Error);
}

// A capacitor that is charged by R in each pulse and discharged by it in between: v at the begin of a pulse and
// ∂P/∂v = e^(−T/RC) are known.
TEST(SteadyStateTest, PulsedCapacitorHasItsClosedForm) {
  const double R = 10., C = 1e-6, period = 2e-5, width = 6e-6, high = 5.;
  Circuit circuit;
  circuit.source("V", "in", "0", Waveform(PulseWave{.high = high, .width = width, .period = period}));
  circuit.resistor("R", "in", "out", R);
  circuit.capacitor("C", "out", "0", C);
  const double decay = std::exp(-period / (R * C));
  const double exact = high * (std::exp(-(period - width) / (R * C)) - decay) / (1. - decay);
  const SteadyState steady = findSteadyState(circuit, period, {.byEvents = true});
  EXPECT_NEAR(steady.state(0), exact, 1e-8);
  EXPECT_NEAR(steady.derivative(0, 0), decay, 1e-4);
  EXPECT_LE(steady.passes, 3U);
  const SteadyState stepped = findSteadyState(circuit, period, {.theta = 0.5});
  EXPECT_NEAR(stepped.state(0), exact, 1e-4);
}

// A buck converter in continuous and discontinuous conduction: the mean of the capacitor's current over the period is
// zero, and the state comes back.
TEST(SteadyStateTest, BuckConverterComesBackAfterAPeriod) {
  const double period = 1e-5;
  for (const double load : {2., 100.}) {
    Circuit circuit;
    circuit.source("V", "in", "0", 12.);
    circuit.idealSwitch("S", "in", "x", Gate::pulses({.period = period, .width = 0.4 * period}));
    circuit.diode("D", "0", "x", {.resistance = 0.01});
    circuit.inductor("L", "x", "out", 2e-5);
    circuit.capacitor("C", "out", "0", 2e-5, 5.);
    circuit.resistor("R", "out", "0", load);
    const SteadyState steady = findSteadyState(circuit, period);
    NonSmoothDynamicalSystem model(0., 20. * period);
    CircuitInstance instance = circuit.insertInto(model, "buck");
    instance.setState(steady.state);
    TimeStepping simulation(model, 1e-3 * period, EulerMoreauOSI(1.));
    instance.attach(simulation);
    double worst = 0.;
    simulation.run([&] {
      if (simulation.stepIndex() % 1000 != 0) return;
      const Vector now = instance.state();
      for (std::size_t k = 0; k < now.size(); ++k) worst = std::max(worst, std::abs(now(k) - steady.state(k)));
    });
    EXPECT_LT(worst, 1e-6) << load;
    EXPECT_LE(steady.passes, 12U);
  }
}

TEST(SteadyStateTest, StatesThatNothingDeterminesAreRefused) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., 50.));
  circuit.capacitor("C", "in", "out", 1e-6);
  circuit.currentSource("I", "out", "0", sine(1e-3, 50.));
  EXPECT_THROW(findSteadyState(circuit, 0.02), Error);
  EXPECT_THROW(findSteadyState(circuit, -1.), Error);
}

}  // namespace
