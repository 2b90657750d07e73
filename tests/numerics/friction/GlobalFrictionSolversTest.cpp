// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/friction/BlockDiagonalMass.hpp>
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSystem.hpp>
#include <delassus/numerics/friction/GlobalFrictionError.hpp>
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <support/RandomGlobalFriction.hpp>
#include <support/TestData.hpp>

namespace delassus::numerics {
namespace {

using test::Generator;
using test::GlobalFrictionShape;
using test::KnownGlobalFriction;
using test::randomGlobalFriction;

std::unique_ptr<GlobalFrictionContactSolver> make(std::string_view name, double tolerance = 1e-8) {
  for (const auto& entry : solversFor<GlobalFrictionContactProblem>()) {
    if (entry.name == name) return entry.make({.tolerance = tolerance});
  }
  throw Error("no solver of this name");
}

void expectSolves(GlobalFrictionContactSolver& solver, const GlobalFrictionContactProblem& problem) {
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

TEST_P(EveryGlobalSolver, KeepsASolutionThatItIsGiven) {
  Generator generator(4);
  const auto solver = make(GetParam());
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 20, .bodies = 20});
  Vector x = known.solution, u;
  const SolveReport report = solver->solve(known.problem, x, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  addScaled(-1., known.velocity, u);
  EXPECT_LT(normInf(u), 1e-6);
}

TEST_P(EveryGlobalSolver, SolvesAgainWithOtherVectors) {
  Generator generator(5);
  const auto solver = make(GetParam());
  KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 10, .bodies = 10});
  for (int repeat = 0; repeat < 5; ++repeat) {
    expectSolves(*solver, known.problem);
    for (double& component : known.problem.f().data()) component *= 1.1;
    for (double& component : known.problem.mu().data()) component *= 0.9;
  }
}

TEST_P(EveryGlobalSolver, SolvesWithoutContacts) {
  const SparseMatrix M = sparseFromDense(makeMatrix({{2., 1.}, {1., 3.}}));
  const GlobalFrictionContactProblem problem(3, M, sparseFromTriplets(2, 0, {}), makeVector({1., 2.}), {}, {});
  expectSolves(*make(GetParam()), problem);
}

TEST_P(EveryGlobalSolver, ReportsAMassThatIsNotPositiveDefinite) {
  const SparseMatrix M = sparseFromDense(makeMatrix({{-1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}));
  const SparseMatrix H = sparseFromDense(makeMatrix({{0., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}));
  const GlobalFrictionContactProblem problem(3, M, H, makeVector({1., -1., 2.}), makeVector({-1., 0., 0.}),
                                             makeVector({0.5}));
  Vector x, u;
  EXPECT_FALSE(make(GetParam())->solve(problem, x, u).converged());
}

TEST_P(EveryGlobalSolver, SolvesTheProblemsInFiles) {
  for (const std::filesystem::path& file : test::allProblems("global")) {
    SCOPED_TRACE(file);
    const GlobalFrictionContactProblem problem = readGlobalFriction(file);
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) expectSolves(*make(GetParam(), tolerance), problem);
  }
}

TEST(AutomaticGlobalFrictionSolver, SolvesHyperstaticProblemsInTwoAndThreeDimensions) {
  Generator generator(6);
  const auto solver = make("automatic");
  expectSolves(*solver, randomGlobalFriction(generator, {.dimension = 2, .contacts = 60, .bodies = 10}).problem);
  expectSolves(*solver, randomGlobalFriction(generator, {.contacts = 60, .bodies = 12}).problem);
}

// The whole system Ψ(v, P), away from kinks, where the entries of the Jacobian do not change branch.
TEST(GlobalAlartCurnierSystem, JacobianAgreesWithCentralDifferences) {
  Generator generator(7);
  for (const GlobalFrictionShape shape : {GlobalFrictionShape{.contacts = 9, .bodies = 4, .coupling = 0.5},
                                          GlobalFrictionShape{.dimension = 2, .contacts = 9, .bodies = 4}}) {
    const KnownGlobalFriction known = randomGlobalFriction(generator, shape);
    GlobalAlartCurnierSystem system;
    system.begin(known.problem);
    Vector x = test::randomVector(generator, known.problem.size());
    const Matrix J = toDense(system.jacobian(x, 0.));
    ASSERT_EQ(J.size1(), x.size());
    constexpr double h = 1e-6;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double kept = x(j);
      x(j) = kept + h;
      system.evaluate(x);
      const Vector ahead = system.value();
      x(j) = kept - h;
      system.evaluate(x);
      const Vector behind = system.value();
      x(j) = kept;
      // Rounding 1e-16/h and truncation h², times entries up to 10².
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(J(i, j), (ahead(i) - behind(i)) / (2. * h), 1e-6) << "entry (" << i << ", " << j << ")";
    }
  }
}

