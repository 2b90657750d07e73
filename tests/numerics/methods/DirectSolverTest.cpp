// SPDX-License-Identifier: Apache-2.0
//
// The solvers that remember active sets, for LCPs and for relay problems: sequences as time stepping makes them.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector filled(std::size_t size, double value) {
  Vector v(size);
  for (double& entry : v.data()) entry = value;
  return v;
}

/// Four diodes between a source of voltage v, with a capacitor beside it, and a resistor: monotone, not symmetric, with
/// zeros on the diagonal and in q.
Matrix bridgeMatrix() {
  return makeMatrix({{1e-3, 1e-3, -1., 0.}, {1e-3, 1e-3, 0., -1.}, {1., 0., 1., -1.}, {0., 1., -1., 1.}});
}

/// One component without bounds, two diodes and a switch in [0, 1], as in a converter with its controller. Zeros on the
/// diagonal, so that pivoting on the box meets singular bases.
RelayProblem converter() {
  return {makeMatrix({{0., 1., 0., 0.}, {-1., 0.1, -1., 0.2}, {0., 1., 0., -1.}, {0., -0.2, 1., 0.}}), Vector(4),
          makeVector({-infinity, 0., 0., 0.}), makeVector({infinity, infinity, infinity, 1.})};
}

// q turns through `steps` values in its space, more slowly than the sets change.
Vector turning(const Vector& a, const Vector& b, int step) {
  Vector q(a.size());
  for (std::size_t i = 0; i < q.size(); ++i) q(i) = a(i) * std::cos(0.05 * step) + b(i) * std::sin(0.05 * step);
  return q;
}

template <class Problem>
void expectAgreementWithEnumeration(Problem problem, Generator& generator, std::size_t seed) {
  const Vector a = randomVector(generator, problem.size());
  const Vector b = randomVector(generator, problem.size());
  DirectSolver direct;
  EnumerationSolver reference;
  Vector z, w, expected, dual;
  for (int step = 0; step < 130; ++step) {
    assign(turning(a, b, step), problem.q());
    const SolveReport report = direct.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
    ASSERT_TRUE(reference.solve(problem, expected, dual).converged());
    // Both are exact to rounding, with conditions of some hundreds.
    EXPECT_LT(report.error, 1e-12);
    expectNear(z, expected, 1e-10);
    expectNear(w, dual, 1e-10);
  }
}

TEST(DirectSolver, AgreesWithEnumerationOverSequencesOfLcps) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 6;
    const LinearComplementarityProblem problem(randomPositiveDefinite(generator, n), Vector(n));
    expectAgreementWithEnumeration(problem, generator, seed);
  }
}

TEST(DirectSolver, AgreesWithEnumerationOverSequencesOfRelays) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 5;
    Vector lower = filled(n, -0.3);
    Vector upper = filled(n, 0.2);
    if (seed % 2 == 0) lower(0) = -infinity;
    if (seed % 4 == 0) upper(0) = infinity;  // an equality
    if (seed % 3 == 0) upper(n - 1) = infinity;
    const RelayProblem problem(randomPositiveDefinite(generator, n), Vector(n), lower, upper);
    expectAgreementWithEnumeration(problem, generator, seed);
  }
}

TEST(DirectSolverOfLcps, FindsTheSetsOfADiodeBridgeOnce) {
  LinearComplementarityProblem problem(bridgeMatrix(), Vector(4));
  DirectSolver direct;
  AutomaticBoxSolver automatic;
  EnumerationSolver reference;
  Vector z, w, other, dual, expected;
  for (int step = 0; step < 400; ++step) {
    const double v = 10. * std::sin(0.05 * step);
    assign(makeVector({0., 0., -v, v}), problem.q());
    const SolveReport report = direct.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << step << ": " << report.summary();
    EXPECT_LT(report.error, 1e-13);
    if (step > 130) {
      EXPECT_LE(report.iterations, 3U) << step;
    }
    const SolveReport chosen = automatic.solve(problem, other, dual);
    ASSERT_TRUE(chosen.converged());
    EXPECT_EQ(chosen.solver, "DirectSolver");
    ASSERT_TRUE(reference.solve(problem, expected, dual).converged());
    expectNear(w, dual, 1e-9);
  }
}

