// SPDX-License-Identifier: Apache-2.0
//
// LCPs in files, the project's own and published ones, by methods that solve them all.
#include <gtest/gtest.h>

#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <filesystem>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

class LcpFile : public testing::TestWithParam<std::filesystem::path> {
 protected:
  LinearComplementarityProblem problem_ = readLcp(GetParam());
};

TEST_P(LcpFile, IsSolvedByLemkeToRounding) {
  LemkeSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem_, z, w);
  if (GetParam().filename() == "lcp_CPS_3.dat") {  // a bimatrix game, on which the method ends on a ray
    EXPECT_EQ(report.status, SolveStatus::numericalFailure) << report.summary();
    return;
  }
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LT(errorOf(problem_, ErrorMeasure::published, z, w), 1e-8);
}

TEST_P(LcpFile, IsSolvedByEnumerationWhereItIsSmallAndRefusedWhereItIsNot) {
  EnumerationSolver solver;
  Vector z, w;
  const bool isSmall = problem_.size() <= EnumerationOptions{}.maxSize;
  EXPECT_EQ(solver.solve(problem_, z, w).status, isSmall ? SolveStatus::converged : SolveStatus::unsupported);
}

INSTANTIATE_TEST_SUITE_P(Files, LcpFile, testing::ValuesIn(allProblems("lcp")),
                         [](const auto& instance) { return testNameOf(instance.param); });

TEST(PublishedLcps, BimatrixGameEndsOnARayAndIsNotClaimed) {
  // Cottle, Pang, Stone, example 4.4.23: M is nonnegative with zero diagonal blocks, so z can only raise w.
  const Matrix M = makeMatrix({{0., 0., 10., 20.}, {0., 0., 30., 15.}, {10., 20., 0., 0.}, {30., 15., 0., 0.}});
  const LinearComplementarityProblem problem(M, makeVector({-1., -1., -1., -1.}));
  LemkeSolver solver;
  Vector z, w;
  EXPECT_EQ(solver.solve(problem, z, w).status, SolveStatus::numericalFailure);
  AutomaticBoxSolver automatic;
  EXPECT_TRUE(automatic.solve(problem, z, w).converged());
}

}  // namespace
