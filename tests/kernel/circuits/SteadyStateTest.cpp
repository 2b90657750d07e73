// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>

// Periodic states of circuits, by PeriodMap.

namespace {

using namespace delassus;
using namespace delassus::test;

// Each pulse charges a capacitor through R, which discharges it in between: the voltage where a pulse begins and
// ∂P/∂v = e^(−T/RC) are known.
TEST(SteadyState, OfAPulsedCapacitorIsItsClosedForm) {
  const double R = 10., C = 1e-6, period = 2e-5, width = 6e-6, high = 5.;
  Circuit circuit;
  circuit.source("V", "in", "0", Waveform(PulseWave{.high = high, .width = width, .period = period}));
  circuit.resistor("R", "in", "out", R);
  circuit.capacitor("C", "out", "0", C);
  const double decay = std::exp(-period / (R * C));
  const double exact = high * (std::exp(-(period - width) / (R * C)) - decay) / (1. - decay);
  NonSmoothDynamicalSystem model(0., 1e-2);
  CircuitInstance instance = circuit.insertInto(model, "pulsed");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  EventDriven simulation(model, TimeDiscretisation(0., period), options);
  instance.attach(simulation);
  PeriodMap map(simulation, 1);
  const PeriodicState steady = findPeriodicState(map);
  EXPECT_NEAR(steady.x(0), exact, 1e-8);
  EXPECT_NEAR(steady.byState(0, 0), decay, 1e-7);
  EXPECT_LE(steady.newtonSteps, 3U);
}

// A buck converter in continuous and discontinuous conduction: the state comes back, and a run of twenty periods stays.
TEST(SteadyState, OfABuckConverterComesBackAfterAPeriod) {
  const double period = 1e-5;
  for (const double load : {2., 100.}) {
    Circuit circuit;
    circuit.source("V", "in", "0", 12.);
    circuit.idealSwitch("S", "in", "x", Gate::pulses({.period = period, .width = 0.4 * period}));
    circuit.diode("D", "0", "x", {.resistance = 0.01});
    circuit.inductor("L", "x", "out", 2e-5);
    circuit.capacitor("C", "out", "0", 2e-5, 5.);
    circuit.resistor("R", "out", "0", load);
    NonSmoothDynamicalSystem model(0., 1e-2);
    CircuitInstance instance = circuit.insertInto(model, "buck");
    TimeSteppingOptions options;
    options.requireConsistentStart = false;  // differences leave the states that diodes allow
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3 * period), EulerMoreauOSI(1.), options);
    instance.attach(simulation);
    PeriodMap map(simulation, 1000);
    const PeriodicState steady = findPeriodicState(map);
    EXPECT_TRUE(steady.isStable()) << load;
    EXPECT_LE(steady.newtonSteps, 12U);
    // The simulation stands at the end of that period.
    const Vector begin = instance.state();
    for (int k = 0; k < 20 * 1000; ++k) simulation.step();
    const Vector end = instance.state();
    for (std::size_t k = 0; k < end.size(); ++k) EXPECT_NEAR(end(k), begin(k), 1e-6) << load;
  }
}

// v_out follows the duty d as V_in / (1 + s L/R + s² L C) for frequencies far below that of the switch (Middlebrook,
// Ćuk 1976); the magnitude, since the sample at the end of a period has a delay.
TEST(SteadyState, OfABuckConverterAnswersToItsDutyAsTheAveragedModel) {
  const double period = 1e-5, V = 12., L = 1e-4, C = 1e-4, R = 2.;
  double width = 0.4 * period;
  Circuit circuit;
  circuit.source("V", "in", "0", V);
  circuit.idealSwitch("S", "in", "x", Gate::switching([&](std::size_t k) {
                        return period * static_cast<double>(k / 2) + (k % 2 == 0 ? 0. : width);
                      }));
  circuit.diode("D", "0", "x");
  circuit.inductor("L", "x", "out", L, 2.4);
  circuit.capacitor("C", "out", "0", C, 4.8);
  circuit.resistor("R", "out", "0", R);
  NonSmoothDynamicalSystem model(0., 1e-2);
  CircuitInstance instance = circuit.insertInto(model, "buck");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-11;
  options.keepEvents = false;
  EventDriven simulation(model, TimeDiscretisation(0., period), options);
  instance.attach(simulation);
  PeriodMap map(simulation, 1);
  const PeriodicState steady = findPeriodicState(map);
  const SampledResponse response(
      map, steady, [&](double duty) { width = duty * period; }, 0.4, 1e-3, [&] { return instance.voltage("out"); });
  for (const double f : {1., 200., 1000., 3000.}) {
    const double omega = 2. * M_PI * f;
    const std::complex<double> averaged = V / std::complex<double>(1. - omega * omega * L * C, omega * L / R);
    // The averaged model has an error of (f T)², and of the ripple's mean against its value at the end of the period.
    EXPECT_NEAR(std::abs(response(f)), std::abs(averaged), 0.01 * std::abs(averaged)) << f;
  }
}

}  // namespace
