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
#include <vector>

namespace delassus::test {

/// Called after each step, or at each output after the start.
using AtOutput = std::function<void(double t, const CircuitInstance& circuit)>;

/// Σ v i of all elements is zero to rounding of its terms, or of what volts and amperes that are zero have as rounding.
inline void expectTellegen(const CircuitInstance& circuit, double t, double rounding = 1e-12) {
  const CircuitInstance::Tellegen power = circuit.tellegen();
  EXPECT_LE(std::abs(power.sum), rounding * power.scale + 1e-15) << "at t = " << t;
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

/// The jumps of an event-driven run, whose state is shown at outputs.
inline std::vector<Event> jumpsOf(const Circuit& circuit, double end, double h, const AtOutput& atOutput,
                                  bool mayJumpAtStart = false) {
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance instance = circuit.insertInto(model, "circuit");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  options.modes.requireConsistentStart = !mayJumpAtStart;
  EventDriven simulation(model, TimeDiscretisation(0., h), options);
  instance.attach(simulation);
  simulation.run([&] {
    expectTellegen(instance, simulation.time());
    atOutput(simulation.time(), instance);
  });
  std::vector<Event> jumps;
  for (const Event& event : simulation.events()) {
    if (event.kind == EventKind::stateJump) jumps.push_back(event);
  }
  return jumps;
}

/// The largest entry of the impulse of a jump.
inline double largestImpulse(const Event& event) {
  double largest = 0.;
  for (const double p : event.impulse) largest = std::max(largest, std::abs(p));
  return largest;
}

}  // namespace delassus::test
