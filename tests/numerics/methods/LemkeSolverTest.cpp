// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

SolveReport solve(const Matrix& M, const Vector& q, Vector& z) {
  LemkeSolver solver;
  Vector w;
  return solver.solve(LinearComplementarityProblem{M, q}, z, w);
}

TEST(LemkeSolver, SolvesProblemsInWhichEveryRatioTies) {
  // q = −1 everywhere is the covering vector itself, so the first pivot leaves all rows at zero and each later one
  // ties.
  for (std::size_t n = 2; n <= 40; ++n) {
    Matrix M(n, n);
    Vector q(n);
    for (std::size_t i = 0; i < n; ++i) {
      q(i) = -1.;
      for (std::size_t j = 0; j < n; ++j) M(i, j) = i == j ? 2. : 1.;
    }
    Vector z;
    const SolveReport report = solve(M, q, z);
    ASSERT_TRUE(report.converged()) << report.summary();
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(z(i), 1. / static_cast<double>(n + 1), 1e-14);
  }
}

TEST(LemkeSolver, SolvesTheCircularProblemOnWhichPrincipalPivotingCycles) {
  // A P-matrix with cyclic symmetry: least-index principal pivoting without safeguards goes round in it (Murty).
  const Matrix M = makeMatrix({{1., 2., 0.}, {0., 1., 2.}, {2., 0., 1.}});
  Vector z;
  const SolveReport report = solve(M, makeVector({-1., -1., -1.}), z);
  ASSERT_TRUE(report.converged()) << report.summary();
  expectNear(z, makeVector({1. / 3., 1. / 3., 1. / 3.}), 1e-14);
}

TEST(LemkeSolver, SolvesMurtysTriangularProblems) {
  // M lower triangular with 1 on and 2 below the diagonal, q = −1: the solution is (1, 0, …, 0).
  for (std::size_t n = 1; n <= 8; ++n) {
    Matrix M(n, n);
    Vector q(n);
    for (std::size_t i = 0; i < n; ++i) {
      q(i) = -1.;
      M(i, i) = 1.;
      for (std::size_t j = 0; j < i; ++j) M(i, j) = 2.;
    }
    Vector z;
    ASSERT_TRUE(solve(M, q, z).converged()) << n;
    EXPECT_NEAR(z(0), 1., 1e-13);
    for (std::size_t i = 1; i < n; ++i) EXPECT_NEAR(z(i), 0., 1e-13);
  }
}

TEST(LemkeSolver, EndsOnARayWhereTwoConstraintsContradict) {
  // Two walls closing on one body: w = (z₁ − z₂ − 1, z₂ − z₁ − 1).
  Vector z;
  const SolveReport report = solve(makeMatrix({{1., -1.}, {-1., 1.}}), makeVector({-1., -1.}), z);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_NE(report.reason.find("ray"), std::string_view::npos);
}

TEST(LemkeSolver, SolvesLargeRandomAndSparseProblemsToRounding) {
  for (const std::size_t n : {100U, 300U}) {
    Generator generator(n);
    Vector z;
    const SolveReport report = solve(randomSemidefinite(generator, n, n, 0.1), randomVector(generator, n), z);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_LT(report.error, 1e-12);
  }
  LemkeSolver solver;
  Vector q(200);
  q(0) = -1.;
  Vector z, w;
  const SolveReport report = solver.solve(LinearComplementarityProblem{columnMatrix(200), q}, z, w);
  EXPECT_LT(report.error, 1e-12) << report.summary();
}

TEST(LemkeSolver, StopsAtItsPivotLimitAndSaysSo) {
  LemkeOptions options;
  options.maxPivots = 2;
  LemkeSolver solver(options);
  Vector q(20);
  for (double& entry : q.data()) entry = -1.;
  Vector z, w;
  const SolveReport report = solver.solve(LinearComplementarityProblem{columnMatrix(20), q}, z, w);
  EXPECT_EQ(report.status, SolveStatus::iterationLimit);
  EXPECT_EQ(report.iterations, 2U);
}

}  // namespace
