// SPDX-License-Identifier: Apache-2.0
//
// Time per step of mechanisms of rigid bodies with joints, loop alone.
#include <benchmark/benchmark.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <support/Linkages.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Three bodies, three pivots and a prismatic joint: 18 velocities, 20 equations.
template <class Problem>
void threeBodyLinkage(benchmark::State& state, MoreauJeanOSI (*scheme)()) {
  const double h = 1e-4;
  const auto make = [&](SpatialSliderCrank& linkage) {
    auto simulation = std::make_unique<TimeStepping>(linkage.model, TimeDiscretisation(0., h), scheme(), Problem());
    for (int k = 0; k < 10; ++k) simulation->step();
    return simulation;
  };
  auto linkage = std::make_unique<SpatialSliderCrank>(0.7, 10., 100.);
  auto simulation = make(*linkage);
  for (auto _ : state) {
    if (!simulation->hasNextStep()) {
      state.PauseTiming();
      linkage = std::make_unique<SpatialSliderCrank>(0.7, 10., 100.);
      simulation = make(*linkage);
      state.ResumeTiming();
    }
    simulation->step();
  }
  const auto& statistics = simulation->statistics();
  state.counters["newton"] = static_cast<double>(statistics.newtonIterations) / static_cast<double>(statistics.steps);
  state.counters["error"] = statistics.worstError;
}

// The share of the joints themselves: outputs and Jacobians of all four.
void outputsAndJacobians(benchmark::State& state) {
  SpatialSliderCrank linkage(0.7, 10., 1.);
  const Vector world = linkage.crank->q();
  Vector pair = linkage.rod->q();
  append(linkage.crank->q(), pair);
  Vector y(5);
  const Vector lambda(5);
  Matrix one(5, 6), two(5, 12);
  PivotJointR onWorld = PivotJointR::at({0., 0., 0.}, {0., 1., 0.}, world);
  PivotJointR between = PivotJointR::at({0.1, 0., 0.}, {0., 1., 0.}, linkage.rod->q(), linkage.crank->q());
  PrismaticJointR slide = PrismaticJointR::at({0., 0., 0.}, {1., 0., 0.}, world);
  for (auto _ : state) {
    for (JointR* joint : {static_cast<JointR*>(&onWorld), static_cast<JointR*>(&slide)}) {
      joint->computeOutput(0., world, lambda, y);
      joint->computeJacobian(0., world, lambda, one);
    }
    for (int k = 0; k < 2; ++k) {
      between.computeOutput(0., pair, lambda, y);
      between.computeJacobian(0., pair, lambda, two);
    }
    benchmark::DoNotOptimize(data(one));
    benchmark::DoNotOptimize(data(two));
  }
}

// The solve alone of one step of that linkage, with W touched each time, as a generic mechanical problem.
void eliminationOfLinkage(benchmark::State& state) {
  using numerics::Part;
  SpatialSliderCrank linkage(0.7, 10., 1.);
  auto owned = std::make_unique<Relay>();
  const Relay& relay = *owned;
  TimeStepping simulation(linkage.model, TimeDiscretisation(0., 1e-4),
                          std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit()), std::move(owned));
  for (int k = 0; k < 10; ++k) simulation.step();
  numerics::GenericMechanicalProblem problem(relay.problem().M(), relay.problem().q(),
                                             std::vector<Part>(4, Part::equality(5)));
  numerics::AutomaticMechanicalSolver solver;
  Vector lambda, w;
  numerics::SolveReport report;
  for (auto _ : state) {
    problem.W().touch();
    report = solver.solve(problem, lambda, w);
  }
  if (!report.converged()) state.SkipWithError(report.summary().c_str());
  state.counters["error"] = report.error;
}

void relay(benchmark::State& state, MoreauJeanOSI (*scheme)()) {
  threeBodyLinkage<Relay>(state, scheme);
}

void mlcp(benchmark::State& state, MoreauJeanOSI (*scheme)()) {
  threeBodyLinkage<MLCP>(state, scheme);
}

void mechanical(benchmark::State& state, MoreauJeanOSI (*scheme)()) {
  threeBodyLinkage<GenericMechanical>(state, scheme);
}

MoreauJeanOSI semiExplicit() {
  return MoreauJeanOSI::semiExplicit();
}

MoreauJeanOSI implicit() {
  return MoreauJeanOSI(0.5);
}

BENCHMARK_CAPTURE(mechanical, semiExplicit, semiExplicit);
BENCHMARK_CAPTURE(mechanical, implicit, implicit);
BENCHMARK_CAPTURE(relay, semiExplicit, semiExplicit);
BENCHMARK_CAPTURE(relay, implicit, implicit);
BENCHMARK_CAPTURE(mlcp, semiExplicit, semiExplicit);
BENCHMARK_CAPTURE(mlcp, implicit, implicit);
BENCHMARK(eliminationOfLinkage);
BENCHMARK(outputsAndJacobians);

}  // namespace
