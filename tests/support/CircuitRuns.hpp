// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <functional>

namespace delassus::test {

/// Called after each step or output, and at the start.
using AtOutput = std::function<void(double t, const CircuitInstance& circuit)>;

/// Σ v i of all elements is zero to rounding of its terms, or of what volts and amperes that are zero have as rounding.
inline void expectTellegen(const CircuitInstance& circuit, double t) {
  const CircuitInstance::Tellegen power = circuit.tellegen();
  EXPECT_LE(std::abs(power.sum), 1e-12 * power.scale + 1e-15) << "at t = " << t;
}

/// What a run does to the simulation before it begins: clocks of a controller.
using Prepare = std::function<void(ClockedSimulation& simulation, CircuitInstance& circuit)>;

/// Time stepping with θ and step h from 0 to `end`, with Tellegen's sum at each step.
inline StepStatistics runStepping(const Circuit& circuit, double end, double h, double theta, const AtOutput& atOutput,
                                  const Prepare& prepare = {}) {
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance instance = circuit.insertInto(model, "circuit");
  TimeStepping simulation(model, h, EulerMoreauOSI(theta));
  instance.attach(simulation);
  if (prepare) prepare(simulation, instance);
  simulation.run([&] {
    expectTellegen(instance, simulation.time());
    if (atOutput) atOutput(simulation.time(), instance);
  });
  return simulation.statistics();
}

/// Event-driven, with outputs each h.
inline EventDrivenStatistics runEvents(const Circuit& circuit, double end, double h, const AtOutput& atOutput,
                                       const Prepare& prepare = {}) {
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance instance = circuit.insertInto(model, "circuit");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  EventDriven simulation(model, TimeDiscretisation(0., h), options);
  instance.attach(simulation);
  if (prepare) prepare(simulation, instance);
  simulation.run([&] {
    expectTellegen(instance, simulation.time());
    if (atOutput) atOutput(simulation.time(), instance);
  });
  return simulation.statistics();
}

}  // namespace delassus::test
