// SPDX-License-Identifier: Apache-2.0
//
// Time per step of the loop alone (no output), for the models that docs/benchmarks.md reports.
#include <benchmark/benchmark.h>

#include <CamFollower.hpp>
#include <delassus/Config.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/ProgressObserver.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <support/ElasticBar.hpp>
#include <support/Models.hpp>
#include <support/SpringChain.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Runs steps for as long as the benchmark wants; `make` gives a model that lasts long enough.
template <class Model, class Scheme = MoreauJeanOSI, class Make>
void timeSteps(benchmark::State& state, double h, NonSmoothDynamicalSystem& (*modelOf)(Model&), Make make,
               int warmUp = 1) {
  auto model = make();
  auto simulation = std::make_unique<TimeStepping>(modelOf(*model), TimeDiscretisation(0., h), Scheme(0.5), LCP());
  for (int k = 0; k < warmUp; ++k) simulation->step();
  for (auto _ : state) {
    if (!simulation->hasNextStep()) {
      state.PauseTiming();
      model = make();
      simulation = std::make_unique<TimeStepping>(modelOf(*model), TimeDiscretisation(0., h), Scheme(0.5), LCP());
      simulation->step();
      state.ResumeTiming();
    }
    simulation->step();
  }
}

template <class Model>
NonSmoothDynamicalSystem& publicModel(Model& model) {
  return model.model;
}

template <class Model>
NonSmoothDynamicalSystem& followerModel(Model& model) {
  return model.model();
}

CamFollowerParameters longRun(double rpm) {
  CamFollowerParameters parameters;
  parameters.rpm = rpm;
  parameters.end = 20.;
  return parameters;
}

void camFollowerTranslated(benchmark::State& state) {
  timeSteps<TranslatedCamFollower>(state, 1e-4, followerModel<TranslatedCamFollower>,
                                   [] { return std::make_unique<TranslatedCamFollower>(longRun(358.)); });
}

void camFollowerRheonomous(benchmark::State& state) {
  timeSteps<RheonomousCamFollower>(state, 1e-4, followerModel<RheonomousCamFollower>,
                                   [] { return std::make_unique<RheonomousCamFollower>(longRun(358.)); });
}

void camMotionAlone(benchmark::State& state) {
  const Cam cam(358.);
  double t = 0.;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cam.at(t));
    t += 1e-4;
  }
}

void bouncingBall(benchmark::State& state) {
  const auto dof = static_cast<std::size_t>(state.range(0));
  timeSteps<BouncingBall>(state, 5e-3, publicModel<BouncingBall>,
                          [dof] { return std::make_unique<BouncingBall>(1., 0., 0.9, 10., dof); });
}

std::shared_ptr<SimulationObserver> nobody() {
  return nullptr;
}
std::shared_ptr<SimulationObserver> progress() {
  return std::make_shared<ProgressObserver>("ball");
}
std::shared_ptr<SimulationObserver> drift() {
  return std::make_shared<DriftMonitor>();
}
std::shared_ptr<SimulationObserver> energy() {
  return std::make_shared<EnergyBalance>();
}

// A run with an observer, beside one without: the loop of run() has the phase clock in all.
void bouncingBallRun(benchmark::State& state, std::shared_ptr<SimulationObserver> (*observer)()) {
  std::size_t steps = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BouncingBall ball(1., 0., 0.9, 1000., 1);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(0.5), LCP());
    if (auto watching = observer()) simulation.addObserver(std::move(watching));
    simulation.initialise();
    state.ResumeTiming();
    simulation.run();
    steps = simulation.steps();
  }
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(steps), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// What the marks of a step cost by themselves.
void phaseClock(benchmark::State& state) {
  PhaseClock clock;
  for (auto _ : state) {
    clock.beginStep(Phase::preparation);
    for (const Phase phase :
         {Phase::freeState, Phase::solve, Phase::assembly, Phase::solve, Phase::update, Phase::output}) {
      clock.enter(phase);
      benchmark::ClobberMemory();
    }
    clock.endStep();
  }
}

void bouncingBallSchatzmanPaoli(benchmark::State& state) {
  const auto dof = static_cast<std::size_t>(state.range(0));
  timeSteps<BouncingBall, SchatzmanPaoliOSI>(state, 5e-3, publicModel<BouncingBall>,
                                             [dof] { return std::make_unique<BouncingBall>(1., 0., 0.9, 10., dof); });
}

