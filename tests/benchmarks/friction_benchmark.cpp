// SPDX-License-Identifier: Apache-2.0
//
// Friction contact problems in local form: time of one solve from a cold start, contacts per second of Gauss-Seidel
// sweeps, and the memory bandwidth that bounds them.
//
//     friction_benchmark --benchmark_filter='friction/(automatic|nsgs)/lattice_.*/1e-04'
//     friction_benchmark --benchmark_filter='sweep|bandwidth' --benchmark_repetitions=3
//
// Solves that do not converge are reported as errors, with what stopped them.
#include <benchmark/benchmark.h>

#include <array>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <support/RandomContacts.hpp>
#include <support/TestData.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double timeLimit = 10.;  // seconds for one solve
constexpr std::size_t sweepsAtOnce = 20;

using Problem = FrictionContactProblem;
using Lattice = std::array<std::size_t, 3>;

const std::array<std::pair<const char*, Lattice>, 3> lattices{
    {{"lattice_flat_18x18x1", {18, 18, 1}}, {"lattice_cube_7x7x7", {7, 7, 7}}, {"lattice_wide_41x41x2", {41, 41, 2}}}};

Problem latticeOf(const Lattice& n) {
  return sphereLattice(n[0], n[1], n[2], 0.5);
}

// Problems are made when a benchmark first asks for them, so that a filter costs nothing for the others.
const Problem& problemNamed(const std::string& name, const std::filesystem::path& file) {
  static std::map<std::string, Problem> problems;
  const auto known = problems.find(name);
  if (known != problems.end()) return known->second;
  if (!file.empty()) return problems.emplace(name, readFriction(file)).first->second;
  for (const auto& [latticeName, size] : lattices) {
    if (name == latticeName) return problems.emplace(name, assembled(latticeOf(size))).first->second;
  }
  return problems.emplace(name, Problem()).first->second;
}

void solveCold(benchmark::State& state, const SolverEntry<RootOf<Problem>>& entry, const std::string& name,
               const std::filesystem::path& file, double tolerance) {
  const Problem problem = problemNamed(name, file);
  SolveReport report;
  Vector reaction, velocity;
  for (auto _ : state) {
    const auto solver = entry.make({tolerance, 0});
    solver->setTimeLimit(timeLimit);
    assignZero(reaction, problem.size());
    report = solver->solve(problem, reaction, velocity);
    if (!report.converged()) {
      state.SkipWithError(report.summary().c_str());
      break;
    }
  }
  state.counters["contacts"] = static_cast<double>(problem.contacts());
  state.counters["iterations"] = static_cast<double>(report.iterations);
  state.counters["error"] = report.error;
}

