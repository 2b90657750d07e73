// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>
#include <filesystem>
#include <support/Friction2DEnumerationSolver.hpp>
#include <support/Matchers.hpp>
#include <support/PlantedProblems.hpp>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(Friction2DLemke, SolvesContactsWhoseUnitsDifferByMagnitudes) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    if (static_cast<PlantedFamily>(seed % plantedFamilies) != PlantedFamily::badlyScaled) continue;
    Vector r, u;
    const SolveReport report = Friction2DLemkeSolver().solve(plantedFriction(2, seed).problem, r, u);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

// Each of these has a solution; on some the method ends on a ray.
TEST(Friction2DSolvers, CallNothingThatHasASolutionInfeasible) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const FrictionContactProblem problem = plantedFriction(2, seed).problem;
    Vector r, u;
    const SolveReport lemke = Friction2DLemkeSolver().solve(problem, r, u);
    EXPECT_NE(lemke.status, SolveStatus::infeasible) << "seed " << seed << ": " << lemke.summary();
    if (problem.contacts() > 3) continue;
    const SolveReport enumeration = Friction2DEnumerationSolver().solve(problem, r, u);
    EXPECT_NE(enumeration.status, SolveStatus::infeasible) << "seed " << seed << ": " << enumeration.summary();
  }
}

TEST(Friction2DSolvers, EnumerationIsNoProofWhereACombinationIsNearlySingular) {
  // The two contacts need reactions of 1e13, of which rounding leaves few digits.
  const double e = 1e-13;
  Matrix W(4, 4);
  W(0, 0) = W(0, 2) = W(2, 0) = W(1, 1) = W(3, 3) = 1.;
  W(2, 2) = 1. + e;
  const FrictionContactProblem problem(2, W, makeVector({-1., 0., 1., 0.}), makeVector({0., 0.}));
  Vector r, u;
  Friction2DEnumerationOptions options;
  options.tolerance = 1e-16;
  EXPECT_NE(Friction2DEnumerationSolver(options).solve(problem, r, u).status, SolveStatus::infeasible);
}

TEST(Friction2DSolvers, EnumerationProvesThatAContactKeepsClosing) {
  // r_N opens neither of two contacts on opposite sides, and both combinations are regular.
  const FrictionContactProblem problem(2, makeMatrix({{-1., 0.}, {0., 1.}}), makeVector({-1., 0.}), makeVector({0.5}));
  Vector r, u;
  EXPECT_EQ(Friction2DEnumerationSolver().solve(problem, r, u).status, SolveStatus::infeasible);
}

TEST(Friction2DLemke, SolvesTheProblemThatItCalledInfeasible) {
  const std::filesystem::path path = publishedFile("found/friction2d_lemke_false_infeasible.dat");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << noTestData();
  const auto problem = std::get<FrictionContactProblem>(readProblem(path).problem);
  Vector r, u;
  const SolveReport report = Friction2DLemkeSolver().solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
}

}  // namespace
