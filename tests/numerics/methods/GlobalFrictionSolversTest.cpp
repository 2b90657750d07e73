// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <filesystem>
#include <support/Matchers.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/TestData.hpp>

namespace delassus::numerics {
namespace {

using test::expectError;
using test::expectNear;
using test::Generator;
using test::GlobalFrictionShape;
using test::KnownGlobalFriction;
using test::randomGlobalFriction;
using test::randomMatrix;
using test::randomPositiveDefinite;

std::unique_ptr<SolverOverSets> make(std::string_view name, double tolerance = 1e-8) {
  for (const auto& entry : solversFor<GlobalFrictionContactProblem>()) {
    if (entry.name == name) return entry.make({.tolerance = tolerance});
  }
  throw Error("no solver of this name");
}

void expectSolves(SolverOverSets& solver, const GlobalFrictionContactProblem& problem) {
  Vector x, u, again;
  const SolveReport report = solver.solve(problem, x, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LE(errorOf(problem, ErrorMeasure::scaled, x, again), solver.tolerance()) << solver.name();
}

class EveryGlobalSolver : public ::testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(ByName, EveryGlobalSolver,
                         ::testing::Values("automatic", "newton_alart_curnier", "admm", "reduction"),
                         [](const auto& named) { return std::string(named.param); });

// Not more contact forces than degrees of freedom, moderate friction: all methods must do these.
TEST_P(EveryGlobalSolver, SolvesWhatHasFullRank) {
  Generator generator(1);
  const auto solver = make(GetParam());
  for (const GlobalFrictionShape shape :
       {GlobalFrictionShape{.contacts = 1, .bodies = 1}, GlobalFrictionShape{.contacts = 10, .bodies = 10},
        GlobalFrictionShape{.dimension = 2, .contacts = 10, .bodies = 10},
        GlobalFrictionShape{.contacts = 40, .bodies = 40, .coupling = 1.},
        GlobalFrictionShape{.contacts = 200, .bodies = 200}}) {
    expectSolves(*solver, randomGlobalFriction(generator, shape).problem);
  }
}

TEST_P(EveryGlobalSolver, SolvesWhatIsHyperstatic) {
  Generator generator(2);
  const auto solver = make(GetParam());
  expectSolves(*solver, randomGlobalFriction(generator, {.contacts = 30, .bodies = 10}).problem);
  expectSolves(*solver, randomGlobalFriction(generator, {.contacts = 30, .bodies = 10, .coupling = 1.}).problem);
}

TEST_P(EveryGlobalSolver, ReachesTightTolerance) {
  Generator generator(3);
  expectSolves(*make(GetParam(), 1e-12), randomGlobalFriction(generator, {.contacts = 10, .bodies = 10}).problem);
}

TEST_P(EveryGlobalSolver, SolvesAgainWithOtherVectors) {
  Generator generator(5);
  const auto solver = make(GetParam());
  KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 10, .bodies = 10});
  Vector f = known.problem.f(), b = known.problem.b(), mu = known.problem.mu();
  for (int repeat = 0; repeat < 5; ++repeat) {
    expectSolves(*solver, known.problem);
    for (double& component : f.data()) component *= 1.1;
    for (double& component : b.data()) component *= 1.05;
    for (double& component : mu.data()) component *= 0.9;
    known.problem.setForces(f);
    known.problem.setFreeOutputs(b);
    known.problem.setFriction(mu);
  }
}

TEST_P(EveryGlobalSolver, SolvesWithoutContacts) {
  const SparseMatrix M = sparseFromDense(makeMatrix({{2., 1.}, {1., 3.}}));
  const GlobalFrictionContactProblem problem(3, M, sparseFromTriplets(2, 0, {}), makeVector({1., 2.}), {}, {});
  expectSolves(*make(GetParam()), problem);
}

TEST(GlobalFrictionContactProblem, RefusesAMassThatIsNotPositiveDefinite) {
  const SparseMatrix M = sparseFromDense(makeMatrix({{-1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}));
  const SparseMatrix H = sparseFromDense(makeMatrix({{0., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}));
  expectError(
      [&] {
        GlobalFrictionContactProblem(3, M, H, makeVector({1., -1., 2.}), makeVector({-1., 0., 0.}), makeVector({0.5}));
      },
      {"GlobalFrictionContactProblem: M", "not positive definite"});
}

TEST_P(EveryGlobalSolver, SolvesTheProblemsInFiles) {
  for (const std::filesystem::path& file : test::allProblems("global")) {
    SCOPED_TRACE(file);
    // Alternating directions alone go round on it, as they do on its local form.
    if (GetParam() == "admm" && file.stem() == "top_heavy_tower") continue;
    const GlobalFrictionContactProblem problem = readGlobalFriction(file);
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) expectSolves(*make(GetParam(), tolerance), problem);
  }
}

TEST(AutomaticGlobalSolver, SolvesHyperstaticProblemsInTwoAndThreeDimensions) {
  Generator generator(6);
  const auto solver = make("automatic");
  expectSolves(*solver, randomGlobalFriction(generator, {.dimension = 2, .contacts = 60, .bodies = 10}).problem);
  expectSolves(*solver, randomGlobalFriction(generator, {.contacts = 60, .bodies = 12}).problem);
}

// Bordered by the velocities, the systems have the same solutions as those with W made.
TEST(NewtonSystem, SolvesTheSameByFactorsAndByTheMatrix) {
  Generator generator(7);
  for (const GlobalFrictionShape shape : {GlobalFrictionShape{.contacts = 9, .bodies = 4, .coupling = 0.5},
                                          GlobalFrictionShape{.dimension = 2, .contacts = 9, .bodies = 4},
                                          GlobalFrictionShape{.contacts = 40, .bodies = 30}}) {
    const KnownGlobalFriction known = randomGlobalFriction(generator, shape);
    const GlobalFrictionContactProblem& byFactors = known.problem;
    GlobalFrictionContactProblem byMatrix = known.problem;
    ASSERT_TRUE(byMatrix.requireMatrix());
    ASSERT_FALSE(byFactors.hasMatrix());
    std::vector<Vector> answers;
    const std::size_t d = shape.dimension;
    const std::vector<Matrix> blocks{randomMatrix(generator, d, d), randomMatrix(generator, d, d),
                                     randomPositiveDefinite(generator, d)};
    for (const GlobalFrictionContactProblem* const problem :
         {&byFactors, static_cast<const GlobalFrictionContactProblem*>(&byMatrix)}) {
      NewtonSystem system;
      system.begin(*problem);
      for (std::size_t part = 0; part < problem->partCount(); ++part) {
        // Blocks that are 1, diagonal and full, in turn.
        if (part % 3 == 0) std::copy_n(data(blocks[0]), d * d, system.left(part));
        if (part % 3 == 1) {
          double* const left = system.diagonalLeft(part);
          for (std::size_t i = 0; i < d; ++i) left[i * (d + 1)] = 1. + static_cast<double>(i);
        }
        if (part % 2 == 0) std::copy_n(data(blocks[1]), d * d, system.right(part));
        std::copy_n(data(blocks[2]), d * d, system.local(part));
      }
      ASSERT_TRUE(system.factor());
      Vector x(problem->size());
      for (std::size_t i = 0; i < x.size(); ++i) x(i) = std::sin(1. + static_cast<double>(i));
      system.solve(data(x));
      answers.push_back(x);
    }
    // Blocks drawn at random may have conditions of some 10⁴, times those of M.
    expectNear(answers[0], answers[1], 1e-9 * std::max(1., normInf(answers[1])));
  }
}

TEST(AdmmNewtonSolver, GainsManyDigitsAStepInTheEndOfAGlobalProblem) {
  Generator generator(8);
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 20, .bodies = 20, .coupling = 1.});
  AdmmNewtonSolver solver({.tolerance = 1e-13});
  std::vector<double> history;
  solver.setObserver([&](std::size_t, double residual) { history.push_back(residual); });
  Vector r, u;
  const SolveReport report = solver.solve(known.problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_FALSE(known.problem.hasMatrix());
  ASSERT_GE(history.size(), 3u);
  // What is observed is the residual before a step; alternating directions gain a factor of 10 at most.
  double best = 1.;
  for (std::size_t k = 1; k < history.size(); ++k) best = std::min(best, history[k] / history[k - 1]);
  EXPECT_LT(best, 1e-3);
}

TEST(GlobalFrictionSolvers, StopAtTheirLimits) {
  Generator generator(9);
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 60, .bodies = 10});
  AdmmSolver admm({.tolerance = 1e-14, .maxIterations = 3});
  Vector x, u;
  std::size_t observed = 0;
  admm.setObserver([&observed](std::size_t, double) { ++observed; });
  EXPECT_EQ(admm.solve(known.problem, x, u).status, SolveStatus::iterationLimit);
  EXPECT_EQ(observed, 3u);
  AdmmNewtonSolver newton({.tolerance = 1e-14, .maxIterations = 5, .firstPhase = 2});
  x.resize(0);
  EXPECT_EQ(newton.solve(known.problem, x, u).status, SolveStatus::iterationLimit);
  admm.setTimeLimit(1e-9);
  x.resize(0);
  EXPECT_EQ(admm.solve(known.problem, x, u).status, SolveStatus::timeLimit);
}

