// SPDX-License-Identifier: Apache-2.0
//
// The netlists of the examples give the trajectories of their matrices by hand, to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <ideal_switch/ExactSwitch.hpp>
#include <support/BuckConverter.hpp>
#include <support/CircuitRuns.hpp>
#include <support/Circuits.hpp>
#include <support/Colpitts.hpp>
#include <support/Rectifier.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

/// Two numbers after each step: from the model by hand, and from the netlist, with the size of what they are.
struct Pair {
  double byHand;
  double byNetlist;
  double size;
};

// Runs both with the same steps, and compares.
template <class Pairs>
void expectEqual(NonSmoothDynamicalSystem& byHand, const Circuit& circuit, double h, double theta, double tolerance,
                 const Pairs& pairs) {
  NonSmoothDynamicalSystem model(byHand.t0(), byHand.T());
  CircuitInstance instance = circuit.insertInto(model, "circuit");
  TimeStepping one(byHand, h, EulerMoreauOSI(theta));
  TimeStepping other(model, h, EulerMoreauOSI(theta));
  instance.attach(other);
  double worst = 0.;
  while (one.hasNextStep()) {
    one.step();
    other.step();
    expectTellegen(instance, other.time());
    for (const Pair& pair : pairs(instance)) {
      worst = std::max(worst, std::abs(pair.byHand - pair.byNetlist) / pair.size);
    }
  }
  // Rounding of 10⁻¹⁶ a step, amplified along the run.
  EXPECT_LT(worst, tolerance);
}

TEST(CircuitExamples, RlcDiodeIsThatOfItsMatrices) {
  NonSmoothDynamicalSystem model(0., 5e-3);
  const auto oscillator = model.insert("oscillator", std::make_shared<FirstOrderLinearTIDS>(
                                                         makeVector({10., 0.}), makeMatrix({{0., -1e6}, {100., 0.}})));
  const auto diode = model.link(
      "diode", ComplementarityConditionNSL(),
      FirstOrderLinearTIR(makeMatrix({{-1., 0.}}), makeMatrix({{1e3}}), makeMatrix({{-1e6}, {0.}})), oscillator);
  expectEqual(model, circuitOfExample("rlc_diode"), 1e-6, 0.5, 1e-11, [&](const CircuitInstance& c) {
    return std::vector<Pair>{{oscillator->x()(0), c.voltage("a"), 10.},
                             {oscillator->x()(1), c.current("L1"), 0.1},
                             {diode->lambda(0)(0), c.current("D1"), 0.01}};
  });
}

TEST(CircuitExamples, DiodeBridgeIsThatOfItsMatrices) {
  DiodeBridge byHand(5e-3);
  expectEqual(byHand.model, circuitOfExample("diode_bridge"), 1e-6, 0.5, 1e-11, [&](const CircuitInstance& c) {
    return std::vector<Pair>{{byHand.oscillator->x()(0), c.voltage("a"), 10.},
                             {byHand.oscillator->x()(1), c.current("L1"), 0.1}};
  });
}

TEST(CircuitExamples, RectifierIsThatOfItsMatrices) {
  Rectifier byHand({});
  expectEqual(byHand.model, circuitOfExample("diode_bridge_filter"), 2e-5, 0.5, 1e-10, [&](const CircuitInstance& c) {
    return std::vector<Pair>{{byHand.sourceCurrent(), c.current("L1"), 5.},
                             {byHand.outputVoltage(), c.voltage("out"), 15.}};
  });
}

// Chaotic from some 10⁻⁴ s on; until then rounding has not grown.
TEST(CircuitExamples, ColpittsIsThatOfItsMatrices) {
  ColpittsParameters p;
  p.end = 1e-4;
  Colpitts byHand(p);
  expectEqual(byHand.model, circuitOfExample("colpitts"), 2e-8, 0.5, 1e-8, [&](const CircuitInstance& c) {
    return std::vector<Pair>{{byHand.circuit->x()(0), c.elementVoltage("C1"), 5.},
                             {byHand.circuit->x()(1), c.elementVoltage("C2"), 1.},
                             {byHand.circuit->x()(2), c.current("L1"), 0.05},
                             {byHand.junction->lambda(0)(0), c.current("D1"), 1e-3}};
  });
}

TEST(CircuitExamples, BuckConverterIsThatOfItsMatrices) {
  BuckConverterParameters p;
  p.end = 1e-3;
  p.sawtoothAtFall = 1.;
  BuckConverter byHand(p);
  // A step in which the switch changes has a part of it: a part in 10⁵ moves the controller by rounding.
  const double part = 1e3;
  expectEqual(byHand.model, circuitOfExample("buck_converter"), 5e-8, 1., 1e-8, [&](const CircuitInstance& c) {
    return std::vector<Pair>{{byHand.inductorCurrent(), c.current("L1"), 2.},
                             {byHand.outputVoltage(), c.voltage("out"), 5.},
                             {byHand.diodeCurrent(), c.current("D2"), part * 2.},
                             {byHand.switchState(), c.voltage("s"), part * 1.}};
  });
}

TEST(CircuitExamples, IdealSwitchIsItsExactMotionByANetlist) {
  const SwitchedCapacitors p;
  const Circuit circuit = circuitOfExample("ideal_switch");
  const double end = 0.02;
  ExactSwitch exact(p, {p.source, 0.});
  const double output = 1.3e-5;
  runEvents(circuit, end, output, [&](double t, const CircuitInstance& c) {
    exact.advance(std::min(output, end - (t - output)));
    if (t >= end) return;  // the last output is not on the grid
    EXPECT_NEAR(c.voltage("a"), exact.x()[0], 1e-10 * p.source) << t;
    EXPECT_NEAR(c.voltage("b"), exact.x()[1], 1e-10 * p.source) << t;
  });
  EXPECT_GE(exact.switchings(), 20U);
  // Each switching is late by up to a step, and delays add up: a short run, so that they stay below a period.
  const double shorter = 6e-3;
  std::vector<double> steps, errors;
  for (const double h : {4e-6, 1e-6, 2.5e-7}) {
    ExactSwitch beside(p, {p.source, 0.});
    double sum = 0.;
    runStepping(circuit, shorter, h, 1., [&](double, const CircuitInstance& c) {
      beside.advance(h);
      sum += h / shorter * (std::abs(c.voltage("a") - beside.x()[0]) + std::abs(c.voltage("b") - beside.x()[1]));
    });
    steps.push_back(h);
    errors.push_back(sum);
  }
  observedOrder("ideal switch", steps, errors);
  // How late a single one is depends on where it falls in its step: the order is that of the mean.
  EXPECT_LE(errors.back(), 0.25 * errors.front());
  EXPECT_LE(errors.back(), 0.02);
}

}  // namespace
