// SPDX-License-Identifier: Apache-2.0
//
// Piles, walls, arches, hoppers and lattices: which methods solve their one-step problems, and in what time, from a
// cold start and from the multipliers of the step before.
//
//     piles_benchmark                                        up to 2,500 contacts, the default chain
//     piles_benchmark 30000 1e-3,1e-4 automatic,nsgs 20      contacts, tolerances, methods, s for a solve
//     piles_benchmark 2500 1e-4 nsgs_momentum 20 hopper        those whose names begin so
#include "PileProblems.hpp"

#include <chrono>
#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace delassus;

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> entries;
  std::istringstream text(list);
  for (std::string entry; std::getline(text, entry, ',');) entries.push_back(entry);
  return entries;
}

void solve(const benchmarks::PileProblem& pile, bool isCold, const std::string& method, double tolerance,
           double timeLimit) {
  numerics::SolverSettings settings;
  settings.tolerance = tolerance;
  const auto solver = numerics::solverNamed<numerics::FrictionContactProblem>(method, settings);
  solver->setTimeLimit(timeLimit);
  solver->setMeasure(numerics::ErrorMeasure::published);
  Vector r, u;
  if (!isCold) r = pile.start;
  const auto begun = std::chrono::steady_clock::now();
  const numerics::SolveReport report = solver->solve(pile.problem, r, u);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%-28s %7zu  %-5s %-22s %7.0e %9.3f %8zu  %8.1e %s\n", pile.name.c_str(), pile.problem.contacts(),
              isCold ? "cold" : "warm", method.c_str(), tolerance, seconds, report.iterations, report.error,
              report.converged() ? "" : "not certified");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto argument = [&](int k, const char* other) { return std::string(argc > k ? argv[k] : other); };
    const std::size_t contacts = std::stoul(argument(1, "2500"));
    const std::vector<std::string> tolerances = split(argument(2, "1e-3,1e-4"));
    const std::vector<std::string> methods = split(argument(3, "automatic"));
    const double timeLimit = std::stod(argument(4, "20"));
    const std::string beginning = argument(5, "");
    std::printf("%-28s %7s  %-5s %-22s %7s %9s %8s  %8s\n", "problem", "contacts", "start", "method", "to", "s",
                "iterations", "error");
    for (const benchmarks::PileProblem& pile : benchmarks::pileProblems(contacts)) {
      if (!pile.name.starts_with(beginning)) continue;
      for (const std::string& tolerance : tolerances) {
        for (const std::string& method : methods) {
          solve(pile, true, method, std::stod(tolerance), timeLimit);
          if (pile.start.size() > 0) solve(pile, false, method, std::stod(tolerance), timeLimit);
        }
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "piles_benchmark: %s\n", error.what());
    return 1;
  }
}
