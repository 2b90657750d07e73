// SPDX-License-Identifier: Apache-2.0
//
// Every problem in the files of tests/data and in the published ones, by the automatic choice; and every solver of the
// catalogue on the first. docs/test-data.md says what they are.
#include <gtest/gtest.h>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <support/ExtendedResiduals.hpp>
#include <support/TestData.hpp>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// What rounding allows: the exact answer of relay1, rounded to doubles, has a residual of 2.6e-12, its neighbours more.
// The published measure adds reactions and velocities as they are, relative to the free ones: it sees the rounding,
// 1e-16, of reactions of 20 beside free velocities of 1e-4, and of velocities of 1 beside free ones of 4e-6.
double withinRounding(double tolerance, const std::filesystem::path& file, ErrorMeasure measure) {
  const std::string name = file.filename().string();
  if (name == "relay1.dat") return std::max(tolerance, 4e-12);
  if (measure == ErrorMeasure::published && name == "plasticity_2d_footing_10.dat") return std::max(tolerance, 1e-10);
  if (measure == ErrorMeasure::published && name == "Chute-ndof-768-nc-4-3.hdf5") return std::max(tolerance, 1e-9);
  return tolerance;
}

// The tolerance and what two ways of adding up a sum may differ by.
double withSums(double tolerance) {
  return 1.01 * tolerance + 1e-13;
}

// A pile of 463 contacts that no solver of the library takes below some 1e-7 (docs/piles.md).
bool isOutOfReach(const std::filesystem::path& path, double tolerance) {
  return path.filename() == "RockPile_tob1.dat" && tolerance < 1e-4;
}

class EveryProblemFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryProblemFile, IsSolvedAutomaticallyInBothMeasures) {
  const ProblemFile file = readProblem(GetParam());
  for (const double asked : {1e-4, 1e-8, 1e-12}) {
    if (isOutOfReach(GetParam(), asked)) continue;
    for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
      const double tolerance = withinRounding(asked, GetParam(), measure);
      std::visit(
          [&]<class Problem>(const Problem& problem) {
            const auto solver = solversFor<Problem>().front().make({tolerance, 0});
            solver->setMeasure(measure);
            Vector unknown, dual;
            const SolveReport report = solver->solve(problem, unknown, dual);
            EXPECT_TRUE(report.converged()) << GetParam() << ": " << report.summary();
            EXPECT_LE(errorOf(problem, measure, unknown, dual), tolerance);
            if (measure == ErrorMeasure::scaled) {
              EXPECT_LE(extendedResidual(problem, unknown), withSums(tolerance)) << report.summary();
            }
          },
          file.problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, EveryProblemFile, testing::ValuesIn(allProblems()),
                         [](const auto& instance) { return testNameOf(instance.param); });

// A solver of the catalogue, by its class and its name there.
struct NamedSolver {
  std::string folder, name;
};

std::ostream& operator<<(std::ostream& stream, const NamedSolver& solver) {
  return stream << solver.folder << ' ' << solver.name;
}

template <class Problem>
void addNames(const std::string& folder, std::vector<NamedSolver>& solvers) {
  for (const auto& entry : solversFor<Problem>()) solvers.push_back({folder, std::string(entry.name)});
}

std::vector<NamedSolver> allSolvers() {
  std::vector<NamedSolver> solvers;
  addNames<LinearComplementarityProblem>("lcp", solvers);
  addNames<MixedLinearComplementarityProblem>("mlcp", solvers);
  addNames<RelayProblem>("relay", solvers);
  addNames<FrictionContactProblem>("friction2d", solvers);
  addNames<FrictionContactProblem>("friction3d", solvers);
  addNames<GlobalFrictionContactProblem>("global", solvers);
  addNames<GenericMechanicalProblem>("mechanical", solvers);
  // Those of dimension 2 alone, and those of contacts alone.
  std::erase_if(solvers, [](const NamedSolver& solver) {
    return (solver.folder == "friction3d" && solver.name.ends_with("_2d")) ||
           (solver.folder == "mechanical" && solver.name == "friction");
  });
  return solvers;
}

class EverySolverOnFiles : public testing::TestWithParam<NamedSolver> {};

TEST_P(EverySolverOnFiles, SolvesSomeAndIsRightInWhatItSaysOfTheOthers) {
  std::size_t solved = 0;
  for (const std::filesystem::path& path : ownProblems(GetParam().folder)) {
    SCOPED_TRACE(path);
    for (const double tolerance : {1e-4, 1e-8}) {
      const SolveReport report = std::visit(
          [&]<class Problem>(const Problem& problem) {
            const auto solver = solverNamed<Problem>(GetParam().name, {tolerance, 0});
            // Long for what a solver can do, short for what it cannot.
            solver->setTimeLimit(0.2);
            Vector unknown, dual;
            const SolveReport result = solver->solve(problem, unknown, dual);
            if (result.converged()) {
              EXPECT_LE(extendedResidual(problem, unknown), withSums(tolerance)) << result.summary();
            }
            return result;
          },
          readProblem(path).problem);
      if (report.converged()) ++solved;
      // All of them have a solution.
      EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
    }
  }
  EXPECT_GT(solved, 0U);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySolverOnFiles, testing::ValuesIn(allSolvers()),
                         [](const auto& instance) { return instance.param.folder + '_' + instance.param.name; });

}  // namespace
