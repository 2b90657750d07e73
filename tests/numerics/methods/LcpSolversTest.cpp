// SPDX-License-Identifier: Apache-2.0
//
// What holds for every LCP solver, on random, degenerate and hostile problems. The reference is enumeration.
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

template <class Solver>
class EveryLcpSolver : public testing::Test {};

using Solvers = testing::Types<AutomaticBoxSolver, LemkeSolver, EnumerationSolver, ProjectedGaussSeidelSolver,
                               BlockGaussSeidelSolver, BlockPivotingSolver, LcpActiveSetSolver, LcpInteriorPointSolver,
                               LcpProximalSolver, NewtonSolver, FischerBurmeisterSolver>;
TYPED_TEST_SUITE(EveryLcpSolver, Solvers);

TYPED_TEST(EveryLcpSolver, SolvesRandomDefiniteProblemsLikeEnumeration) {
  TypeParam solver;
  EnumerationSolver reference;
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 9;
    const LinearComplementarityProblem problem(randomSemidefinite(generator, n, n, 0.3), randomVector(generator, n));
    Vector z, w, expected, unused;
    const SolveReport report = solver.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    ASSERT_TRUE(reference.solve(problem, expected, unused).converged());
    // The problem is strongly monotone with constant 0.3, so z is off by at most (‖M‖ + 1)/0.3 · ‖q‖ · error.
    expectNear(z, expected, 1e-6);
    EXPECT_LE(report.error, solver.tolerance());
    EXPECT_DOUBLE_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, z, w));
    for (std::size_t i = 0; i < n; ++i) EXPECT_GE(z(i), 0.);
  }
}

TYPED_TEST(EveryLcpSolver, GivesZeroWhereQIsNotNegative) {
  TypeParam solver;
  const LinearComplementarityProblem problem(identityMatrix(3), makeVector({0., 1., 2.}));
  Vector z, w;
  EXPECT_TRUE(solver.solve(problem, z, w).converged());
  expectNear(z, Vector(3), 0.);
  expectNear(w, makeVector({0., 1., 2.}), 0.);
}

TYPED_TEST(EveryLcpSolver, RefusesDataThatBecameNanAfterAFirstSolve) {
  TypeParam solver;
  LinearComplementarityProblem problem(identityMatrix(2), makeVector({-1., -1.}));
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  problem.q()(1) = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { solver.solve(problem, z, w); }, {": q", "component 1"});
  problem.q()(1) = -1.;
  problem.M().block(0)[0] = std::numeric_limits<double>::quiet_NaN();
  problem.M().touch();
  expectError([&] { solver.solve(problem, z, w); }, {": M"});
}

TYPED_TEST(EveryLcpSolver, DoesNotClaimToSolveTheUnsolvable) {
  // w = −1 whatever z is.
  TypeParam solver;
  const LinearComplementarityProblem problem(Matrix(1, 1), makeVector({-1.}));
  Vector z, w;
  const SolveReport report = solver.solve(problem, z, w);
  EXPECT_FALSE(report.converged());
  EXPECT_GT(report.error, 0.1);
  EXPECT_NE(report.summary().find(std::string(report.solver)), std::string::npos);
  EXPECT_FALSE(report.reason.empty());
}

TYPED_TEST(EveryLcpSolver, IsIndependentOfTheUnitsOfTheData) {
  TypeParam solver;
  Generator generator(11);
  const Matrix M = randomSemidefinite(generator, 6, 6, 0.3);
  const Vector q = randomVector(generator, 6);
  Vector expected, z, w;
  ASSERT_TRUE(solver.solve(LinearComplementarityProblem(M, q), expected, w).converged());
  for (const double unit : {1e-9, 1e9}) {
    setZero(z);
    assignZero(z, 6);
    ASSERT_TRUE(solver.solve(LinearComplementarityProblem(Matrix(unit * M), q), z, w).converged()) << unit;
    expectNear(Vector(unit * z), expected, 1e-6);
    assignZero(z, 6);
    ASSERT_TRUE(solver.solve(LinearComplementarityProblem(M, Vector(unit * q)), z, w).converged()) << unit;
    expectNear(Vector(z / unit), expected, 1e-6);
  }
}

