// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs whose sources act on no state for a while: no swing of them is passed, however far apart outputs
// are, and however long the steps that the state allows.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
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

// A rectifier whose inductor beside a large resistor makes it stiff, with outputs once a period.
struct StiffRectifier {
  StiffRectifier() : model(0., 0.3), instance(circuit().insertInto(model, "circuit")) {
    simulation = std::make_shared<EventDriven>(model, TimeDiscretisation(0., period));
    instance.attach(*simulation);
  }

  static Circuit circuit() {
    Circuit circuit;
    circuit.source("V", "in", "0", sine(1., 1. / period));
    circuit.diode("D", "in", "out");
    circuit.capacitor("C", "out", "0", 1e-6);
    circuit.resistor("R", "out", "0", 1e5);
    circuit.inductor("L", "out", "a", 1e-3);
    circuit.resistor("RL", "a", "0", 1e6);
    return circuit;
  }

  NonSmoothDynamicalSystem model;
  CircuitInstance instance;
  std::shared_ptr<EventDriven> simulation;
};

// The limits of steps are part of a checkpoint.
TEST(FarOutputs, GoOnFromCheckpoints) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("far_outputs_" + std::to_string(getpid()) + ".checkpoint");
  std::vector<Vector> states;
  StiffRectifier whole;
  whole.simulation->run([&] { states.push_back(whole.instance.state()); });
  ASSERT_EQ(states.size(), 15U);
  for (const std::size_t saved : {1U, 5U, 11U}) {
    StiffRectifier begun, rest;
    while (begun.simulation->stepIndex() < saved) begun.simulation->step();
    saveCheckpoint(*begun.simulation, path);
    restoreCheckpoint(*rest.simulation, path);
    for (std::size_t k = saved; rest.simulation->hasNextStep(); ++k) {
      rest.simulation->step();
      // Instants of events are known to rounding, and backward differentiation starts anew.
      for (std::size_t i = 0; i < states[k].size(); ++i) EXPECT_NEAR(rest.instance.state()(i), states[k](i), 1e-9) << k;
    }
  }
  std::filesystem::remove(path);
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
