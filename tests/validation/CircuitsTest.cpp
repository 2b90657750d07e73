// SPDX-License-Identifier: Apache-2.0
//
// Circuits with diodes against solutions mode by mode, with matrix exponentials and modes derived by hand: order of
// convergence of mean errors over time, across switchings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <delassus/delassus.hpp>
#include <functional>
#include <memory>
#include <rlc_diode/ExactRlcDiode.hpp>
#include <support/Circuits.hpp>
#include <support/PiecewiseLinear.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// Keeps rounding from changing a mode back at once.
constexpr double margin = 1e-12;

using Modes = std::vector<PiecewiseLinear::Mode>;
/// Scaled error of a run's present state and multipliers against the exact state.
using ErrorAt = std::function<double(const PiecewiseLinear& exact)>;

/// Mean error over the time of a run with step h.
double meanError(NonSmoothDynamicalSystem& model, double theta, double h, PiecewiseLinear exact, const ErrorAt& error) {
  TimeStepping simulation(model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), LCP());
  double sum = 0.;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    sum += error(exact);
  });
  return sum / static_cast<double>(simulation.steps());
}

/// Order of `errorOfRun(θ, h)` from h = coarsest, by halving, for θ = 1 and ½.
void expectOrderOne(const std::string& title, double coarsest,
                    const std::function<double(double theta, double h)>& errorOfRun) {
  for (const double theta : {1., 0.5}) {
    std::vector<double> steps, errors;
    for (int k = 0; k < 5; ++k) {
      steps.push_back(std::ldexp(coarsest, -k));
      errors.push_back(errorOfRun(theta, steps.back()));
    }
    const std::string run = title + (theta < 1. ? ", theta = 1/2" : ", theta = 1");
    EXPECT_GE(observedOrder(run.c_str(), steps, errors), 0.95) << run;
  }
}

std::size_t switchingsUntil(double end, PiecewiseLinear exact) {
  exact.advanceTo(end);
  return exact.switchings();
}

// Two modes: D1 and D4 conduct the current x₁/R while x₁ > 0, D2 and D3 conduct −x₁/R while x₁ < 0. Either takes the
// current x₁/R from the capacitor.
TEST(DiodeBridge, ConvergesToTheMotionModeByMode) {
  const double end = 2e-3;
  const double resistance = 400.;
  const double c = 1. / DiodeBridge::capacitance;
  const Matrix A = makeMatrix({{-c / resistance, -c}, {1. / DiodeBridge::inductance, 0.}});
  const Vector b = makeVector({0., 0.});
  const PiecewiseLinear exact(
      Modes{{A, b, {{makeVector({1., 0.}), margin, 1}}}, {A, b, {{makeVector({-1., 0.}), margin, 0}}}}, 1e-6,
      makeVector({10., 0.}), 0);
  EXPECT_GE(switchingsUntil(end, exact), 6U);
  expectOrderOne("diode bridge", 4e-7, [&](double theta, double h) {
    DiodeBridge circuit(end, resistance);
    return meanError(circuit.model, theta, h, exact, [&](const PiecewiseLinear& e) {
      const Vector& x = circuit.oscillator->x();
      const Vector& lambda = circuit.bridge->lambda(0);
      const double current4 = std::max(e.x()(0), 0.) / resistance;
      const double current2 = std::max(-e.x()(0), 0.) / resistance;
      return std::max({std::abs(x(0) - e.x()(0)) / 10., std::abs(x(1) - e.x()(1)) / 0.1,
                       std::abs(lambda(0) + lambda(1) - std::abs(e.x()(0))) / 10.,
                       std::abs(lambda(2) - current4) / 0.025, std::abs(lambda(3) - current2) / 0.025});
    });
  });
}

/// L = 10 mH, C = 1 µF and a diode with R = 1 kΩ, from 10 V.
struct RlcDiode {
  explicit RlcDiode(double end) : model(0., end) {
    oscillator = std::make_shared<FirstOrderLinearTIDS>(makeVector({10., 0.}), makeMatrix({{0., -1e6}, {100., 0.}}));
    diode = std::make_shared<Interaction>(
        ComplementarityConditionNSL(),
        FirstOrderLinearTIR(makeMatrix({{-1., 0.}}), makeMatrix({{resistance}}), makeMatrix({{-1e6}, {0.}})));
    model.insert(oscillator);
    model.link(diode, oscillator);
  }

  // Damped while x₁ > 0, free while x₁ < 0.
  static PiecewiseLinear exact() {
    const Vector b = makeVector({0., 0.});
    return {Modes{{makeMatrix({{-1e6 / resistance, -1e6}, {100., 0.}}), b, {{makeVector({1., 0.}), margin, 1}}},
                  {makeMatrix({{0., -1e6}, {100., 0.}}), b, {{makeVector({-1., 0.}), margin, 0}}}},
            1e-6, makeVector({10., 0.}), 0};
  }

  static constexpr double resistance = 1e3;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> oscillator;
  std::shared_ptr<Interaction> diode;
};

TEST(RlcDiode, ConvergesToTheMotionModeByMode) {
  const double end = 2e-3;
  EXPECT_GE(switchingsUntil(end, RlcDiode::exact()), 6U);
  expectOrderOne("circuit with a diode", 4e-7, [&](double theta, double h) {
    RlcDiode circuit(end);
    return meanError(circuit.model, theta, h, RlcDiode::exact(), [&](const PiecewiseLinear& e) {
      const Vector& x = circuit.oscillator->x();
      const double current = std::max(e.x()(0), 0.) / RlcDiode::resistance;
      return std::max({std::abs(x(0) - e.x()(0)) / 10., std::abs(x(1) - e.x()(1)) / 0.1,
                       std::abs(circuit.diode->lambda(0)(0) - current) / 0.01});
    });
  });
}

TEST(RlcDiode, HasAClosedFormThatIsItsMotionModeByMode) {
  PiecewiseLinear modes = RlcDiode::exact();
  ExactRlcDiode exact({}, RlcDiode::resistance, {10., 0.});
  for (int i = 1; i <= 100; ++i) {
    modes.advanceTo(5e-5 * i);
    exact.advance(5e-5);
    // Squarings of the exponentials lose some digits.
    EXPECT_NEAR(exact.x()[0], modes.x()(0), 1e-8);
    EXPECT_NEAR(exact.x()[1], modes.x()(1), 1e-10);
  }
  EXPECT_EQ(exact.switchings(), 16U);
  EXPECT_EQ(modes.switchings(), exact.switchings());
}

}  // namespace