TEST(AutomaticGlobalSolver, ProvesWhereNoReactionKeepsContactsFromClosing) {
  // A body of mass 1 between two walls that close: H r is the sum of opposite forces.
  const SparseMatrix M = sparseFromDense(identityMatrix(3));
  Matrix H(3, 6);
  for (std::size_t i = 0; i < 3; ++i) {
    H(i, i) = 1.;
    H(i, 3 + i) = i == 0 ? -1. : 1.;
  }
  Vector b(6);
  b(0) = b(3) = -0.5;
  const GlobalFrictionContactProblem problem(3, M, sparseFromDense(H), Vector(3), b, makeVector({0.3, 0.3}));
  Vector x, u;
  for (const auto name : {"automatic", "reduction"}) {
    x.resize(0);
    EXPECT_EQ(make(name)->solve(problem, x, u).status, SolveStatus::infeasible) << name;
  }
}

TEST(DiagonalBlocks, FindsAndInvertsTheBlocksOfBodies) {
  Generator generator(61);
  Matrix dense(5, 5);
  const Matrix first = test::randomSemidefinite(generator, 2, 2, 1.);
  const Matrix second = test::randomSemidefinite(generator, 3, 3, 1.);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (i < 2 && j < 2) dense(i, j) = first(i, j);
      dense(2 + i, 2 + j) = second(i, j);
    }
  }
  const SparseMatrix M = sparseFromDense(dense);
  EXPECT_EQ(diagonalBlockEnds(M), (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(largestDiagonalBlock(M), 3U);
  std::vector<Matrix> inverses;
  ASSERT_TRUE(invertDiagonalBlocks(M, inverses));
  Matrix product(3, 3);
  multiply(1., second, inverses[1], 0., product);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(product(i, j), i == j ? 1. : 0., 1e-13);
  }
  dense(0, 0) = -1.;
  EXPECT_FALSE(invertDiagonalBlocks(sparseFromDense(dense), inverses));
  // Entries of one triangle alone join blocks, too.
  EXPECT_EQ(diagonalBlockEnds(sparseFromTriplets(3, 3, {{0, 0, 1.}, {1, 1, 1.}, {2, 2, 1.}, {0, 2, 1e-12}})),
            (std::vector<std::size_t>{3}));
  EXPECT_EQ(diagonalBlockEnds(sparseFromTriplets(3, 3, {{0, 0, 1.}, {1, 1, 1.}, {2, 2, 1.}, {2, 1, 1e-12}})),
            (std::vector<std::size_t>{1, 3}));
}

}  // namespace
}  // namespace delassus::numerics
