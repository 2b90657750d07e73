// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs whose sources act on no state for a while: no swing of them is passed, however far apart outputs
// are, and however long the steps that the state allows.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
#include <vector>

namespace {

using namespace delassus;

constexpr double amplitude = 0.01, period = 0.02, omega = 2. * std::numbers::pi / period;

// A diode charges a capacitor with a load at each peak of a sine; between them nothing acts on the capacitor but the
// load.
TEST(FarOutputs, LeaveNoPeakOfARectifierOut) {
  constexpr double end = 10. * period, v = 0.861144053008;  // by steps of at most a quarter of the period
  for (const double outputs : {0.05, 0.5, 0.7, 1., 1.01, 2., 3.3, 10.}) {
    for (const double tolerance : {1e-10, 1e-12}) {
      Circuit circuit;
      circuit.source("V", "in", "0", sine(1., 1. / period));
      circuit.diode("D", "in", "out");
      circuit.capacitor("C", "out", "0", 1e-6);
      circuit.resistor("R", "out", "0", 1e5);
      NonSmoothDynamicalSystem model(0., end);
      CircuitInstance instance = circuit.insertInto(model, "circuit");
      EventDrivenOptions options;
      options.integration.relativeTolerance = tolerance;
      EventDriven simulation(model, TimeDiscretisation(0., outputs * period), options);
      instance.attach(simulation);
      simulation.run();
      EXPECT_NEAR(instance.voltage("out"), v, 1e-11) << outputs;
      EXPECT_EQ(simulation.statistics().events, 19U) << outputs;
    }
  }
}

// A ball in flight is a parabola, one step for any time, and the plate below it shakes.
std::vector<double> impactsOnAShakingPlate(double outputs, double maximalStep) {
  NonSmoothDynamicalSystem model(0., 5.);
  const auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-9.81}));
  model.insert("ball", ball);
  model.link("plate", NewtonImpactNSL(0.8),
             LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                     using std::sin;
                                     y(0) = q(0) - amplitude * sin(omega * t);
                                   })),
             ball);
  EventDrivenOptions options;
  options.integration.maximalStep = maximalStep;
  EventDriven simulation(model, TimeDiscretisation(0., outputs), options);
  simulation.run();
  std::vector<double> instants;
  for (const Event& event : simulation.events()) {
    if (event.kind == EventKind::impact) instants.push_back(event.t);
  }
  return instants;
}

TEST(FarOutputs, LeaveNoImpactOnAShakingPlateOut) {
  const std::vector<double> right = impactsOnAShakingPlate(1e-3, 1e-3);
  ASSERT_GE(right.size(), 3U);
  for (const double outputs : {0.1, 1., 5.}) {
    const std::vector<double> found = impactsOnAShakingPlate(outputs, std::numeric_limits<double>::infinity());
    ASSERT_EQ(found.size(), right.size()) << outputs;
    // A rounding at the first impact grows at each of them, by the slopes of the plate.
    for (std::size_t k = 0; k < right.size(); ++k) EXPECT_NEAR(found[k], right[k], 1e-7) << outputs << ' ' << k;
  }
}

}  // namespace
