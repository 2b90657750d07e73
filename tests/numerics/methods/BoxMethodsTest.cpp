// SPDX-License-Identifier: Apache-2.0
//
// LCP, relay and mixed problems have the same methods: what holds of one problem stated in all three classes, and of
// bases between bounds of all kinds.
#include <gtest/gtest.h>

#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <set>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;
using Mlcp = MixedLinearComplementarityProblem;
using Side = BoxBasis::Side;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One LCP in three classes.
struct Stated {
  LinearComplementarityProblem lcp;
  RelayProblem relay;
  Mlcp mlcp;
};

Stated stated(const Matrix& M, const Vector& q) {
  Vector upper(q.size());
  for (double& bound : upper.data()) bound = infinity;
  return {LinearComplementarityProblem(M, q), RelayProblem(M, q, Vector(q.size()), upper),
          Mlcp(M, q, std::vector<Mlcp::Row>(q.size(), Mlcp::Row::complementarity))};
}

TEST(EnumerationSolver, TriesTheSameBasesOfAProblemInEachClass) {
  EnumerationSolver solver;
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 6;
    // Of low rank now and then, with solutions or without.
    const Matrix M = seed % 3 == 0 ? randomSemidefinite(generator, n, 1 + n / 3) : randomMatrix(generator, n, n);
    const Stated problems = stated(M, randomVector(generator, n));
    Vector z, w;
    const SolveReport report = solver.solve(problems.lcp, z, w);
    for (const ProblemOverSets* problem :
         {static_cast<const ProblemOverSets*>(&problems.relay), static_cast<const ProblemOverSets*>(&problems.mlcp)}) {
      Vector other, dual;
      const SolveReport again = solver.solve(*problem, other, dual);
      EXPECT_EQ(again.status, report.status) << seed;
      EXPECT_EQ(again.iterations, report.iterations) << seed;
      expectNear(other, z, 0.);
    }
  }
}

TEST(EnumerationSolver, CountsTheBasesThatAProblemHas) {
  EnumerationSolver solver({1e-10, 2});
  Vector z, w;
  const Vector q = makeVector({-1., -1., -1.});
  EXPECT_EQ(solver.solve(LinearComplementarityProblem(identityMatrix(3), q), z, w).status, SolveStatus::unsupported);
  // Two of the rows have one basis, so that there are two of three.
  const Mlcp mixed(identityMatrix(3), q, {Mlcp::Row::equality, Mlcp::Row::complementarity, Mlcp::Row::complementarity});
  EXPECT_TRUE(solver.solve(mixed, z, w).converged());
  // 3 of one interval, 9 of two.
  const auto intervals = [&](double secondUpper) {
    return RelayProblem(identityMatrix(3), q, Vector(3), makeVector({2., secondUpper, 0.}));
  };
  EXPECT_TRUE(solver.solve(intervals(0.), z, w).converged());
  EXPECT_EQ(solver.solve(intervals(2.), z, w).status, SolveStatus::unsupported);
}

TEST(BoxBasis, CountsEachCombinationOfFiniteBoundsOnce) {
  // A half-line, one that is bounded above, an interval, a fixed component and one without bounds: 2 · 2 · 3 · 1 · 1.
  const RelayProblem problem(identityMatrix(5), Vector(5), makeVector({0., -infinity, -1., 2., -infinity}),
                             makeVector({infinity, 3., 1., 2., infinity}));
  DenseBox box;
  const BoxView view = *box.view(problem);
  std::set<std::vector<Side>> sides;
  std::size_t count = 0;
  BoxBasis basis;
  basis.first(view);
  do {
    ++count;
    sides.insert(basis.sides());
    EXPECT_NE(basis.sides()[0], Side::upper);
    EXPECT_NE(basis.sides()[1], Side::lower);
    EXPECT_EQ(basis.sides()[3], Side::lower);
    EXPECT_EQ(basis.sides()[4], Side::free);
  } while (basis.next(view));
  EXPECT_EQ(count, 12U);
  EXPECT_EQ(sides.size(), 12U);
}