void registerSolves(const std::string& name, const std::filesystem::path& file) {
  for (const SolverEntry<RootOf<Problem>>& entry : solversFor<Problem>()) {
    for (const auto& [text, tolerance] : {std::pair{"1e-04", 1e-4}, std::pair{"1e-08", 1e-8}}) {
      const std::string title = "friction/" + std::string(entry.name) + "/" + name + "/" + text;
      benchmark::RegisterBenchmark(title.c_str(),
                                   [&entry, name, file, tolerance = tolerance](benchmark::State& state) {
                                     solveCold(state, entry, name, file, tolerance);
                                   })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  }
}

// Those of more than fifty contacts; the small ones are in the table of all solvers.
void registerPublished() {
  const std::array<std::pair<const char*, const char*>, 5> files{
      {{"friction2d", "fc2d_granularflowonwall_00667_00000.dat"},
       {"friction3d", "Capsules-i100-889.dat"},
       {"friction3d", "Capsules-i125-1213.hdf5"},
       {"friction3d", "Confeti-ex03-Fc3D-SBM.dat"},
       {"friction3d", "KaplasTower-i1061-4.hdf5.dat"}}};
  for (const auto& [folder, name] : files) {
    const std::filesystem::path file = publishedFile("problems/" + std::string(folder) + '/' + name);
    if (std::filesystem::exists(file)) {
      registerSolves(name, file);
      continue;
    }
    benchmark::RegisterBenchmark(("friction/published/" + std::string(name)).c_str(), [](benchmark::State& state) {
      state.SkipWithError(noTestData().c_str());
      for (auto _ : state) continue;
    });
  }
}

// Bytes of W's blocks and of their columns, read once a sweep.
double storedBytes(const BlockSparseMatrix& W) {
  return static_cast<double>(W.storedEntries() * sizeof(double) + 2 * W.blockCount() * sizeof(std::size_t));
}

template <class Solver>
void sweep(benchmark::State& state, const Problem& problem, Solver solver) {
  Vector reaction, velocity;
  SolveReport report;
  for (auto _ : state) {
    assignZero(reaction, problem.size());
    report = solver.solve(problem, reaction, velocity);
  }
  if (report.iterations != sweepsAtOnce) state.SkipWithError("the sweeps ended early");
  const auto sweeps = static_cast<double>(state.iterations()) * static_cast<double>(sweepsAtOnce);
  state.counters["items_per_second"] =
      benchmark::Counter(sweeps * static_cast<double>(problem.contacts()), benchmark::Counter::kIsRate);
  if (const BlockSparseMatrix* const W = problem.W().matrix()) {
    state.counters["bytes_per_second"] = benchmark::Counter(sweeps * storedBytes(*W), benchmark::Counter::kIsRate);
    state.counters["W_bytes"] = storedBytes(*W);
  }
}

// Options that make the solver do this many sweeps and one check of the certificate.
template <class Options>
Options fixedSweeps() {
  Options options;
  options.tolerance = 1e-300;
  options.maxIterations = sweepsAtOnce;
  options.errorInterval = sweepsAtOnce;
  return options;
}

void nsgsSweepAssembled(benchmark::State& state) {
  const Problem problem = problemNamed("lattice_wide_41x41x2", {});
  sweep(state, problem, NonsmoothGaussSeidelSolver(fixedSweeps<NonsmoothGaussSeidelOptions>()));
}

void nsgsSweepFactored(benchmark::State& state) {
  sweep(state, latticeOf({41, 41, 2}), NonsmoothGaussSeidelSolver(fixedSweeps<NonsmoothGaussSeidelOptions>()));
}

void sweepOnThreads(benchmark::State& state) {
  setThreads(static_cast<std::size_t>(state.range(0)));
  nsgsSweepAssembled(state);
  setThreads(1);
}

// What a solver does with W when each contact costs no more than reading its row.
void multiplyAssembled(benchmark::State& state) {
  const Problem problem = problemNamed("lattice_wide_41x41x2", {});
  Vector reaction(problem.size()), velocity(problem.size());
  for (auto _ : state) {
    problem.W().multiply(data(reaction), data(velocity));
    benchmark::DoNotOptimize(velocity.data());
  }
  const auto products = static_cast<double>(state.iterations());
  state.counters["items_per_second"] =
      benchmark::Counter(products * static_cast<double>(problem.contacts()), benchmark::Counter::kIsRate);
  state.counters["bytes_per_second"] =
      benchmark::Counter(products * storedBytes(*problem.W().matrix()), benchmark::Counter::kIsRate);
}

// Three arrays of 256 MiB, far larger than any cache.
constexpr std::size_t arrayLength = std::size_t{1} << 25;

void triadBandwidth(benchmark::State& state) {
  const std::vector<double> b(arrayLength, 1.), c(arrayLength, 2.);
  std::vector<double> a(arrayLength);
  for (auto _ : state) {
    for (std::size_t i = 0; i < arrayLength; ++i) a[i] = b[i] + 3. * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(3 * arrayLength * sizeof(double)));
}

// Eight sums side by side: one alone would wait for its additions, not for memory.
double sumOf(const double* values, std::size_t count) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  for (std::size_t i = 0; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[i + lane];
  }
  double total = 0.;
  for (const double sum : sums) total += sum;
  return total;
}

void sumBandwidth(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<double> values(bytes / sizeof(double), 1.);
  for (auto _ : state) benchmark::DoNotOptimize(sumOf(values.data(), values.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

BENCHMARK(nsgsSweepAssembled)->Name("sweep/nsgs_assembled")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(nsgsSweepFactored)->Name("sweep/nsgs_factored")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(sweepOnThreads)->Name("sweep/threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(multiplyAssembled)->Name("sweep/product_only")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(triadBandwidth)->Name("bandwidth/triad")->Unit(benchmark::kMillisecond)->UseRealTime();
// In memory, and in a cache that holds the matrix of the sweeps.
BENCHMARK(sumBandwidth)
    ->Name("bandwidth/sum")
    ->Arg(256 << 20)
    ->Arg(8 << 20)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  for (const auto& lattice : lattices) registerSolves(lattice.first, {});
  registerPublished();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
