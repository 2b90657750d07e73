// SPDX-License-Identifier: Apache-2.0
//
// Time of one solve from a cold start: random positive definite LCPs, and the matrix of a column of beads. Time of one
// step of a small simulation: LCPs and relay problems of which the active set is remembered, and its changes. A sparse
// matrix that is not symmetric.
#include <benchmark/benchmark.h>

#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

template <class Solver>
void solveCold(benchmark::State& state, const LinearComplementarityProblem& problem, Solver solver) {
  Vector z;
  Vector w;
  SolveReport report;
  for (auto _ : state) {
    assignZero(z, problem.size());
    report = solver.solve(problem, z, w);
  }
  if (!report.converged()) state.SkipWithError(report.summary().c_str());
  state.counters["iterations"] = static_cast<double>(report.iterations);
  state.counters["error"] = report.error;
}

LinearComplementarityProblem randomProblem(std::size_t size) {
  Generator generator(size);
  const Matrix M = randomSemidefinite(generator, size, size, 0.1);
  return {M, randomVector(generator, size)};
}

LinearComplementarityProblem columnProblem(std::size_t size) {
  Vector q(size);
  q(0) = -1.;
  return {columnMatrix(size), q};
}

void lemkeRandom(benchmark::State& state) {
  solveCold(state, randomProblem(static_cast<std::size_t>(state.range(0))), LemkeSolver());
}

void blockPivotingRandom(benchmark::State& state) {
  solveCold(state, randomProblem(static_cast<std::size_t>(state.range(0))), BlockPivotingSolver());
}

void lemkeColumn(benchmark::State& state) {
  solveCold(state, columnProblem(static_cast<std::size_t>(state.range(0))), LemkeSolver());
}

void blockPivotingColumn(benchmark::State& state) {
  solveCold(state, columnProblem(static_cast<std::size_t>(state.range(0))), BlockPivotingSolver());
}

void gaussSeidelColumn(benchmark::State& state) {
  ProjectedGaussSeidelOptions options;
  options.tolerance = 1e-4;
  options.maxIterations = 100000;
  solveCold(state, columnProblem(static_cast<std::size_t>(state.range(0))), ProjectedGaussSeidelSolver(options));
}

// `period` solves with one q, then as many with another.
template <class Solver, class Problem>
void solveAgain(benchmark::State& state, Problem problem, Solver solver, std::size_t period) {
  Generator generator(5);
  const Vector first = randomVector(generator, problem.size());
  const Vector second = randomVector(generator, problem.size());
  Vector z;
  Vector w;
  SolveReport report;
  std::size_t step = 0;
  for (auto _ : state) {
    assign((step++ / period) % 2 == 0 ? first : second, problem.q());
    report = solver.solve(problem, z, w);
  }
  if (!report.converged()) state.SkipWithError(report.summary().c_str());
  state.counters["error"] = report.error;
}

LinearComplementarityProblem skewProblem(std::size_t size) {
  Generator generator(size);
  return {randomPositiveDefinite(generator, size), Vector(size)};
}

RelayProblem boxProblem(std::size_t size) {
  Generator generator(size);
  Vector upper(size);
  for (double& bound : upper.data()) bound = 0.3;
  return {randomPositiveDefinite(generator, size), Vector(size), Vector(-upper), upper};
}

void directKnownSet(benchmark::State& state) {
  solveAgain(state, skewProblem(static_cast<std::size_t>(state.range(0))), LcpDirectSolver(), 1000000000);
}

void directChangingSets(benchmark::State& state) {
  solveAgain(state, skewProblem(static_cast<std::size_t>(state.range(0))), LcpDirectSolver(), 4);
}

void relayDirectKnownSet(benchmark::State& state) {
  solveAgain(state, boxProblem(static_cast<std::size_t>(state.range(0))), RelayDirectSolver(), 1000000000);
}

void relayDirectChangingSets(benchmark::State& state) {
  solveAgain(state, boxProblem(static_cast<std::size_t>(state.range(0))), RelayDirectSolver(), 4);
}

void blockPivotingTridiagonal(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  Generator generator(size);
  const BlockSparseMatrix M = randomTridiagonal(generator, size);
  BlockPivotingOptions options;
  options.symmetricOnly = false;
  solveCold(state, {M, randomVector(generator, size)}, BlockPivotingSolver(options));
}

BENCHMARK(directKnownSet)->Arg(1)->Arg(4)->Arg(10)->Arg(16);
BENCHMARK(directChangingSets)->Arg(4)->Arg(16);
BENCHMARK(relayDirectKnownSet)->Arg(1)->Arg(4)->Arg(10)->Arg(16);
BENCHMARK(relayDirectChangingSets)->Arg(4)->Arg(16);
BENCHMARK(blockPivotingTridiagonal)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lemkeRandom)->Arg(10)->Arg(32)->Arg(100)->Arg(316)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(blockPivotingRandom)->Arg(10)->Arg(32)->Arg(100)->Arg(316)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lemkeColumn)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(blockPivotingColumn)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(gaussSeidelColumn)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

}  // namespace
