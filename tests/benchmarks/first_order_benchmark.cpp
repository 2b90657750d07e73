// SPDX-License-Identifier: Apache-2.0
//
// Time per step of first-order models, the loop alone, as docs/benchmarks.md reports it.
#include <benchmark/benchmark.h>

#include <BuckConverter.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <memory>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Runs steps for as long as the benchmark wants, on a model anew whenever one has come to its end.
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

BENCHMARK(diodeBridge);
BENCHMARK(buckConverter);
BENCHMARK(relayOscillator);
BENCHMARK(diodeLadder)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK(nonlinearModel);

}  // namespace