TEST(DirectSolverOfLcps, SolvesDegenerateAndSingularProblems) {
  DirectSolver solver;
  Vector z, w;
  // M = 0: z = 0 where q ≥ 0, no solution elsewhere.
  for (const Vector& q : {makeVector({0., 0.}), makeVector({1., 0.}), makeVector({1., 2.})}) {
    const SolveReport report = solver.solve(LinearComplementarityProblem(Matrix(2, 2), q), z, w);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.error, 0.);
  }
  EXPECT_EQ(solver.solve(LinearComplementarityProblem(Matrix(2, 2), makeVector({1., -1.})), z, w).status,
            SolveStatus::infeasible);
  // Singular bases, of which none can be remembered, and ties.
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 2 + seed % 7;
    LinearComplementarityProblem problem(randomSemidefinite(generator, n, 1 + n / 3), Vector(n));
    z = Vector();
    for (int step = 0; step < 20; ++step) {
      // q = w − M z with some pairs where both are zero.
      Vector known(n), dual(n);
      for (std::size_t i = 0; i < n; ++i)
        (generator() % 2 == 0 ? known : dual)(i) = static_cast<double>(generator() % 3);
      assign(dual, problem.q());
      Vector image(n);
      problem.M().multiply(data(known), data(image));
      problem.q() -= image;
      const SolveReport report = solver.solve(problem, z, w);
      EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
    }
  }
}

TEST(DirectSolverOfLcps, DoesNotTakeANeighbouringSetThatOnlyMeetsTheTolerance) {
  DirectOptions options;
  options.tolerance = 1e-2;
  DirectSolver solver(options);
  Vector z, w;
  solver.solve(LinearComplementarityProblem(identityMatrix(2), makeVector({-1., 1e-3})), z, w);
  // The set of the first solve has the error 1e-3 here.
  const LinearComplementarityProblem second(identityMatrix(2), makeVector({-1., -1e-3}));
  ASSERT_TRUE(solver.solve(second, z, w).converged());
  EXPECT_DOUBLE_EQ(z(1), 1e-3);
}

TEST(DirectSolverOfLcps, FollowsChangesOfTheMatrixAndOfTheSize) {
  DirectSolver solver;
  EnumerationSolver reference;
  Vector expected, w;
  for (std::size_t step = 0; step < 60; ++step) {
    Generator generator(step);
    const std::size_t n = 1 + (step / 3) % 8;
    Vector z;
    const LinearComplementarityProblem problem(randomPositiveDefinite(generator, n), randomVector(generator, n));
    ASSERT_TRUE(solver.solve(problem, z, w).converged());
    assignZero(expected, n);
    ASSERT_TRUE(reference.solve(problem, expected, w).converged());
    expectNear(z, expected, 1e-9);
  }
}

TEST(DirectSolverOfLcps, SolvesLargerProblemsWithoutAMemory) {
  Generator generator(3);
  const LinearComplementarityProblem problem(randomPositiveDefinite(generator, 70), randomVector(generator, 70));
  DirectSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  EXPECT_GT(solver.solve(problem, z, w).iterations, 1U);
  DirectOptions options;
  options.rememberSize = 70;
  DirectSolver remembering(options);
  ASSERT_TRUE(remembering.solve(problem, z, w).converged());
  EXPECT_EQ(remembering.solve(problem, z, w).iterations, 1U);
}

TEST(DirectSolver, ReportsTheErrorAndTheDualOfTheAnswer) {
  Generator generator(8);
  LinearComplementarityProblem problem(randomPositiveDefinite(generator, 5), Vector(5));
  const Vector q = randomVector(generator, 5);
  AutomaticBoxSolver solver;
  Vector z, w, dual;
  for (int step = 0; step < 4; ++step) {
    assign(q, problem.q());
    problem.q() *= 1. + step;
    const SolveReport report = solver.solve(problem, z, w);
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, z, dual));
    expectNear(w, dual, 0.);
  }
}