TEST(BoxBasis, SolvesItsRowsWithTheOthersAtTheirBounds) {
  Generator generator(4);
  const std::size_t n = 20;  // above the size up to which factor() inverts, and below it with two thirds held
  Vector upper = randomVector(generator, n);
  for (double& bound : upper.data()) bound = 1. + bound;
  const RelayProblem problem(randomPositiveDefinite(generator, n), randomVector(generator, n), Vector(-upper), upper);
  DenseBox box;
  const BoxView view = *box.view(problem);
  BoxBasis basis;
  for (int attempt = 0; attempt < 30; ++attempt) {
    Vector z = randomVector(generator, n), applied(n), w(n);
    z *= static_cast<double>(attempt);
    basis.guess(view, z);
    EXPECT_FALSE(basis.guess(view, z));
    ASSERT_TRUE(basis.solve(view, z));
    ASSERT_TRUE(basis.factor(view));
    ASSERT_TRUE(basis.apply(view, applied));
    basis.refine(view, applied);
    problem.M().multiply(data(z), data(w));
    for (std::size_t i = 0; i < n; ++i) {
      if (basis.sides()[i] == Side::free) {
        // Conditions are some hundreds.
        EXPECT_NEAR(w(i) + problem.q()(i), 0., 1e-11);
      } else {
        EXPECT_EQ(z(i), basis.sides()[i] == Side::lower ? problem.lower()(i) : problem.upper()(i));
      }
    }
    expectNear(applied, z, 1e-11);
  }
}

TEST(BlockPivotingSolver, TakesTheSameStepsOfAProblemInEachClass) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 20;
    const Stated problems = stated(randomPositiveDefinite(generator, n), randomVector(generator, n));
    // Bounds that are far enough away to be no ends, but are read.
    RelayProblem bounded = problems.relay;
    for (double& bound : bounded.upper().data()) bound = 1e300;
    BlockPivotingSolver pivoting, onBox;
    Vector z, w, other, dual;
    const SolveReport report = pivoting.solve(problems.lcp, z, w);
    const SolveReport asRelay = onBox.solve(bounded, other, dual);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_EQ(asRelay.iterations, report.iterations);
    expectNear(other, z, 0.);
    expectNear(dual, w, 0.);
  }
}

TEST(DirectSolver, RemembersTheSetsOfAProblemInEachClass) {
  Generator generator(2);
  const std::size_t n = 5;
  Stated problems = stated(randomPositiveDefinite(generator, n), randomVector(generator, n));
  DirectSolver lcp, relay, mlcp;
  for (int step = 0; step < 20; ++step) {
    Vector z, w, other, dual, third;
    problems.lcp.q() *= 1.1;
    problems.relay.q() = problems.mlcp.q() = problems.lcp.q();
    const SolveReport report = lcp.solve(problems.lcp, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    ASSERT_TRUE(relay.solve(problems.relay, other, dual).converged());
    ASSERT_TRUE(mlcp.solve(problems.mlcp, third, dual).converged());
    if (step > 0) {
      EXPECT_EQ(report.iterations, 1U);
    }
    // Exact to rounding all three, with conditions of some hundreds.
    expectNear(other, z, 1e-11);
    expectNear(third, z, 1e-11);
  }
}

TEST(DirectSolver, EndsWithAProofWhereThereIsNoSolution) {
  // w₂ = −1 for every z.
  const Stated problems = stated(makeMatrix({{1., 0.}, {0., 0.}}), makeVector({-1., -1.}));
  Vector z, w;
  EXPECT_EQ(DirectSolver().solve(problems.lcp, z, w).status, SolveStatus::infeasible);
  EXPECT_EQ(DirectSolver().solve(problems.relay, z, w).status, SolveStatus::infeasible);
  EXPECT_EQ(DirectSolver().solve(problems.mlcp, z, w).status, SolveStatus::infeasible);
}

}  // namespace