// Whole runs, since falling, colliding and coming to rest cost differently; the counter is the time of a step.
void columnFalling(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::size_t steps = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ColumnOfBeads column(count, 1., 0.25, 0.9, 2.);
    TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(0.5), LCP());
    simulation.initialise();
    state.ResumeTiming();
    simulation.run();
    steps = simulation.steps();
  }
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(steps), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void columnAtRest(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  // Gaps that are zero up to rounding open and close during the first steps.
  timeSteps<ColumnOfBeads>(
      state, 5e-4, publicModel<ColumnOfBeads>,
      [count] {
        return std::make_unique<ColumnOfBeads>(count, ColumnOfBeads::radius, 2. * ColumnOfBeads::radius, 0., 1000.);
      },
      1000);
  state.SetComplexityN(state.range(0));
}

// In contact with the wall for most of the time.
template <bool isSparse>
void elasticBar(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const double h = 1. / static_cast<double>(n);
  timeSteps<ElasticBar>(state, h, publicModel, [&] { return std::make_unique<ElasticBar>(n, isSparse, 0., 2.); });
  state.SetComplexityN(state.range(0));
}

// At a wall: bodies with force elements, or one system with the same (dense) matrices.
template <bool areTied>
void springChain(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  timeSteps<SpringChain>(state, 1e-3, publicModel, [&] {
    auto chain = std::make_unique<SpringChain>(n, 1e4, 1., areTied, 1e3, 0.01);
    chain->link("wall", NewtonImpactNSL(0.5), 0, 1.);
    return chain;
  });
  state.SetComplexityN(state.range(0));
}

// What the audit of the motion takes of a step: beside bouncingBall and columnAtRest.
void timeAudit(benchmark::State& state, NonSmoothDynamicalSystem& model, double h, int warmUp) {
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  for (int k = 0; k < warmUp; ++k) simulation.step();
  MotionWatch watch("benchmark", "", {}, FailureAction::relax);
  MotionAudit::Report report;
  for (auto _ : state) {
    simulation.scheme().show(watch.begin(simulation.time()));
    benchmark::DoNotOptimize(watch.end());
    if (watch.audit().hasChanged()) report = watch.audit().report();
  }
}

void auditOfBall(benchmark::State& state) {
  BouncingBall ball(1., 0., 0.9, 10., 1);
  timeAudit(state, ball.model, 5e-3, 200);
}

void auditOfColumn(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  ColumnOfBeads column(count, ColumnOfBeads::radius, 2. * ColumnOfBeads::radius, 0., 1000.);
  timeAudit(state, column.model, 5e-4, 1000);
}

// Event-driven: contact forces on four corners are not unique, and balanced for each look at the guards.
void boxThatSticks(benchmark::State& state) {
  if constexpr (!withSundials) return state.SkipWithError("built without SUNDIALS");
  constexpr double mass = 1., edge = 0.2, weight = 9.81, slope = 0.2;
  std::size_t evaluations = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto box = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.5 * edge}), Vector(6), mass,
                                                     NewtonEulerDS::boxInertia(mass, edge, edge, edge));
    NonSmoothDynamicalSystem model(0., 0.5);
    model.setGravity({weight * std::sin(slope), 0., -weight * std::cos(slope)});
    model.insert("box", box);
    model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.5), NewtonEuler3DR(BoxPlane(edge, edge, edge, Plane{})), box);
    EventDriven simulation(model, 0.05);
    state.ResumeTiming();
    simulation.run();
    evaluations = simulation.statistics().evaluations;
  }
  state.counters["per_evaluation"] = benchmark::Counter(
      static_cast<double>(evaluations), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(camFollowerTranslated);
BENCHMARK(camFollowerRheonomous);
BENCHMARK(camMotionAlone);
BENCHMARK(bouncingBall)->Arg(1)->Arg(3);
BENCHMARK_CAPTURE(bouncingBallRun, alone, nobody)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bouncingBallRun, progress, progress)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bouncingBallRun, driftMonitor, drift)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bouncingBallRun, energyBalance, energy)->Unit(benchmark::kMillisecond);
BENCHMARK(phaseClock);
BENCHMARK(bouncingBallSchatzmanPaoli)->Arg(1)->Arg(3);
BENCHMARK(boxThatSticks)->Unit(benchmark::kMillisecond);
BENCHMARK(auditOfBall);
BENCHMARK(auditOfColumn)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(columnFalling)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(elasticBar<true>)->RangeMultiplier(10)->Range(10, 100000)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK(springChain<true>)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK(springChain<false>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(elasticBar<false>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(columnAtRest)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Complexity();

}  // namespace
