// SPDX-License-Identifier: Apache-2.0
//
// MLCPs in files, the project's own and published ones, by methods that solve them all.
#include <gtest/gtest.h>

#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <filesystem>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

class MlcpFile : public testing::TestWithParam<std::filesystem::path> {
 protected:
  MixedLinearComplementarityProblem problem_ = readMlcp(GetParam());
};

TEST_P(MlcpFile, IsSolvedByTheFirstMethodOfAutomatic) {
  AutomaticBoxSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  // Of what has no equality rows the choice is that for LCPs.
  EXPECT_EQ(report.solver, problem_.hasFree() ? "DirectSolver" : "BlockPivotingSolver");
}

TEST_P(MlcpFile, IsNotSaidToHaveNoSolutionBelowRounding) {
  for (const auto& entry : solversFor<MixedLinearComplementarityProblem>()) {
    Vector z, w;
    const SolveReport report = entry.make({1e-17, 200})->solve(problem_, z, w);
    EXPECT_NE(report.status, SolveStatus::infeasible) << entry.name << ": " << report.summary();
  }
}

TEST_P(MlcpFile, IsSolvedByEliminationAlone) {
  LcpFormSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

TEST_P(MlcpFile, IsSolvedByEnumeration) {
  EnumerationSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

INSTANTIATE_TEST_SUITE_P(Files, MlcpFile, testing::ValuesIn(allProblems("mlcp")),
                         [](const auto& instance) { return testNameOf(instance.param); });

}  // namespace
