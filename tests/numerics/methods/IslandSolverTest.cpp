// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/Config.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <support/ExtendedResiduals.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomMechanical.hpp>
#include <support/ThreadNumber.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::unique_ptr<SolverOverSets> automatic(double tolerance) {
  return std::make_unique<AutomaticFrictionSolver>(tolerance);
}

// Problems that do not touch each other as one: contact i of problem p is number p + i · (number of problems) as long
// as all have so many, so that islands lie scattered.
FrictionContactProblem sideBySide(const std::vector<FrictionContactProblem>& problems) {
  const std::size_t d = problems.front().dimension();
  std::vector<std::pair<std::size_t, std::size_t>> places;  // problem, contact
  std::vector<std::vector<std::size_t>> numbers(problems.size());
  for (std::size_t i = 0;; ++i) {
    const std::size_t before = places.size();
    for (std::size_t p = 0; p < problems.size(); ++p) {
      if (i >= problems[p].contacts()) continue;
      numbers[p].push_back(places.size());
      places.emplace_back(p, i);
    }
    if (places.size() == before) break;
  }
  BlockSparseMatrix W;
  for (const auto& [p, i] : places) {
    W.beginRow(d);
    const BlockSparseMatrix& own = problems[p].matrix();
    for (std::size_t k = own.rowBegin(i); k < own.rowEnd(i); ++k) W.addBlock(numbers[p][own.column(k)]);
  }
  W.finish();
  Vector q(d * places.size()), mu(places.size());
  std::size_t block = 0;
  for (std::size_t contact = 0; contact < places.size(); ++contact) {
    const auto [p, i] = places[contact];
    const BlockSparseMatrix& own = problems[p].matrix();
    for (std::size_t k = own.rowBegin(i); k < own.rowEnd(i); ++k) std::copy_n(own.block(k), d * d, W.block(block++));
    for (std::size_t row = 0; row < d; ++row) q(d * contact + row) = problems[p].q()(d * i + row);
    mu(contact) = problems[p].mu()(i);
  }
  W.touch();
  return {d, std::move(W), q, mu};
}

std::vector<FrictionContactProblem> randomProblems(Generator& generator, std::size_t count) {
  std::vector<FrictionContactProblem> problems;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t contacts = 1 + 3 * k % 20;
    problems.push_back(assembled(randomMovingBodies(generator, {.contacts = contacts, .bodies = 1 + contacts / 3})));
  }
  return problems;
}

TEST(IslandSolver, SolvesProblemsThatDoNotTouchEachOther) {
  Generator generator(7);
  for (int trial = 0; trial < 10; ++trial) {
    const FrictionContactProblem problem = sideBySide(randomProblems(generator, 40));
    Vector r, u;
    const SolveReport report = IslandSolver(automatic).solve(problem, r, u);
    ASSERT_TRUE(report.converged()) << trial << ": " << report.summary();
    EXPECT_LE(extendedResidual(problem, r), 1e-8L) << trial;
  }
}

TEST(IslandSolver, GivesEachIslandTheAnswerThatItHasByItself) {
  Generator generator(8);
  const std::vector<FrictionContactProblem> problems = randomProblems(generator, 12);
  const FrictionContactProblem problem = sideBySide(problems);
  Vector r, u;
  ASSERT_TRUE(IslandSolver(automatic).solve(problem, r, u).converged());
  // Contact 0 of problem p is number p; the reactions of one contact on its own body are unique.
  Vector own, velocity;
  ASSERT_EQ(problems[0].contacts(), 1U);
  ASSERT_TRUE(AutomaticFrictionSolver(0.96e-8).solve(problems[0], own, velocity).converged());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(r(i), own(i)) << i;
}

TEST(IslandSolver, GivesTheSameBitsOnAnyNumberOfThreads) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  Generator generator(9);
  std::vector<FrictionContactProblem> problems = randomProblems(generator, 50);
  // Large enough that its sweeps share their contacts among threads, too.
  problems.push_back(assembled(sphereLattice(12, 12, 3, 0.4)));
  const FrictionContactProblem problem = sideBySide(problems);
  Vector one, u;
  const SolveReport alone = IslandSolver(automatic, {.tolerance = 1e-6}).solve(problem, one, u);
  ASSERT_TRUE(alone.converged()) << alone.summary();
  for (const std::size_t threads : {2U, 4U}) {
    const ThreadNumber several(threads);
    Vector r;
    const SolveReport report = IslandSolver(automatic, {.tolerance = 1e-6}).solve(problem, r, u);
    EXPECT_EQ(report.iterations, alone.iterations);
    for (std::size_t i = 0; i < r.size(); ++i) ASSERT_EQ(r(i), one(i)) << threads << " threads, row " << i;
  }
}

