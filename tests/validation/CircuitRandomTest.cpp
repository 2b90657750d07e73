// SPDX-License-Identifier: Apache-2.0
//
// Random networks: each step certified, each element checked by its own law, Tellegen's sum zero, the motion that of an
// event-driven run; what is ill-posed is refused with a reason.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <random>
#include <string>
#include <support/CircuitRuns.hpp>
#include <support/ElementLaws.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Elements between random nodes; a tree of the first ones connects all nodes to ground. Where all sources are real
// ones, with a resistance, no switching element is forced to carry or to block what it cannot.
// Damped ones have a resistance at each inductor and diode, and no switches: their states never jump. Jumping ones have
// switches without a resistance.
LawfulCircuit randomCircuit(std::mt19937& random, bool realSources, bool damped = false, bool jumping = false) {
  const auto upTo = [&](std::size_t n) { return random() % n; };
  const auto between = [&](double a, double b) {
    return a * std::pow(b / a, static_cast<double>(random()) / static_cast<double>(std::mt19937::max()));
  };
  const std::size_t elements = 5 + upTo(damped || jumping ? 16 : 46);
  const std::size_t nodes = 2 + elements / 3;
  LawfulCircuit circuit;
  for (std::size_t k = 0; k < elements; ++k) {
    const std::size_t first = k < nodes ? k + 1 : 1 + upTo(nodes);
    std::size_t second = k < nodes ? upTo(first) : upTo(nodes + 1);
    if (second == first) second = 0;
    const std::string a = std::to_string(first), b = std::to_string(second), n = std::to_string(k);
    switch (upTo(9)) {
      case 0:
        circuit.source("V" + n, a, realSources ? "v" + n : b, sine(between(1., 20.), between(50., 500.)));
        if (realSources) circuit.resistor("RV" + n, "v" + n, b, between(1., 100.));
        break;
      case 1:
        circuit.currentSource("I" + n, a, b, sine(between(0.01, 1.), between(50., 500.)));
        if (realSources) circuit.resistor("RI" + n, a, b, between(1., 100.));
        break;
      case 2:
        circuit.circuit.capacitor("C" + n, a, b, between(1e-6, 1e-4));
        break;
      case 3:
        circuit.circuit.inductor("L" + n, a, b, between(1e-3, 1e-1));
        if (damped) circuit.resistor("RL" + n, a, b, between(1e2, 1e3));
        break;
      case 4:
      case 5:
        circuit.diode("D" + n, a, b,
                      {.threshold = upTo(2) == 0 ? 0. : 0.5, .resistance = damped || upTo(2) == 0 ? 0.1 : 0.});
        break;
      case 6:
        if (damped) {
          circuit.resistor("R" + n, a, b, between(1., 1e3));
          break;
        }
        circuit.idealSwitch("S" + n, a, b, Gate::pulses({.period = between(1e-3, 1e-2), .width = 5e-4}),
                            {.onResistance = jumping ? 0. : 0.1});
        break;
      default:
        circuit.resistor("R" + n, a, b, between(1., 1e3));
    }
  }
  return circuit;
}

// How a network ended.
enum class Outcome { simulated, refused, stopped };

Outcome run(const LawfulCircuit& circuit, std::string& reason) {
  NonSmoothDynamicalSystem model(0., 5e-3);
  std::optional<CircuitInstance> instance;
  try {
    instance = circuit.circuit.insertInto(model, "random");
  } catch (const Error& error) {
    reason = error.what();
    EXPECT_TRUE(model.systems().empty() && model.interactions().empty());
    return Outcome::refused;
  }
  TimeSteppingOptions options;
  options.relaxation = 1.;
  TimeStepping simulation(model, TimeDiscretisation(0., 2e-5), EulerMoreauOSI(1.), options);
  instance->attach(simulation);
  try {
    simulation.run([&] {
      expectTellegen(*instance, simulation.time());
      // To the solver's tolerance, after a step: at the start no multiplier is known.
      if (simulation.time() > 0.) circuit.expectLaws(*instance, simulation.time(), 1e-6);
    });
  } catch (const Error& error) {
    reason = error.what();
    return Outcome::stopped;
  }
  return Outcome::simulated;
}