TEST(GlobalAlartCurnierSolver, GainsManyDigitsAStepInTheEnd) {
  Generator generator(8);
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 20, .bodies = 20});
  GlobalAlartCurnierOptions options;
  options.tolerance = 1e-13;
  GlobalAlartCurnierSolver solver(options);
  std::vector<double> history;
  solver.setObserver([&](std::size_t, double residual) { history.push_back(residual); });
  Vector x, u;
  const SolveReport report = solver.solve(known.problem, x, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  ASSERT_GE(history.size(), 3u);
  // What is observed is the residual before a step; alternating directions gain a factor of 10 at most.
  double best = 1.;
  for (std::size_t k = 1; k < history.size(); ++k) best = std::min(best, history[k] / history[k - 1]);
  EXPECT_LT(best, 1e-3);
}

TEST(ReductionSolver, UsesTheLocalSolverOfTheCaller) {
  EXPECT_THROW(ReductionSolver({}, nullptr), Error);
  Generator generator(8);
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 10, .bodies = 20});
  NonsmoothGaussSeidelOptions sweeps;
  sweeps.tolerance = 1e-12;
  sweeps.maxIterations = 1;
  Vector x, u;
  ReductionSolver one({}, std::make_unique<NonsmoothGaussSeidelSolver>(sweeps));
  EXPECT_EQ(one.solve(known.problem, x, u).iterations, 1u);
  sweeps.maxIterations = 10000;
  x.resize(0);
  ReductionSolver many({}, std::make_unique<NonsmoothGaussSeidelSolver>(sweeps));
  expectSolves(many, known.problem);
}

TEST(GlobalFrictionSolvers, StopAtTheirLimits) {
  Generator generator(9);
  const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 60, .bodies = 10});
  GlobalAdmmOptions few;
  few.tolerance = 1e-14;
  few.maxIterations = 3;
  GlobalAdmmSolver admm(few);
  Vector x, u;
  std::size_t observed = 0;
  admm.setObserver([&observed](std::size_t, double) { ++observed; });
  EXPECT_EQ(admm.solve(known.problem, x, u).status, SolveStatus::iterationLimit);
  EXPECT_EQ(observed, 3u);
  GlobalAlartCurnierSolver newton({.tolerance = 1e-14, .maxIterations = 5, .firstPhase = 2});
  x.resize(0);
  EXPECT_EQ(newton.solve(known.problem, x, u).status, SolveStatus::iterationLimit);
  admm.setTimeLimit(1e-9);
  x.resize(0);
  EXPECT_EQ(admm.solve(known.problem, x, u).status, SolveStatus::timeLimit);
}

TEST(GlobalFrictionSolvers, TakeTheEmptyProblem) {
  for (const auto& entry : solversFor<GlobalFrictionContactProblem>()) {
    Vector x, u;
    EXPECT_TRUE(entry.make({})->solve(GlobalFrictionContactProblem(), x, u).converged()) << entry.name;
  }
}

TEST(AutomaticGlobalFriction, ProvesWhereNoReactionKeepsContactsFromClosing) {
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
  EXPECT_EQ(make("automatic")->solve(problem, x, u).status, SolveStatus::infeasible);
}

TEST(BlockDiagonalMass, FindsAndInvertsTheBlocksOfBodies) {
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
}

TEST(GlobalFrictionSolvers, RefuseOptionsOutOfRange) {
  EXPECT_THROW(GlobalAdmmSolver({.tolerance = -1.}), Error);
  EXPECT_THROW(GlobalAdmmSolver({.penalty = 0.}), Error);
  EXPECT_THROW(GlobalAdmmSolver({.relaxation = 2.}), Error);
  EXPECT_THROW(GlobalAlartCurnierSolver({.maxIterations = 0}), Error);
  EXPECT_THROW(ReductionSolver({.tolerance = 0.}), Error);
}

}  // namespace
}  // namespace delassus::numerics
