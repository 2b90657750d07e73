// SPDX-License-Identifier: Apache-2.0
//
// Time of one solve from a cold start: random positive definite LCPs, and the matrix of a column of beads. Time of one
// step of a small simulation: LCPs and relay problems of which the active set is remembered, and its changes. A sparse
// matrix that is not symmetric. Mixed problems with a new matrix in each solve.
#include <benchmark/benchmark.h>

#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
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

// A problem with a known structure: symmetric positive definite, of as many complementarity rows as free unknowns; its
// last `repeated` equality rows are sums of the two before.
MixedLinearComplementarityProblem randomMixedProblem(std::size_t equalities, std::size_t pairs, std::size_t repeated) {
  using Row = MixedLinearComplementarityProblem::Row;
  Generator generator(equalities);
  const std::size_t n = equalities + pairs;
  const Matrix S = randomSemidefinite(generator, n, n, 0.1);
  const Vector s = randomVector(generator, n);
  Matrix M(n + repeated, n);
  Vector q(n + repeated);
  std::vector<Row> rows(n + repeated, Row::complementarity);
  const std::size_t distinct = equalities;
  for (std::size_t i = 0; i < n + repeated; ++i) {
    const bool isRepeated = i >= distinct && i < distinct + repeated;
    const std::size_t from = i < distinct ? i : i - repeated;
    if (i < distinct + repeated) rows[i] = Row::equality;
    for (std::size_t j = 0; j < n; ++j) M(i, j) = isRepeated ? M(i - 1, j) + M(i - 2, j) : S(from, j);
    q(i) = isRepeated ? q(i - 1) + q(i - 2) : s(from);
  }
  return {M, q, rows};
}

// With a new matrix in each solve, as a model with a changing configuration has it.
void mlcpAutomatic(benchmark::State& state) {
  MixedLinearComplementarityProblem problem =
      randomMixedProblem(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                         static_cast<std::size_t>(state.range(2)));
  AutomaticBoxSolver solver;
  Vector z, w;
  SolveReport report;
  for (auto _ : state) {
    problem.M().touch();
    assignZero(z, problem.size());
    report = solver.solve(problem, z, w);
  }
  if (!report.converged()) state.SkipWithError(report.summary().c_str());
}

// The first solve of a solver.
void mlcpFirstSolve(benchmark::State& state) {
  const MixedLinearComplementarityProblem problem =
      randomMixedProblem(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                         static_cast<std::size_t>(state.range(2)));
  for (auto _ : state) {
    AutomaticBoxSolver solver;
    Vector z, w;
    benchmark::DoNotOptimize(solver.solve(problem, z, w).error);
  }
}

// The solver is new too.
void automaticFirstSolve(benchmark::State& state) {
  const LinearComplementarityProblem problem = randomProblem(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    AutomaticBoxSolver solver;
    Vector z, w;
    benchmark::DoNotOptimize(solver.solve(problem, z, w).error);
  }
}

// The matrix is new in each solve, the solver is not.
void automaticNewMatrix(benchmark::State& state) {
  LinearComplementarityProblem problem = randomProblem(static_cast<std::size_t>(state.range(0)));
  AutomaticBoxSolver solver;
  Vector z, w;
  for (auto _ : state) {
    problem.M().touch();
    assignZero(z, problem.size());
    benchmark::DoNotOptimize(solver.solve(problem, z, w).error);
  }
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
  solveAgain(state, skewProblem(static_cast<std::size_t>(state.range(0))), DirectSolver(), 1000000000);
}

void directChangingSets(benchmark::State& state) {
  solveAgain(state, skewProblem(static_cast<std::size_t>(state.range(0))), DirectSolver(), 4);
}

void relayDirectKnownSet(benchmark::State& state) {
  solveAgain(state, boxProblem(static_cast<std::size_t>(state.range(0))), DirectSolver(), 1000000000);
}

void relayDirectChangingSets(benchmark::State& state) {
  solveAgain(state, boxProblem(static_cast<std::size_t>(state.range(0))), DirectSolver(), 4);
}

void blockPivotingTridiagonal(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  Generator generator(size);
  const BlockSparseMatrix M = randomTridiagonal(generator, size);
  BlockPivotingOptions options;
  options.symmetricOnly = false;
  solveCold(state, {M, randomVector(generator, size)}, BlockPivotingSolver(options));
}

BENCHMARK(automaticFirstSolve)->Arg(4);
BENCHMARK(automaticNewMatrix)->Arg(4)->Arg(40);
BENCHMARK(mlcpAutomatic)->Args({4, 4, 0})->Args({121, 100, 0})->Args({121, 100, 20})->Unit(benchmark::kMicrosecond);
BENCHMARK(mlcpFirstSolve)->Args({121, 100, 0})->Args({121, 100, 20})->Unit(benchmark::kMicrosecond);
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
