// SPDX-License-Identifier: Apache-2.0
//
// Time of one step of a linkage: W and q new in each, the last answer as the start. Four bodies with five rows a joint,
// with nothing else, with a contact with friction, and with limits and two contacts; and ten linkages side by side.
#include <benchmark/benchmark.h>

#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <string>
#include <support/RandomMechanical.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

GenericMechanicalProblem linkage(const std::vector<Part>& ends, std::size_t bodies, bool closed) {
  Generator generator(bodies);
  const Linkage parts = randomLinkage(generator, bodies, ends, closed);
  return randomKnownMechanical(generator, parts.W, parts.parts).problem;
}

void solveSteps(benchmark::State& state, const SolverEntry<RootOf<GenericMechanicalProblem>>& entry,
                GenericMechanicalProblem problem) {
  const auto solver = entry.make({1e-8, 0});
  const Vector q = problem.q();
  Vector lambda, w;
  SolveReport report = solver->solve(problem, lambda, w);
  double change = 0.;
  for (auto _ : state) {
    // The forces grow and fall by a tenth of a percent a step.
    change = change < 0.05 ? change + 1e-3 : 0.;
    for (std::size_t i = 0; i < q.size(); ++i) problem.q()(i) = (1. + change) * q(i);
    problem.W().touch();
    report = solver->solve(problem, lambda, w);
  }
  if (!report.converged()) state.SkipWithError(report.summary().c_str());
  state.counters["iterations"] = static_cast<double>(report.iterations);
}

// The part that is the certificate.
void measureError(benchmark::State& state, const GenericMechanicalProblem& problem) {
  Vector lambda(problem.size()), w;
  for (auto _ : state) benchmark::DoNotOptimize(errorOf(problem, ErrorMeasure::scaled, lambda, w));
}

void registerSolves(const std::string& name, const GenericMechanicalProblem& problem) {
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    // Sweeps along a chain of joints are no method for it.
    if (entry.name == "relay" || entry.name == "friction" || entry.name.starts_with("nsgs")) continue;
    benchmark::RegisterBenchmark((name + "/" + std::string(entry.name)).c_str(),
                                 [&entry, problem](benchmark::State& state) { solveSteps(state, entry, problem); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Part contact = Part::coulomb(3, 0.3);
  registerSolves("linkage/joints_20", linkage({}, 4, false));
  registerSolves("linkage/joints_20_contact", linkage({contact}, 4, false));
  registerSolves("linkage/joints_20_contacts_limits", linkage({contact, contact, Part::box(2)}, 4, false));
  registerSolves("linkage/closed_25_contact", linkage({contact}, 4, true));
  registerSolves("linkage/joints_100_contact", linkage({contact}, 20, false));
  Generator generator(10);
  registerSolves("linkages_10", randomMechanisms(generator, 10));
  const GenericMechanicalProblem measured = linkage({contact}, 4, false);
  benchmark::RegisterBenchmark("linkage/joints_20_contact/error_measure",
                               [measured](benchmark::State& state) { measureError(state, measured); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
