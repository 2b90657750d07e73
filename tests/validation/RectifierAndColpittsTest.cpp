// SPDX-License-Identifier: Apache-2.0
//
// The rectifier and the Colpitts oscillator of the examples against their motion mode by mode, modes by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <support/Colpitts.hpp>
#include <support/PiecewiseLinear.hpp>
#include <support/Rectifier.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double margin = 1e-11;  // rounding does not change a mode back

// x = (i, v, sin ωt, cos ωt): diodes 1 and 4 conduct, 2 and 3, or none. With all four the capacitor would be shorted.
PiecewiseLinear exactRectifier(const RectifierParameters& p, double omega) {
  std::vector<PiecewiseLinear::Mode> modes(3);
  for (std::size_t mode = 0; mode < 3; ++mode) {
    const double sign = mode == 0 ? 0. : mode == 1 ? 1. : -1.;
    const double L = p.inductance, C = p.capacitance;
    PiecewiseLinear::Mode& made = modes[mode];
    made.b = makeVector({0., 0., 0., 0.});
    made.A =
        makeMatrix({{0., 0., 0., 0.}, {0., -1. / (p.load * C), 0., 0.}, {0., 0., 0., omega}, {0., 0., -omega, 0.}});
    if (mode == 0) {
      made.guards.push_back({makeVector({0., 1., -p.amplitude, 0.}), margin, 1, {}});
      made.guards.push_back({makeVector({0., 1., p.amplitude, 0.}), margin, 2, {}});
    } else {
      made.A(0, 0) = -p.resistance / L;
      made.A(0, 1) = -sign / L;
      made.A(0, 2) = p.amplitude / L;
      made.A(1, 0) = sign / C;
      made.guards.push_back({makeVector({sign, 0., 0., 0.}), margin, 0, {}});
    }
  }
  return PiecewiseLinear(std::move(modes), 1e-5, makeVector({0., 0., 0., 1.}), 1);
}

double rectifierError(const RectifierParameters& p, double theta, double h, double& ripple) {
  Rectifier rectifier(p);
  PiecewiseLinear exact = exactRectifier(p, rectifier.angularFrequency());
  TimeStepping simulation(rectifier.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), LCP());
  double sum = 0., largest = 0., smallest = HUGE_VAL;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    sum +=
        h * (std::abs(rectifier.sourceCurrent() - exact.x()(0)) + std::abs(rectifier.outputVoltage() - exact.x()(1)));
    if (simulation.time() < p.end - 0.02) return;
    largest = std::max(largest, rectifier.outputVoltage() - exact.x()(1));
    smallest = std::min(smallest, rectifier.outputVoltage() - exact.x()(1));
  });
  ripple = std::max(std::abs(largest), std::abs(smallest));
  return sum / p.end;
}

TEST(DiodeBridgeFilter, ConvergesToTheMotionModeByMode) {
  RectifierParameters p;
  p.end = 0.06;
  for (const double theta : {1., 0.5}) {
    std::vector<double> steps, errors;
    double worst = 0.;
    for (const double h : {4e-5, 2e-5, 1e-5, 5e-6}) {
      steps.push_back(h);
      errors.push_back(rectifierError(p, theta, h, worst));
    }
    const std::string title = "rectifier, theta = " + std::to_string(theta);
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95);
    // The voltage is about 15 V: the pulses begin and end up to h late, and 7 A for 5 µs are 16 mV at the capacitor.
    EXPECT_LT(worst, 0.016);
  }
}

TEST(DiodeBridgeFilter, KeepsEveryDiodeComplementary) {
  Rectifier rectifier({});
  TimeStepping simulation(rectifier.model, TimeDiscretisation(0., 2e-5), EulerMoreauOSI(0.5), LCP());
  simulation.run([&] {
    for (std::size_t i = 0; i < 4; ++i) {
      // The certificate is 1e-8 of free outputs of up to 20.
      EXPECT_GE(rectifier.bridge->y(0)(i), -1e-6);
      EXPECT_GE(rectifier.bridge->lambda(0)(i), 0.);
      EXPECT_NEAR(std::min(rectifier.bridge->y(0)(i), rectifier.bridge->lambda(0)(i)), 0., 1e-6);
    }
  });
}