TEST(DirectSolver, ForgetsWhatItLearntAfterTheStateThatIsRestored) {
  DirectSolver solver;
  MemoryArchive saved;
  solver.serializeState(saved);
  RelayProblem problem = converter();
  problem.q() = makeVector({-1.5, 1., 0.5, 1.});
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  EXPECT_EQ(solver.solve(problem, z, w).iterations, 1U);
  MemoryArchive read(saved.bytes());
  solver.serializeState(read);
  EXPECT_TRUE(read.isAtEnd());
  DirectSolver fresh;
  Vector same;
  z = Vector();
  EXPECT_EQ(solver.solve(problem, z, w).iterations, fresh.solve(problem, same, w).iterations);
  expectNear(z, same, 0.);
}

TEST(DirectSolver, RefusesOptionsThatAreOutOfRange) {
  EXPECT_THROW(DirectSolver({.tolerance = 0.}), Error);
  EXPECT_THROW(DirectSolver({.enumerateSize = 31}), Error);
}

TEST(DirectSolverOfRelays, FindsTheSetsOfASwitchedConverterOnce) {
  RelayProblem problem = converter();
  DirectSolver direct;
  AutomaticBoxSolver automatic;
  Vector z, w;
  std::size_t searches = 0;
  for (int step = 0; step < 1000; ++step) {
    const double t = 0.01 * step;
    assign(makeVector({-1.5 - std::sin(t), std::cos(3. * t), 0.5 + std::sin(5. * t), std::cos(7. * t)}), problem.q());
    const SolveReport report = direct.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << step << ": " << report.summary();
    EXPECT_LT(report.error, 1e-12);
    if (report.iterations > 8) ++searches;
    const SolveReport chosen = automatic.solve(problem, z, w);
    ASSERT_TRUE(chosen.converged());
    EXPECT_EQ(chosen.solver, "DirectSolver");
  }
  // A memory of 8 holds all sets that this sequence meets; a search counts the sets that it tried before.
  EXPECT_LE(searches, 8U);
}

TEST(DirectSolverOfRelays, FollowsBoundsThatMoveOrVanish) {
  RelayProblem problem(makeMatrix({{2., 1.}, {-1., 1.}}), makeVector({3., -4.}), makeVector({-1., -1.}),
                       makeVector({1., 1.}));
  DirectSolver solver;
  EnumerationSolver reference;
  Vector z, w, expected;
  for (const double bound : {1., 0.5, 2., infinity, 0.25, 0.}) {
    problem.lower() = makeVector({-bound, -1.});
    problem.upper() = makeVector({1., bound});
    ASSERT_TRUE(solver.solve(problem, z, w).converged()) << bound;
    ASSERT_TRUE(reference.solve(problem, expected, w).converged());
    expectNear(z, expected, 1e-12);
  }
}

TEST(DirectSolverOfRelays, SolvesTheEmptyMatrixAndTies) {
  DirectSolver solver;
  Vector z, w;
  const RelayProblem zero(Matrix(2, 2), Vector(2), makeVector({-1., 0.}), makeVector({1., infinity}));
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(solver.solve(zero, z, w).converged());
  // On the surface of a relay: z = 0 keeps w = 0, whatever the step.
  for (const double h : {1e-2, 1e-6}) {
    z = Vector();
    const RelayProblem sliding(makeMatrix({{h}}), makeVector({0.}), makeVector({-1.}), makeVector({1.}));
    ASSERT_TRUE(solver.solve(sliding, z, w).converged());
    EXPECT_EQ(w(0), 0.);
  }
}