TEST(IslandSolver, LeavesIslandsAsTheyAreThatAreSolved) {
  Generator generator(10);
  const FrictionContactProblem problem = sideBySide(randomProblems(generator, 20));
  Vector r, u;
  IslandSolver solver(automatic);
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  const Vector solved = r;
  r(0) += 1.;  // of contact 0, which is the first island by itself
  const SolveReport report = solver.solve(problem, r, u);
  ASSERT_TRUE(report.converged()) << report.summary();
  for (std::size_t i = 3; i < r.size(); ++i) ASSERT_EQ(r(i), solved(i)) << i;
  // Ten times the tolerance, since W of one contact of a body is well conditioned.
  EXPECT_NEAR(r(0), solved(0), 1e-7 * std::abs(solved(0)));
}

TEST(IslandSolver, TakesReactionsAwayWhereNothingMoves) {
  Generator generator(15);
  std::vector<FrictionContactProblem> problems = randomProblems(generator, 12);
  setZero(problems[3].q());
  FrictionContactProblem problem = sideBySide(problems);
  Vector r(problem.size()), u;
  for (std::size_t i = 0; i < r.size(); ++i) r(i) = i % 3 == 0 ? 1. : 0.;
  SolveReport report = IslandSolver(automatic).solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << "one island: " << report.summary();
  EXPECT_LE(extendedResidual(problem, r), 1e-8L);
  setZero(problem.q());
  for (std::size_t i = 0; i < r.size(); ++i) r(i) = i % 3 == 0 ? 1. : 0.;
  report = IslandSolver(automatic).solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << "all islands: " << report.summary();
}

// In their own measure, which counts energies, and adds up over islands as that of contacts does.
TEST(IslandSolver, SolvesMechanismsThatDoNotTouchEachOther) {
  Generator generator(16);
  const IslandSolver::MakeSolver make = [](double tolerance) {
    return std::make_unique<AutomaticMechanicalSolver>(AutomaticMechanicalOptions{.tolerance = tolerance});
  };
  for (const std::size_t count : {3U, 12U, 50U}) {
    const GenericMechanicalProblem problem = randomMechanisms(generator, count);
    Vector lambda, w;
    const SolveReport report = IslandSolver(make, {.largestIsland = 0.7}).solve(problem, lambda, w);
    ASSERT_TRUE(report.converged()) << count << ": " << report.summary();
    EXPECT_LE(extendedResidual(problem, lambda), 1e-8L) << count;
    lambda.resize(0);
    const SolveReport chosen = AutomaticMechanicalSolver().solve(problem, lambda, w);
    EXPECT_TRUE(chosen.converged()) << chosen.summary();
    EXPECT_EQ(chosen.solver, "IslandSolver");
  }
}