// The sparse path of block pivoting, which the sizes above do not reach.
TEST(BlockPivotingOfALargeColumn, IsIndependentOfTheUnitsOfTheData) {
  Generator generator(17);
  const std::size_t n = 200;
  const Vector q = randomVector(generator, n);
  BlockPivotingSolver solver;
  Vector expected, w;
  ASSERT_TRUE(solver.solve(LinearComplementarityProblem(columnMatrix(n), q), expected, w).converged());
  for (const double unit : {1e-15, 1e15}) {
    BlockSparseMatrix W = columnMatrix(n);
    for (std::size_t k = 0; k < W.blockCount(); ++k) *W.block(k) *= unit;
    W.touch();
    Vector z;
    const SolveReport report = solver.solve(LinearComplementarityProblem(W, q), z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    expectNear(Vector(unit * z), expected, 1e-10 * 200.);
  }
}

// Problems of semidefinite M with redundant rows: contacts that stand twice, or four legs on a floor.
TEST(RedundantProblems, AreSolvedByLemkeAndEnumeration) {
  LemkeSolver lemke;
  EnumerationSolver enumeration;
  for (std::size_t seed = 0; seed < 200; ++seed) {
    Generator generator(seed);
    const std::size_t n = 3 + seed % 6;
    const std::size_t rank = 1 + seed % 3;
    // q = −M a + b with a, b ≥ 0 complementary has the solution a; here w may vanish together with z.
    const Matrix M = randomSemidefinite(generator, n, rank);
    Vector a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto kind = generator() % 3;
      if (kind == 0) a(i) = 1.;
      if (kind == 1) b(i) = 1.;
    }
    Vector q = b;
    multiply(-1., M, a, 1., q);
    const LinearComplementarityProblem problem(M, q);
    Vector z, w;
    const SolveReport report = lemke.solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
    // z is not unique, w is.
    expectNear(w, b, 1e-7);
    assignZero(z, n);
    EXPECT_TRUE(enumeration.solve(problem, z, w).converged()) << "seed " << seed;
    expectNear(w, b, 1e-7);
  }
}

TEST(NonsymmetricProblems, AreSolvedByLemkeAndRefusedByBlockPivoting) {
  LemkeSolver lemke;
  BlockPivotingSolver pivoting;
  EnumerationSolver reference;
  for (std::size_t seed = 0; seed < 50; ++seed) {
    Generator generator(seed);
    const std::size_t n = 2 + seed % 7;
    const LinearComplementarityProblem problem(randomPositiveDefinite(generator, n), randomVector(generator, n));
    Vector z, w, expected;
    const SolveReport report = lemke.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    ASSERT_TRUE(reference.solve(problem, expected, w).converged());
    expectNear(z, expected, 1e-7);
    Vector start;
    ASSERT_TRUE(pivoting.solve(problem, start, w).converged()) << "seed " << seed;
    expectNear(start, expected, 1e-7);
    const SolveReport refused = BlockPivotingSolver(BlockPivotingOptions::ofDefinite()).solve(problem, start, w);
    if (!refused.converged()) {
      EXPECT_EQ(refused.status, SolveStatus::unsupported);
      EXPECT_EQ(refused.reason, "M is not symmetric");
    }
  }
}

TEST(EnumerationSolver, RefusesProblemsThatAreTooLarge) {
  EnumerationSolver solver;
  Vector q(21);
  q(0) = -1.;
  Vector z, w;
  EXPECT_EQ(solver.solve(LinearComplementarityProblem(identityMatrix(21), q), z, w).status, SolveStatus::unsupported);
  expectError([] { EnumerationSolver(EnumerationOptions{1e-8, 40}); }, {"maxSize"});
}

TEST(ProjectedGaussSeidelSolver, TakesARelaxation) {
  // Over-relaxation pays on the column of beads: fewer sweeps for the same answer.
  Vector q(30);
  q(0) = -1.;
  const LinearComplementarityProblem problem(columnMatrix(30), q);
  ProjectedGaussSeidelOptions options;
  Vector z, w;
  const SolveReport plain = ProjectedGaussSeidelSolver(options).solve(problem, z, w);
  options.relaxation = 1.8;
  assignZero(z, 30);
  const SolveReport relaxed = ProjectedGaussSeidelSolver(options).solve(problem, z, w);
  ASSERT_TRUE(plain.converged() && relaxed.converged());
  EXPECT_LT(relaxed.iterations, plain.iterations / 2);
  options.relaxation = 2.;
  expectError([&] { ProjectedGaussSeidelSolver{options}; }, {"relaxation", "(0, 2)"});
}

TEST(ProjectedGaussSeidelSolver, StopsAtItsLimitAndSaysSo) {
  ProjectedGaussSeidelOptions options;
  options.maxIterations = 3;
  Vector q(100);
  q(0) = -1.;
  Vector z, w;
  const SolveReport report =
      ProjectedGaussSeidelSolver(options).solve(LinearComplementarityProblem{columnMatrix(100), q}, z, w);
  EXPECT_EQ(report.status, SolveStatus::iterationLimit);
  EXPECT_EQ(report.iterations, 3U);
  EXPECT_GT(report.error, options.tolerance);
}

}  // namespace
