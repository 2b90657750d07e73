// SPDX-License-Identifier: Apache-2.0
//
// Time per step of first-order models, the loop alone, as docs/benchmarks.md reports it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <functional>
#include <memory>
#include <support/BuckConverter.hpp>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// Runs steps for as long as the benchmark asks, on a new model whenever one has reached its end.
template <class Problem, class Make>
void timeSteps(benchmark::State& state, double h, Make make, const EulerMoreauOSI& integrator, std::size_t warmUp) {
  auto model = make();
  std::unique_ptr<TimeStepping> simulation;
  const auto start = [&] {
    simulation = std::make_unique<TimeStepping>(model->model, TimeDiscretisation(0., h), integrator, Problem());
    for (std::size_t k = 0; k < warmUp; ++k) simulation->step();
  };
  start();
  for (auto _ : state) {
    if (!simulation->hasNextStep()) {
      state.PauseTiming();
      simulation.reset();
      model = make();
      start();
      state.ResumeTiming();
    }
    simulation->step();
  }
}

void diodeBridge(benchmark::State& state) {
  timeSteps<LCP>(
      state, 1e-6, [] { return std::make_unique<DiodeBridge>(5e-3); }, EulerMoreauOSI(0.5), 100);
}

// 200 steps a period of the sawtooth, two switchings in it.
void buckConverter(benchmark::State& state) {
  BuckConverterParameters parameters;
  parameters.end = 1.;
  timeSteps<Relay>(
      state, 5e-8, [&] { return std::make_unique<BuckConverter>(parameters); }, EulerMoreauOSI(1.), 20000);
}

void relayOscillator(benchmark::State& state) {
  timeSteps<Relay>(
      state, 1e-2, [] { return std::make_unique<RelayOscillator>(1e4); }, EulerMoreauOSI(0.5), 100);
}

// The sources have 628 steps a period, in which each diode opens and closes; their phases differ.
void diodeLadder(benchmark::State& state) {
  const auto stages = static_cast<std::size_t>(state.range(0));
  timeSteps<LCP>(
      state, 1e-2, [stages] { return std::make_unique<DiodeLadder>(stages, 1e3); }, EulerMoreauOSI(1.), 700);
  state.SetComplexityN(state.range(0));
}

// One relation of each type, and Newton's method.
void nonlinearModel(benchmark::State& state) {
  timeSteps<Relay>(
      state, 1e-3, [] { return std::make_unique<MixedFirstOrderModel>(1U, 100.); },
      EulerMoreauOSI::fullThetaGamma(0.5, 0.5), 100);
}

// Error against cost: the whole run, and the largest error of the state at 50 instants, against an event-driven run to
// 1e-13.
template <class Model>
std::vector<Vector> statesOf(Model& model, const std::function<void(const std::function<void()>&)>& run) {
  std::vector<Vector> states;
  run([&] { states.push_back(model.oscillator->x()); });
  return states;
}

template <class Model>
std::vector<Vector> eventDrivenRun(double end, double tolerance, std::size_t& evaluations) {
  Model model(end);
  EventDrivenOptions options;
  options.integration.relativeTolerance = tolerance;
  options.integration.absoluteTolerance = 1e-2 * tolerance;
  EventDriven simulation(model.model, TimeDiscretisation(0., end / 50.), options);
  const auto states = statesOf(model, [&](const std::function<void()>& afterOutput) { simulation.run(afterOutput); });
  evaluations = simulation.statistics().evaluations;
  return states;
}

double errorOf(const std::vector<Vector>& states, const std::vector<Vector>& exact) {
  double worst = 0., size = 0.;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    for (std::size_t i = 0; i < exact[k].size(); ++i) {
      worst = std::max(worst, std::abs(states[k](i) - exact[k](i)));
      size = std::max(size, std::abs(exact[k](i)));
    }
  }
  return worst / size;
}

template <class Model>
void eventDriven(benchmark::State& state, double end) {
  std::size_t evaluations = 0;
  const auto exact = eventDrivenRun<Model>(end, 1e-13, evaluations);
  const double tolerance = std::pow(10., -static_cast<double>(state.range(0)));
  std::vector<Vector> states;
  for (auto _ : state) states = eventDrivenRun<Model>(end, tolerance, evaluations);
  state.counters["error"] = errorOf(states, exact);
  state.counters["evaluations"] = static_cast<double>(evaluations);
}

template <class Model, class Problem>
void timeStepping(benchmark::State& state, double end, double theta) {
  std::size_t evaluations = 0;
  const auto exact = eventDrivenRun<Model>(end, 1e-13, evaluations);
  const auto perOutput = static_cast<std::size_t>(state.range(0));
  std::vector<Vector> states;
  for (auto _ : state) {
    Model model(end);
    const double h = end / 50. / static_cast<double>(perOutput);
    TimeStepping simulation(model.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), Problem());
    states = statesOf(model, [&](const std::function<void()>& afterOutput) {
      simulation.run([&] {
        if (simulation.stepIndex() % perOutput == 0) afterOutput();
      });
    });
  }
  state.counters["error"] = errorOf(states, exact);
}

void relayOscillatorByEvents(benchmark::State& state) {
  eventDriven<RelayOscillator>(state, 12.);
}
void relayOscillatorBySteps(benchmark::State& state) {
  timeStepping<RelayOscillator, Relay>(state, 12., 0.5);
}
void diodeBridgeByEvents(benchmark::State& state) {
  eventDriven<DiodeBridge>(state, 5e-3);
}
void diodeBridgeBySteps(benchmark::State& state) {
  timeStepping<DiodeBridge, LCP>(state, 5e-3, 0.5);
}

// Exponents of the tolerance, and steps an output.
BENCHMARK(relayOscillatorByEvents)->DenseRange(4, 12, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(relayOscillatorBySteps)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMillisecond);
BENCHMARK(diodeBridgeByEvents)->DenseRange(4, 12, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(diodeBridgeBySteps)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMillisecond);

BENCHMARK(diodeBridge);
BENCHMARK(buckConverter);
BENCHMARK(relayOscillator);
BENCHMARK(diodeLadder)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK(nonlinearModel);

}  // namespace
