// SPDX-License-Identifier: Apache-2.0
//
// Time of one solve from a cold start: random positive definite LCPs, and the matrix of a column of beads.
#include <benchmark/benchmark.h>

#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
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

BENCHMARK(lemkeRandom)->Arg(10)->Arg(32)->Arg(100)->Arg(316)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(blockPivotingRandom)->Arg(10)->Arg(32)->Arg(100)->Arg(316)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lemkeColumn)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(blockPivotingColumn)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(gaussSeidelColumn)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

}  // namespace