// None where the circuit is refused.
std::optional<CircuitInstance> inserted(const Circuit& circuit, NonSmoothDynamicalSystem& model) {
  try {
    return circuit.insertInto(model, "random");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The state at the end, relative to the largest one of the event-driven run.
double endError(const Circuit& circuit, double h, const Vector& exact) {
  NonSmoothDynamicalSystem model(0., 5e-3);
  CircuitInstance instance = circuit.insertInto(model, "random");
  TimeStepping simulation(model, h, EulerMoreauOSI(1.));
  instance.attach(simulation);
  simulation.run();
  const Vector x = instance.state();
  double error = 0., size = 1e-9;
  for (std::size_t k = 0; k < x.size(); ++k) {
    error = std::max(error, std::abs(x(k) - exact(k)));
    size = std::max(size, std::abs(exact(k)));
  }
  return error / size;
}

/// How event-driven runs of the same networks ended.
struct ByEvents {
  std::size_t compared = 0;  ///< came to the state of time stepping
  std::size_t stopped = 0;   ///< did not come to the end
};

// Time stepping comes to the state of an event-driven run with the order of the step: less than 0.6 of the error in a
// quarter of the step leaves room for where a switching falls in the last one. States that decay to nothing are known
// to 1e-6 alone.
void expectOrder(const Circuit& circuit, const Vector& exact, int k) {
  const double coarse = endError(circuit, 2e-5, exact), fine = endError(circuit, 5e-6, exact);
  // What oscillates faster shows its order at shorter steps.
  const bool converges =
      fine < 1e-6 || fine < 0.6 * coarse || endError(circuit, 2.5e-7, exact) < 0.4 * endError(circuit, 1e-6, exact);
  EXPECT_TRUE(converges) << k << ": " << coarse << ", " << fine;
}

// Where one kind of run has no solution neither has the other.
void compareWithEvents(const Circuit& circuit, Outcome outcome, int k, ByEvents& counts) {
  NonSmoothDynamicalSystem model(0., 5e-3);
  std::optional<CircuitInstance> instance = inserted(circuit, model);
  if (!instance) return;
  EventDriven simulation(model, TimeDiscretisation(0., 1e-4));
  instance->attach(simulation);
  try {
    simulation.run([&] { expectTellegen(*instance, simulation.time()); });
  } catch (const Error& error) {
    ++counts.stopped;
    EXPECT_EQ(outcome, Outcome::stopped) << k << ": " << error.what();
    return;
  }
  EXPECT_EQ(outcome, Outcome::simulated) << k;
  expectOrder(circuit, instance->state(), k);
  ++counts.compared;
}

TEST(CircuitRandom, NetworksWithRealSourcesAreCertifiedAtEachStepOrRefusedByName) {
  std::mt19937 random(7);
  std::size_t simulated = 0;
  ByEvents byEvents;
  for (int k = 0; k < 50; ++k) {
    std::string reason;
    const LawfulCircuit circuit = randomCircuit(random, true);
    const Outcome outcome = run(circuit, reason);
    compareWithEvents(circuit.circuit, outcome, k, byEvents);
    EXPECT_NE(outcome, Outcome::stopped) << k << ": " << reason;
    if (outcome == Outcome::simulated) ++simulated;
    if (outcome == Outcome::refused) {
      EXPECT_NE(reason.find('\''), std::string::npos) << reason;
    }
  }
  std::printf("%zu of 50 networks simulated, %zu of them by events too\n", simulated, byEvents.compared);
  EXPECT_GE(simulated, 25U);
  EXPECT_EQ(byEvents.compared, simulated);
}

// An ideal source across an ideal diode has no solution once it drives it: the solver proves that.
TEST(CircuitRandom, NetworksWithIdealSourcesAreCertifiedOrProvenToHaveNoSolution) {
  std::mt19937 random(8);
  std::size_t simulated = 0, refused = 0, stopped = 0, unproven = 0;
  ByEvents byEvents;
  for (int k = 0; k < 50; ++k) {
    std::string reason;
    const LawfulCircuit circuit = randomCircuit(random, false);
    const Outcome outcome = run(circuit, reason);
    compareWithEvents(circuit.circuit, outcome, k, byEvents);
    simulated += outcome == Outcome::simulated ? 1 : 0;
    refused += outcome == Outcome::refused ? 1 : 0;
    stopped += outcome == Outcome::stopped ? 1 : 0;
    const auto says = [&](const char* what) { return reason.find(what) != std::string::npos; };
    const bool isProof =
        says("excludes a solution") || says("no basis gives a solution") || says("contradict each other");
    unproven += outcome == Outcome::stopped && !isProof ? 1 : 0;
    if (outcome == Outcome::stopped && !isProof) std::printf("%d: %s\n", k, reason.c_str());
    if (outcome == Outcome::refused) {
      EXPECT_NE(reason.find('\''), std::string::npos) << reason;
    }
  }
  std::printf("%zu simulated, %zu refused, %zu stopped\n", simulated, refused, stopped);
  EXPECT_EQ(byEvents.compared, simulated);
  EXPECT_EQ(byEvents.stopped, stopped);
  // Where no enumeration decides, the solver may come to its limit instead.
  EXPECT_LE(unproven, 2U);
  EXPECT_GE(simulated, 15U);
}

TEST(CircuitRandom, DampedNetworksComeToTheStateOfEventDrivenRunsWithTheOrderOfTheStep) {
  std::mt19937 random(11);
  std::size_t compared = 0;
  for (int k = 0; k < 40; ++k) {
    const Circuit circuit = randomCircuit(random, true, true).circuit;
    NonSmoothDynamicalSystem model(0., 5e-3);
    std::optional<CircuitInstance> instance = inserted(circuit, model);
    if (!instance) continue;
    EventDriven simulation(model, TimeDiscretisation(0., 1e-4));
    instance->attach(simulation);
    simulation.run([&] { expectTellegen(*instance, simulation.time()); });
    const double coarse = endError(circuit, 2e-5, instance->state()), fine = endError(circuit, 1e-5, instance->state());
    // Half the step, half the error; a switching in the last steps may cost a part of that. States of an event-driven
    // run that decay to nothing are known to 1e-12 alone.
    EXPECT_TRUE(fine < 1e-7 || coarse > 1.4 * fine) << k << ": " << coarse << ", " << fine;
    // Which networks come depends on the compiler, which orders the draws; fast ones are coarse at this step.
    EXPECT_LT(fine, 0.5) << k;
    ++compared;
  }
  EXPECT_GE(compared, 15U);
}

// Switches without a resistance join capacitors and interrupt inductors: states jump.
TEST(CircuitRandom, SwitchedNetworksJumpToWhereAStepOfTimeSteppingLeads) {
  std::mt19937 random(13);
  std::size_t compared = 0, jumps = 0;
  for (int k = 0; k < 60; ++k) {
    const Circuit circuit = randomCircuit(random, true, false, true).circuit;
    NonSmoothDynamicalSystem model(0., 5e-3);
    std::optional<CircuitInstance> instance = inserted(circuit, model);
    if (!instance) continue;
    EventDriven simulation(model, TimeDiscretisation(0., 1e-4));
    instance->attach(simulation);
    try {
      simulation.run([&] { expectTellegen(*instance, simulation.time()); });
    } catch (const Error& error) {
      // A loop of closed switches and diodes shares its current in no particular way.
      EXPECT_NE(std::string(error.what()).find("depends on others"), std::string::npos) << k << ": " << error.what();
      continue;
    }
    expectOrder(circuit, instance->state(), k);
    for (const Event& event : simulation.events()) jumps += event.kind == EventKind::stateJump ? 1 : 0;
    ++compared;
  }
  std::printf("%zu networks compared, with %zu jumps\n", compared, jumps);
  EXPECT_GE(compared, 20U);
  EXPECT_GE(jumps, 3U);
}

}  // namespace