// Four rows; while no diode conducts, two say the same, and λ is not unique.
TEST(DiodeBridgeFilter, IsFollowedFromEventToEvent) {
  RectifierParameters p;
  p.end = 0.06;
  Rectifier rectifier(p);
  PiecewiseLinear exact = exactRectifier(p, rectifier.angularFrequency());
  EventDriven simulation(rectifier.model, TimeDiscretisation(0., 1e-3));
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    EXPECT_NEAR(rectifier.sourceCurrent(), exact.x()(0), 1e-8) << simulation.time();
    EXPECT_NEAR(rectifier.outputVoltage(), exact.x()(1), 1e-8) << simulation.time();
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(std::min(rectifier.bridge->y(0)(i), rectifier.bridge->lambda(0)(i)), 0., 1e-11);
    }
  });
  std::printf("rectifier: %s\n", simulation.statistics().summary().c_str());
}

// Blocking and conducting junction, i_B = (v_BE − V_th) / R_on.
PiecewiseLinear exactColpitts(const ColpittsParameters& p) {
  std::vector<PiecewiseLinear::Mode> modes(2);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const double g = mode == 0 ? 0. : 1. / p.baseResistance;
    PiecewiseLinear::Mode& made = modes[mode];
    made.A = makeMatrix({{0., -p.gain * g / p.capacitance1, 1. / p.capacitance1},
                         {0., -(1. / p.emitterResistance + g) / p.capacitance2, -1. / p.capacitance2},
                         {-1. / p.inductance, 1. / p.inductance, -p.resistance / p.inductance}});
    made.b = makeVector({p.gain * g * p.threshold / p.capacitance1,
                         (p.emitterSupply / p.emitterResistance + g * p.threshold) / p.capacitance2,
                         p.collectorSupply / p.inductance});
    const double sign = mode == 0 ? -1. : 1.;
    made.guards.push_back({makeVector({0., sign, 0.}), -sign * p.threshold + margin, 1 - mode, {}});
  }
  return PiecewiseLinear(std::move(modes), 2e-9, makeVector({0., 0., 0.}), 0);
}

TEST(Colpitts, ConvergesToTheMotionModeByMode) {
  ColpittsParameters p;
  p.resistance = 80.;
  p.end = 1e-4;
  PiecewiseLinear whole = exactColpitts(p);
  whole.advanceTo(p.end);
  EXPECT_GT(whole.switchings(), 10U);
  for (const double theta : {1., 0.5}) {
    std::vector<double> steps, errors;
    for (const double h : {4e-9, 2e-9, 1e-9, 5e-10}) {
      Colpitts colpitts(p);
      PiecewiseLinear exact = exactColpitts(p);
      TimeStepping simulation(colpitts.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), LCP());
      double sum = 0.;
      simulation.run([&] {
        exact.advanceTo(simulation.time());
        sum += h * std::abs(colpitts.circuit->x()(0) - exact.x()(0));
      });
      steps.push_back(h);
      errors.push_back(sum / p.end);
    }
    const std::string title = "colpitts, theta = " + std::to_string(theta);
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95);
  }
}

TEST(Colpitts, IsFollowedFromEventToEvent) {
  for (const OdeMethod method : {OdeMethod::rungeKutta, OdeMethod::bdf}) {
    ColpittsParameters p;
    p.resistance = 80.;
    p.end = 1e-4;
    Colpitts colpitts(p);
    PiecewiseLinear exact = exactColpitts(p);
    EventDrivenOptions options;
    options.integration.method = method;
    EventDriven simulation(colpitts.model, TimeDiscretisation(0., 1e-6), options);
    simulation.run([&] {
      exact.advanceTo(simulation.time());
      EXPECT_NEAR(colpitts.circuit->x()(0), exact.x()(0), method == OdeMethod::bdf ? 1e-5 : 1e-7) << simulation.time();
    });
    EXPECT_EQ(simulation.events().size(), exact.switchings());
    std::printf("colpitts: %s\n", simulation.statistics().summary().c_str());
  }
}

TEST(Colpitts, OscillatesWithoutEnd) {
  ColpittsParameters p;
  p.end = 2e-3;
  Colpitts colpitts(p);
  TimeStepping simulation(colpitts.model, TimeDiscretisation(0., 2e-8), EulerMoreauOSI(0.5), LCP());
  double smallest = HUGE_VAL, largest = -HUGE_VAL;
  simulation.run([&] {
    if (simulation.time() < 1.9e-3) return;
    smallest = std::min(smallest, colpitts.circuit->x()(0));
    largest = std::max(largest, colpitts.circuit->x()(0));
  });
  EXPECT_GT(largest - smallest, 3.);
  EXPECT_LT(largest, 10.);
}

}  // namespace