// Rows that nothing forces, of boxes that do not contain 0.
TEST(IslandSolver, SolvesIslandsWithoutData) {
  Matrix W(3, 3);
  for (std::size_t i = 0; i < 3; ++i) W(i, i) = 1.;
  const std::vector<Part> parts{Part::box(1), Part::box(1), Part::equality(1)};
  const GenericMechanicalProblem problem(W, makeVector({0., -2., 0.}), parts, makeVector({0.5, 0., 0.}),
                                         makeVector({1., 1., 0.}));
  const IslandSolver::MakeSolver make = [](double tolerance) {
    return std::make_unique<AutomaticMechanicalSolver>(AutomaticMechanicalOptions{.tolerance = tolerance});
  };
  Vector lambda(3), w;
  lambda(2) = 1e-3;  // of an equality that is met by 0
  const SolveReport report = IslandSolver(make).solve(problem, lambda, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  expectNear(lambda, makeVector({0.5, 1., 0.}), 1e-8);
}

TEST(IslandSolver, NeedsToBeToldHowIslandsAreSolved) {
  expectError([] { IslandSolver({}); }, {"IslandSolver", "empty"});
  Generator generator(17);
  const GenericMechanicalProblem problem = randomMechanisms(generator, 3);
  IslandSolver without([](double) { return nullptr; });
  Vector lambda, w;
  expectError([&] { without.solve(problem, lambda, w); }, {"IslandSolver", "gave none"});
}

// Two walls that close upon a body have no solution, beside islands that have one.
TEST(IslandSolver, SaysThatThereIsNoSolutionWhereAnIslandHasNone) {
  Matrix W(6, 6);
  for (std::size_t i = 0; i < 6; ++i) W(i, i) = 1.;
  W(0, 3) = W(3, 0) = -1.;
  const FrictionContactProblem walls(3, W, makeVector({-0.5, 0., 0., -0.5, 0., 0.}), makeVector({0.3, 0.3}));
  Generator generator(11);
  std::vector<FrictionContactProblem> problems = randomProblems(generator, 10);
  problems.push_back(assembled(walls));
  Vector r, u;
  const SolveReport report = IslandSolver(automatic).solve(sideBySide(problems), r, u);
  EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
  r.resize(0);
  EXPECT_EQ(AutomaticFrictionSolver().solve(sideBySide(problems), r, u).status, SolveStatus::infeasible);
}

TEST(IslandSolver, DoesNotTakeAProblemOfWhichOneIslandHasMost) {
  Generator generator(12);
  std::vector<FrictionContactProblem> problems = randomProblems(generator, 3);
  problems.push_back(assembled(randomMovingBodies(generator, {.contacts = 40, .bodies = 10})));
  const FrictionContactProblem problem = sideBySide(problems);
  Vector r, u;
  const SolveReport refused = IslandSolver(automatic, {.largestIsland = 0.5}).solve(problem, r, u);
  EXPECT_EQ(refused.status, SolveStatus::unsupported);
  EXPECT_EQ(refused.reason, "one island has most parts");
  EXPECT_TRUE(IslandSolver(automatic).solve(problem, r, u).converged()) << "all are taken by default";
  expectError([] { IslandSolver(automatic, {.tolerance = 0.}); }, {"IslandSolver", "tolerance"});
}

TEST(IslandSolver, StopsAtItsTimeLimitWithWhatItHas) {
  std::vector<FrictionContactProblem> problems(3, assembled(sphereLattice(10, 10, 10, 0.4)));
  const FrictionContactProblem problem = sideBySide(problems);
  IslandSolver solver(automatic, {.tolerance = 1e-13});
  solver.setTimeLimit(0.3);
  Vector r, u;
  const SolveReport report = solver.solve(problem, r, u);
  EXPECT_EQ(report.status, SolveStatus::timeLimit) << report.summary();
  EXPECT_LT(report.error, 1.) << "better than no reactions at all";
}

TEST(IslandSolver, GoesOnAfterACheckpointAsItWould) {
  Generator generator(13);
  FrictionContactProblem problem = sideBySide(randomProblems(generator, 40));
  IslandSolver solver(automatic), restored(automatic);
  Vector r, u;
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  MemoryArchive saved;
  solver.serializeState(saved);
  MemoryArchive read(saved.bytes());
  restored.serializeState(read);
  EXPECT_TRUE(read.isAtEnd());
  for (double& entry : problem.q().data()) entry *= 0.9;
  Vector same = r;
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  ASSERT_TRUE(restored.solve(problem, same, u).converged());
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(r(i), same(i)) << i;
}

// Sweeps do not reach 1e-10 here in time; the factor of the whole would have all contacts.
TEST(AutomaticFrictionSolver, SolvesIslandsByThemselvesWhereSweepsDoNotSuffice) {
  Generator generator(14);
  std::vector<FrictionContactProblem> problems;
  for (int k = 0; k < 20; ++k) {
    problems.push_back(assembled(randomMovingBodies(generator, {.contacts = 12, .bodies = 3})));
  }
  const FrictionContactProblem problem = sideBySide(problems);
  AutomaticFrictionSolver solver(1e-10);
  Vector r, u;
  const SolveReport report = solver.solve(problem, r, u);
  ASSERT_TRUE(report.converged()) << report.summary();
  EXPECT_EQ(report.solver, "IslandSolver");
  EXPECT_LE(extendedResidual(problem, r), 1e-10L);
}

}  // namespace
