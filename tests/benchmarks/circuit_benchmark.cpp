// SPDX-License-Identifier: Apache-2.0
//
// Time per step of circuits by their elements, beside their matrices by hand, as docs/benchmarks.md reports it.
#include <benchmark/benchmark.h>

#include <cmath>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <memory>
#include <string>
#include <support/Circuits.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A model by its elements, as the models of tests by hand are: a member `model`.
struct ByElements {
  ByElements(const Circuit& circuit, double end) : model(0., end), instance(circuit.insertInto(model, "circuit")) {}

  NonSmoothDynamicalSystem model;
  CircuitInstance instance;
};

// Steps for as long as the benchmark asks, on a new model whenever one has reached its end.
template <class Make>
void timeSteps(benchmark::State& state, double h, const Make& make, std::size_t warmUp) {
  auto model = make();
  std::unique_ptr<TimeStepping> simulation;
  const auto start = [&] {
    simulation = std::make_unique<TimeStepping>(model->model, TimeDiscretisation(0., h), EulerMoreauOSI(0.5), LCP());
    if constexpr (requires { model->instance; }) model->instance.attach(*simulation);
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

void bridgeByHand(benchmark::State& state) {
  timeSteps(
      state, 1e-6, [] { return std::make_unique<DiodeBridge>(5e-3); }, 100);
}

void bridgeByNetlist(benchmark::State& state) {
  const Circuit circuit = circuitOfExample("diode_bridge");
  timeSteps(
      state, 1e-6, [&] { return std::make_unique<ByElements>(circuit, 5e-3); }, 100);
}

void ladderByHand(benchmark::State& state) {
  const auto stages = static_cast<std::size_t>(state.range(0));
  timeSteps(
      state, 0.01, [&] { return std::make_unique<DiodeLadder>(stages, 100.); }, 20);
  state.SetComplexityN(state.range(0));
}

void ladderByElements(benchmark::State& state) {
  const Circuit circuit = makeDiodeLadder(static_cast<std::size_t>(state.range(0)));
  timeSteps(
      state, 0.01, [&] { return std::make_unique<ByElements>(circuit, 100.); }, 20);
  state.SetComplexityN(state.range(0));
}

void lineByElements(benchmark::State& state) {
  const Circuit circuit =
      makeClampedLine(static_cast<std::size_t>(state.range(0)), 1. / static_cast<double>(state.range(1)));
  timeSteps(
      state, 0.01, [&] { return std::make_unique<ByElements>(circuit, 100.); }, 20);
}

// A square net of resistors with a source in one corner and a capacitor in the other.
void buildNet(benchmark::State& state) {
  const auto width = static_cast<std::size_t>(state.range(0));
  const auto node = [](std::size_t i, std::size_t j) { return std::to_string(i) + "," + std::to_string(j); };
  Circuit circuit;
  circuit.source("V", node(0, 0), "0", sine(1., 50.));
  circuit.capacitor("C", node(width - 1, width - 1), "0", 1.);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      if (i > 0) circuit.resistor("A" + node(i, j), node(i - 1, j), node(i, j), 1. + static_cast<double>(j));
      if (j > 0) circuit.resistor("B" + node(i, j), node(i, j - 1), node(i, j), 2. + static_cast<double>(i));
    }
  }
  for (auto _ : state) ByElements(circuit, 1.);
}

void buildLadder(benchmark::State& state) {
  const Circuit circuit = makeDiodeLadder(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) ByElements(circuit, 1.);
}

BENCHMARK(bridgeByHand);
BENCHMARK(bridgeByNetlist);
BENCHMARK(ladderByHand)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Arg(3000)->Complexity();
BENCHMARK(ladderByElements)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Arg(3000)->Complexity();
BENCHMARK(lineByElements)
    ->Args({100, 1})
    ->Args({300, 1})
    ->Args({1000, 1})
    ->Args({3000, 1})
    ->Args({1000, 100})
    ->Args({1000, 10000});
BENCHMARK(buildNet)->Arg(10)->Arg(20)->Arg(35)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK(buildLadder)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