// The outputs of triggers, each of which sees its own output by positive feedback and those before it: the branch of
// each is kept until it ends.
TEST(DirectSolverOfRelays, KeepsTheBranchesOfTriggersUntilTheyEnd) {
  std::size_t switchings = 0;
  for (std::size_t seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    std::uniform_real_distribution<double> share(0.2, 1.);
    const std::size_t n = 1 + seed % 4;
    Matrix M(n, n);
    for (std::size_t i = 0; i < n; ++i) M(i, i) = -share(generator);
    for (std::size_t i = 1; i < n; ++i) M(i, i - 1) = seed % 2 == 0 ? 0. : 0.3 * share(generator);
    RelayProblem problem(M, Vector(n), filled(n, -1.), filled(n, 1.));
    const Vector a = 2. * randomVector(generator, n), b = 2. * randomVector(generator, n);
    DirectSolver direct;
    AutomaticBoxSolver automatic;
    Vector z = filled(n, -1.), chosen = z, branches = z, w;
    for (int step = 0; step < 400; ++step) {
      assign(turning(a, b, step), problem.q());
      for (std::size_t i = 0; i < n; ++i) {
        const double driven = problem.q()(i) + (i > 0 ? M(i, i - 1) * branches(i - 1) : 0.);
        if (branches(i) * (M(i, i) * branches(i) + driven) <= 0.) continue;
        branches(i) = -branches(i);
        ++switchings;
      }
      ASSERT_TRUE(direct.solve(problem, z, w).converged()) << "seed " << seed << ", step " << step;
      expectNear(z, branches, 0.);
      ASSERT_TRUE(automatic.solve(problem, chosen, w).converged()) << "seed " << seed << ", step " << step;
      expectNear(chosen, branches, 0.);
    }
  }
  EXPECT_GT(switchings, 200U);
}

// More than are remembered: the start is that of the last step.
TEST(AutomaticBoxSolver, KeepsTheBranchesOfManyTriggers) {
  const std::size_t n = 80;
  Matrix M(n, n);
  for (std::size_t i = 0; i < n; ++i) M(i, i) = -0.3 - 0.005 * static_cast<double>(i);
  for (std::size_t i = 1; i < n; ++i) M(i, i - 1) = 0.5;
  RelayProblem problem(M, Vector(n), filled(n, -1.), filled(n, 1.));
  AutomaticBoxSolver automatic;
  Vector z = filled(n, -1.), branches = z, w;
  std::size_t switchings = 0;
  for (int step = 0; step < 300; ++step) {
    assign(filled(n, 1.5 * std::sin(0.05 * step)), problem.q());
    for (std::size_t i = 0; i < n; ++i) {
      const double driven = problem.q()(i) + (i > 0 ? 0.5 * branches(i - 1) : 0.);
      if (branches(i) * (M(i, i) * branches(i) + driven) <= 0.) continue;
      branches(i) = -branches(i);
      ++switchings;
    }
    const SolveReport report = automatic.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << step << ": " << report.summary();
    EXPECT_EQ(report.solver, "BranchPathSolver");
    expectNear(z, branches, 0.);
  }
  EXPECT_GT(switchings, n);
}

TEST(DirectSolverOfRelays, DoesNotBeginBetweenTheThresholdsOfATrigger) {
  const RelayProblem trigger(makeMatrix({{-0.25}}), makeVector({0.1}), makeVector({-12.}), makeVector({12.}));
  DirectSolver direct;
  Vector z, w;
  ASSERT_TRUE(direct.solve(trigger, z, w).converged());
  EXPECT_EQ(std::abs(z(0)), 12.);
  // Two elements that drive each other: z = 0 is a solution as well.
  const RelayProblem latch(makeMatrix({{0., -1.}, {-1., 0.}}), Vector(2), filled(2, -1.), filled(2, 1.));
  z = Vector();
  DirectSolver other;
  ASSERT_TRUE(other.solve(latch, z, w).converged());
  EXPECT_EQ(std::abs(z(0)), 1.);
  EXPECT_EQ(z(0), z(1));
}

}  // namespace
