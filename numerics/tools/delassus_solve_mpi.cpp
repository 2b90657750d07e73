// SPDX-License-Identifier: Apache-2.0
//
// delassus-solve-mpi: delassus-solve over the ranks of mpirun, for problems with friction. See docs/distributed.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/distributed/DistributedFrictionSolver.hpp>
#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>
#include <delassus/numerics/distributed/Distribution.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "Options.hpp"
#include "Run.hpp"

namespace {

using namespace delassus;
using namespace delassus::tools;
using distributed::DistributedGaussSeidelOptions;
using distributed::DistributedGaussSeidelSolver;
using distributed::Distribution;
using distributed::Ranks;
using numerics::AnyProblem;
using numerics::FrictionContactProblem;
using numerics::GlobalFrictionContactProblem;

using NamedVector = std::pair<std::string, Vector>;

constexpr const char* solverNames = "automatic, nsgs_momentum, nsgs, accelerated_gradient, admm";

// Named as in the catalogue.
std::unique_ptr<numerics::AnySolver<FrictionContactProblem>> solverFor(const Distribution& distribution,
                                                                       const Options& options, double tolerance) {
  const numerics::SolverSettings settings{tolerance, options.maxIterations, options.solverOptions};
  if (options.solver == "automatic") {
    const std::vector<Setting>& further = settings.options.list();
    if (!further.empty()) {
      throw Error("DistributedFrictionSolver",
                  "it has a tolerance only, and no option '" + further.front().name + "'.");
    }
    return std::make_unique<distributed::DistributedFrictionSolver>(distribution.W(), tolerance);
  }
  if (options.solver == "accelerated_gradient") {
    return std::make_unique<numerics::AcceleratedGradientSolver>(
        numerics::optionsFrom<numerics::AcceleratedGradientOptions>(settings));
  }
  if (options.solver == "admm") {
    return std::make_unique<numerics::AdmmSolver>(numerics::optionsFrom<numerics::AdmmOptions>(settings));
  }
  DistributedGaussSeidelOptions sweeps;
  sweeps.momentum = options.solver != "nsgs";
  return std::make_unique<DistributedGaussSeidelSolver>(distribution.W(), numerics::optionsFrom(settings, sweeps));
}

void requireSolver(const Options& options) {
  const std::string& name = options.solver;
  for (const std::string_view known : {"automatic", "nsgs_momentum", "nsgs", "accelerated_gradient", "admm"}) {
    if (name == known) return;
  }
  throw Error("delassus-solve-mpi", "there is no solver '" + name + "' over ranks, but " + solverNames + ".");
}

// The problem of a file, on the first rank; how it is stated, on all.
struct Input {
  std::optional<AnyProblem> problem;
  bool isGlobal = false;
};

Input inputFrom(const Ranks& ranks, const std::string& file, const Options& options) {
  Input input;
  std::vector<std::size_t> isGlobal(1, 0);
  ranks.onFirst([&] {
    input.problem = readInput(file, options);
    isGlobal[0] = std::holds_alternative<GlobalFrictionContactProblem>(*input.problem) ? 1 : 0;
    if (isGlobal[0] == 0 && !std::holds_alternative<FrictionContactProblem>(*input.problem)) {
      throw Error(file, "problems with friction are solved over ranks, but this is one of class " +
                            std::string(classNameOf(*input.problem)) + "; take delassus-solve.");
    }
  });
  ranks.share(isGlobal);
  input.isGlobal = isGlobal[0] != 0;
  return input;
}

Distribution distribute(const Ranks& ranks, const Input& input) {
  if (input.isGlobal) {
    return Distribution(ranks, input.problem ? &std::get<GlobalFrictionContactProblem>(*input.problem) : nullptr);
  }
  return Distribution(ranks, input.problem ? &std::get<FrictionContactProblem>(*input.problem) : nullptr);
}

// The certificate of the problem as the file states it: in global form, its error is relative to other data.
void takeGlobalError(const Ranks& ranks, const Input& input, const Options& options, double tolerance,
                     numerics::SolveReport& report, std::vector<NamedVector>& unknowns) {
  std::array<double, 1> error{};
  ranks.onFirst([&] {
    const auto& whole = std::get<GlobalFrictionContactProblem>(*input.problem);
    const Vector& r = unknowns.front().second;
    Vector dual;
    error[0] = numerics::errorOf(whole, options.measure, r, dual, tolerance);
    unknowns.emplace_back("global_velocity", whole.velocities(r));
  });
  ranks.sum(error);
  report.error = error[0];
  report.tolerance = tolerance;
  if (error[0] <= tolerance) {
    report.status = numerics::SolveStatus::converged;
    report.reason = {};
  } else if (report.converged()) {
    report.status = numerics::SolveStatus::inaccurate;
  }
}

double secondsSince(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// Solves the local form, more and more exactly, until the problem as the file states it is certified.
numerics::SolveReport solveOnce(const Ranks& ranks, const Input& input, const Distribution& distribution,
                                const Options& options, double tolerance, Run& run) {
  constexpr int mostTries = 4;
  constexpr double leastTime = 1e-3;  // s, left for a try
  const auto begun = std::chrono::steady_clock::now();
  double local = tolerance;
  Vector r, u;
  numerics::SolveReport best;
  for (int tried = 1;; ++tried) {
    std::unique_ptr<numerics::AnySolver<FrictionContactProblem>> solver;
    ranks.agree([&] { solver = solverFor(distribution, options, local); });
    solver->setMeasure(options.measure);
    if (options.timeLimit > 0.) solver->setTimeLimit(std::max(options.timeLimit - secondsSince(begun), leastTime));
    numerics::SolveReport report = solver->solve(distribution.problem(), r, u);
    const bool mayBeBetter = report.converged() && tried < mostTries;
    std::vector<NamedVector> unknowns{{"reaction", distribution.gather(r)}, {"velocity", distribution.gather(u)}};
    if (input.isGlobal) takeGlobalError(ranks, input, options, tolerance, report, unknowns);
    if (tried == 1 || report.error < best.error) {
      best = report;
      run.unknowns = std::move(unknowns);
    }
    if (best.converged() || !mayBeBetter) return best;
    local *= std::clamp(0.5 * tolerance / report.error, 1e-6, 0.5);
  }
}

void solveAt(const Ranks& ranks, const Input& input, const Distribution& distribution, const Options& options,
             double tolerance, Run& run) {
  numerics::SolveReport report;
  std::vector<double> seconds;
  for (std::size_t k = 0; k < options.repeat; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    report = solveOnce(ranks, input, distribution, options, tolerance, run);
    seconds.push_back(secondsSince(begun));
  }
  run.tolerance = tolerance;
  run.seconds = medianOf(std::move(seconds));
  run.status = statusName(report.status);
  run.iterations = report.iterations;
  run.residual = report.error;
  if (run.status == "failed") run.error = report.reason.empty() ? toString(report.status) : report.reason;
  if (options.solutionFile.empty()) run.unknowns.clear();
}

void tell(const Ranks& ranks, const std::string& error) {
  if (ranks.isFirst()) std::fprintf(stderr, "delassus-solve-mpi: %s\n", error.c_str());
}

// Every tolerance, as delassus-solve does; what fails is told once and stops nothing else.
void solveFile(const Ranks& ranks, const std::string& file, const Options& options, std::vector<Run>& runs) {
  Run run;
  run.file = file;
  run.solver = options.solver;
  try {
    const Input input = inputFrom(ranks, file, options);
    if (input.problem) {
      run.problemClass = classNameOf(*input.problem);
      run.size = sizeOf(*input.problem);
      run.contacts = contactsOf(*input.problem);
    }
    const Distribution distribution = distribute(ranks, input);
    for (const double tolerance : options.tolerances) {
      Run one = run;
      solveAt(ranks, input, distribution, options, tolerance, one);
      if (!one.error.empty()) tell(ranks, file + ", solver " + one.solver + ": " + one.error);
      runs.push_back(std::move(one));
    }
  } catch (const distributed::AgreedError& error) {
    tell(ranks, error.what());
    for (const double tolerance : options.tolerances) {
      run.tolerance = tolerance;
      run.error = error.what();
      run.residual = std::numeric_limits<double>::infinity();
      runs.push_back(run);
    }
  }
}

int solveAll(const Ranks& ranks, const Options& options) {
  std::vector<Run> runs;
  for (const std::string& file : options.files) solveFile(ranks, file, options, runs);
  ranks.onFirst([&] {
    const std::string report = options.json       ? jsonReport(runs)
                               : options.markdown ? markdownReport(runs)
                                                  : tableReport(runs);
    if (std::fwrite(report.data(), 1, report.size(), stdout) != report.size() || std::fflush(stdout) != 0) {
      throw Error("standard output", "cannot write to it.");
    }
    if (!options.solutionFile.empty()) numerics::writeContent(options.solutionFile, jsonSolutions(runs));
  });
  return std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.converged(); }) ? 0 : 1;
}

