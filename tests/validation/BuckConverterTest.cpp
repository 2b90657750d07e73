// SPDX-License-Identifier: Apache-2.0
//
// The matrices of the buck converter of the examples against its modes by hand: switch closed, diode conducting,
// neither.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <support/BuckConverter.hpp>
#include <support/PiecewiseLinear.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

enum Mode : std::size_t { closed, freewheeling, blocked };

// x = (i_L, v_C, z_1, z_2, phase of the sawtooth in [0, 1)); v at the switch node is V_in − r_S i_L with the switch
// closed, −V_f − r_D i_L while the diode conducts, and the value that keeps i_L = 0 if nothing conducts.
PiecewiseLinear exactConverter(const BuckConverterParameters& p) {
  const double a = p.load / (p.load + p.capacitorResistance);
  const double rho = a * p.capacitorResistance;
  const double gain = p.proportionalGain + p.derivativeGain / p.derivativeTime;
  // Control voltage minus sawtooth: positive while the switch is closed.
  const Vector open = makeVector({-gain * rho, -gain * a, p.integralGain, -p.derivativeGain / p.derivativeTime, -1.});
  const double offset = gain * p.reference;
  const double margin = 1e-11;  // rounding does not change a mode back
  const Vector restart = makeVector({0., 0., 0., 0., -1.});
  std::vector<PiecewiseLinear::Mode> modes;
  for (const Mode mode : {closed, freewheeling, blocked}) {
    PiecewiseLinear::Mode made;
    made.A = makeMatrix({{-(rho + p.inductorResistance) / p.inductance, -a / p.inductance, 0., 0., 0.},
                         {(1. - rho / p.load) / p.capacitance, -a / (p.load * p.capacitance), 0., 0., 0.},
                         {-rho, -a, 0., 0., 0.},
                         {-rho / p.derivativeTime, -a / p.derivativeTime, 0., -1. / p.derivativeTime, 0.},
                         {0., 0., 0., 0., 0.}});
    made.b = makeVector({0., 0., p.reference, p.reference / p.derivativeTime, p.frequency});
    if (mode == closed) {
      made.A(0, 0) -= p.switchResistance / p.inductance;
      made.b(0) += p.supply / p.inductance;
      made.guards.push_back({open, offset + margin, freewheeling, {}});
    } else {
      if (mode == freewheeling) {
        made.A(0, 0) -= p.diodeResistance / p.inductance;
        made.b(0) -= p.diodeDrop / p.inductance;
        made.guards.push_back({makeVector({1., 0., 0., 0., 0.}), margin, blocked, {}});
      } else {
        for (std::size_t j = 0; j < 5; ++j) made.A(0, j) = 0.;
      }
      made.guards.push_back({Vector(-open), margin - offset, closed, {}});
    }
    made.guards.push_back({makeVector({0., 0., 0., 0., -1.}), 1., closed, restart});
    modes.push_back(made);
  }
  return PiecewiseLinear(std::move(modes), 0.005 / p.frequency, makeVector({0., 0., 0., 0., 0.}), closed);
}

// L1 errors over time of i_L / 10 A + v_C / 10 V of a run with step h.
double errorOfRun(const BuckConverterParameters& p, double h) {
  BuckConverter converter(p);
  PiecewiseLinear exact = exactConverter(p);
  TimeStepping simulation(converter.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
  double sum = 0.;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    const Vector& x = converter.circuit->x();
    sum += 0.1 * h * (std::abs(x(0) - exact.x()(0)) + std::abs(x(1) - exact.x()(1)));
  });
  return sum / p.end;
}

TEST(BuckConverter, ConvergesToTheMotionModeByMode) {
  for (const double load : {2.5, 50.}) {
    BuckConverterParameters p;
    p.load = load;
    p.end = 5e-4;
    PiecewiseLinear whole = exactConverter(p);
    whole.advanceTo(p.end);
    // Fifty periods, most with two switchings, three where the current reaches zero.
    EXPECT_GT(whole.switchings(), 75U);
    std::vector<double> steps, errors;
    for (const double perPeriod : {150., 300., 600., 1200.}) {
      // Means over steps of about one size: where a switching falls in its step is chance.
      double mean = 0., error = 0.;
      constexpr int count = 8;
      for (int k = 0; k < count; ++k) {
        const double h = std::pow(2., static_cast<double>(k) / count) / (p.frequency * perPeriod * std::sqrt(2.));
        mean += h / count;
        error += errorOfRun(p, h) / count;
      }
      steps.push_back(mean);
      errors.push_back(error);
    }
    const std::string title = "buck converter, theta = 1, load " + std::to_string(load) + " ohm";
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95);
  }
}

// Equality, two complementarities and a relay, of mixed degree; the sawtooth falls at time events.
TEST(BuckConverter, IsFollowedFromEventToEvent) {
  for (const double load : {2.5, 50.}) {
    BuckConverterParameters p;
    p.load = load;
    p.end = 5e-4;
    BuckConverter converter(p);
    PiecewiseLinear exact = exactConverter(p);
    EventDriven simulation(converter.model, TimeDiscretisation(0., 3.7e-6));
    std::vector<double> periods;
    for (int k = 1; k <= 50; ++k) periods.push_back(k / p.frequency);
    simulation.addTimeEvents("sawtooth", periods);
    simulation.run([&] {
      exact.advanceTo(simulation.time());
      for (std::size_t i = 0; i < 4; ++i) {
        // Sums of instants, each off by some 1e-16 s, times 1e5 A/s.
        EXPECT_NEAR(converter.circuit->x()(i), exact.x()(i), 1e-8) << "load " << load << " at " << simulation.time();
      }
    });
    std::printf("buck converter: %s\n", simulation.statistics().summary().c_str());
  }
}

TEST(BuckConverter, IsRegulatedThroughThousandsOfSwitchings) {
  for (const double load : {2.5, 50.}) {
    BuckConverterParameters p;
    p.load = load;
    p.end = 10e-3;
    BuckConverter converter(p);
    const double h = 5e-8;
    TimeStepping simulation(converter.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
    double voltage = 0., time = 0.;
    std::size_t switchings = 0;
    bool wasClosed = false;
    simulation.run([&] {
      const bool isClosed = converter.switchState() > 0.5;
      if (isClosed != wasClosed) ++switchings;
      wasClosed = isClosed;
      // Complementarity of the two switches, whatever the mode: never both currents, never backwards.
      EXPECT_GE(converter.diodeCurrent(), 0.);
      EXPECT_GE(converter.switchCurrent(), 0.);
      EXPECT_NEAR(converter.diodeCurrent() + converter.switchCurrent(), converter.inductorCurrent(), 1e-9);
      if (simulation.time() < 5e-3) return;
      voltage += h * converter.outputVoltage();
      time += h;
    });
    // The integral control leaves no error but that of the sampled mean.
    EXPECT_NEAR(voltage / time, p.reference, 1e-3);
    EXPECT_GT(switchings, 1900U);
  }
}

}  // namespace