// Help and mistakes are told by the first rank.
std::optional<int> parse(const Ranks& ranks, int argc, char** argv, Options& options) {
  std::vector<std::size_t> end(1, 0);
  std::optional<int> own;
  if (ranks.isFirst()) {
    own = parseCommandLine(argc, argv, options);
    end[0] = own ? static_cast<std::size_t>(*own) + 1 : 0;
  }
  ranks.share(end);
  if (end[0] > 0) return static_cast<int>(end[0]) - 1;
  if (!ranks.isFirst()) parseCommandLine(argc, argv, options);
  return std::nullopt;
}

int runCommand(const Ranks& ranks, int argc, char** argv) {
  Options options;
  if (const std::optional<int> end = parse(ranks, argc, argv, options)) return *end;
  ranks.onFirst([&] {
    if (options.list || !options.convertFile.empty() || !options.profileFolder.empty()) {
      throw Error("delassus-solve-mpi", "--list, --convert and --profile are options of delassus-solve.");
    }
    requireSolver(options);
    if (!options.solutionFile.empty()) numerics::requireNoFolder(options.solutionFile);
  });
  return solveAll(ranks, options);
}

}  // namespace

int main(int argc, char** argv) {
  return distributed::runOnRanks("delassus-solve-mpi",
                                 [&](const Ranks& ranks) { return runCommand(ranks, argc, argv); });
}
