// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>
#include <delassus/numerics/distributed/Distribution.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::numerics;
using namespace delassus::test;

DistributedGaussSeidelOptions optionsTo(double tolerance) {
  DistributedGaussSeidelOptions options;
  options.tolerance = tolerance;
  return options;
}

// The answer of all ranks, certified by the measure of one process.
void expectSolvesWhole(const Ranks& ranks, const FrictionContactProblem& whole, const Distribution& distribution,
                       const Vector& part, double tolerance) {
  const Vector r = distribution.gather(part);
  if (!ranks.isFirst()) return;
  Vector u;
  EXPECT_LE(errorOf(whole, ErrorMeasure::scaled, r, u), tolerance * (1. + 1e-9));
}

void expectSolves(AnySolver<FrictionContactProblem>& solver, const FrictionContactProblem& whole,
                  const Distribution& distribution) {
  Vector r, u;
  const SolveReport report = solver.solve(distribution.problem(), r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  expectSolvesWhole(distribution.W()->ranks(), whole, distribution, r, solver.tolerance());
}

TEST(DistributedGaussSeidel, SolvesWhatOneProcessCertifies) {
  const Ranks ranks;
  Generator generator(3);
  std::vector<FrictionContactProblem> problems{assembled(sphereLattice(6, 6, 4, 0.5)),
                                               assembled(sphereLattice(12, 12, 1, 0.3))};
  for (const std::size_t dimension : {2U, 3U}) {
    problems.push_back(
        assembled(randomMovingBodies(generator, {.dimension = dimension, .contacts = 60, .bodies = 60})));
  }
  for (const FrictionContactProblem& whole : problems) {
    const Distribution distribution(ranks, &whole);
    DistributedGaussSeidelSolver solver(distribution.W(), optionsTo(1e-6));
    expectSolves(solver, whole, distribution);
    EXPECT_GE(solver.colours(), ranks.size() > 1 ? 2U : 0U);
  }
}

TEST(DistributedGaussSeidel, NeedsAboutAsManySweepsOnAnyNumberOfRanks) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(8, 8, 4, 0.5));
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-6;
  options.momentum = true;
  Vector r, u;
  const std::size_t ofOne = NonsmoothGaussSeidelSolver(options).solve(whole, r, u).iterations;
  const Distribution distribution(ranks, &whole);
  r = {};
  const SolveReport report =
      DistributedGaussSeidelSolver(distribution.W(), optionsTo(1e-6)).solve(distribution.problem(), r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  // Another order of contacts changes the number by some tens of percent; checks come every 60 sweeps.
  EXPECT_LT(report.iterations, 2 * ofOne + 60);
}

// With contacts in one group, none of which rests, the sweeps are the same.
TEST(DistributedGaussSeidel, GivesOnOneRankWhatTheLibraryGives) {
  const Ranks all;
  if (all.size() > 1) GTEST_SKIP() << "for one rank";
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 4, 0.5));
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-6;
  options.momentum = true;
  Vector expected, r, u;
  NonsmoothGaussSeidelSolver(options).solve(whole, expected, u);
  const Distribution distribution(all, &whole);
  DistributedGaussSeidelOptions same = optionsTo(1e-6);
  same.errorInterval = options.errorInterval;
  const SolveReport report = DistributedGaussSeidelSolver(distribution.W(), same).solve(distribution.problem(), r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  expectNear(r, expected, 1e-9);
}

TEST(DistributedGaussSeidel, GivesTheSameBitsOnAsManyRanks) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 4, 0.5));
  Vector first, second, u;
  const Distribution distribution(ranks, &whole);
  for (Vector* const r : {&first, &second}) {
    DistributedGaussSeidelSolver(distribution.W(), optionsTo(1e-6)).solve(distribution.problem(), *r, u);
  }
  EXPECT_EQ(first.data(), second.data());
}

TEST(DistributedGaussSeidel, FollowsNewValuesOfQAndMu) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(4, 4, 3, 0.5));
  const Distribution distribution(ranks, &whole);
  FrictionContactProblem problem = distribution.problem();
  DistributedGaussSeidelSolver solver(distribution.W(), optionsTo(1e-6));
  Vector r, u;
  EXPECT_TRUE(solver.solve(problem, r, u).converged());
  for (double& entry : problem.q()) entry *= 2.;
  problem.setFriction(Vector(problem.contacts(), 0.2));
  EXPECT_TRUE(solver.solve(problem, r, u).converged());
}

// All at the same time: a limit that one rank alone would see would leave the others waiting.
TEST(DistributedGaussSeidel, EndsAtATimeLimitOnAllRanks) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(8, 8, 6, 0.5));
  const Distribution distribution(ranks, &whole);
  DistributedGaussSeidelOptions options = optionsTo(1e-14);
  options.maxIterations = 1000000;
  DistributedGaussSeidelSolver solver(distribution.W(), options);
  solver.setTimeLimit(0.005);
  Vector r, u;
  EXPECT_EQ(solver.solve(distribution.problem(), r, u).status, SolveStatus::timeLimit);
}

TEST(DistributedGaussSeidel, TakesProblemsOfItsOperatorAlone) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(3, 3, 2, 0.5));
  const Distribution one(ranks, &whole), other(ranks, &whole);
  DistributedGaussSeidelSolver solver(one.W());
  Vector r, u;
  const SolveReport report = solver.solve(other.problem(), r, u);
  EXPECT_EQ(report.status, SolveStatus::unsupported);
  expectError([] { DistributedGaussSeidelSolver(nullptr); }, {"DistributedGaussSeidelSolver", "null"});
}

// Each contact feels the one before, and not the other way round.
TEST(DistributedGaussSeidel, SolvesAChainThatCouplesOneWay) {
  const Ranks ranks;
  constexpr std::size_t contacts = 12;
  BlockSparseMatrix W;
  for (std::size_t k = 0; k < contacts; ++k) {
    W.beginRow(2);
    if (k > 0) W.addBlock(k - 1);
    W.addBlock(k);
  }
  W.finish();
  for (std::size_t k = 0; k < contacts; ++k) {
    double* const block = W.block(W.rowEnd(k) - 1);
    block[0] = block[3] = 2.;
    if (k > 0) W.block(W.rowBegin(k))[0] = 0.7;
  }
  W.touch();
  const FrictionContactProblem whole(2, std::move(W), Vector(2 * contacts, -1.), Vector(contacts, 0.5));
  const Distribution distribution(ranks, &whole);
  DistributedGaussSeidelSolver solver(distribution.W(), optionsTo(1e-10));
  expectSolves(solver, whole, distribution);
}

// Of a contact that moves nothing W has no row; it stays open, or has no answer.
TEST(DistributedGaussSeidel, LeavesContactsThatMoveNothing) {
  const Ranks ranks;
  const auto own = ranks.rank();
  const std::vector<DistributedDelassus::Row> rows{{}, {{3 * own + 1}, {2., 0., 0., 3.}}, {}};
  const auto W = std::make_shared<const DistributedDelassus>(ranks, 2, rows);
  const FrictionContactProblem problem(2, W, makeVector({1., 0., -1., 0.2, 1., 0.}), Vector(3, 0.5));
  DistributedGaussSeidelSolver solver(W, optionsTo(1e-10));
  Vector r, u;
  const SolveReport report = solver.solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_GT(r(2), 0.4);
  EXPECT_EQ(r(0), 0.);
}

// A chain that went on after an error of one rank would leave the others waiting for it.
TEST(FallbackChain, EndsWithTheErrorOfAMemberWhereRanksHaveParts) {
  class Failing final : public Solver<FrictionContactProblem> {
   public:
    std::string_view name() const override { return "Failing"; }
    double tolerance() const override { return 1e-8; }

   private:
    Outcome compute(const FrictionContactProblem&, Vector&) override { throw Error("Failing", "always."); }
  };
  class Chain final : public TableSolver<FrictionContactProblem, Chain> {
   public:
    Chain() : TableSolver("Chain", 1e-8) {}
    static Tables tables() {
      static constexpr Line lines[] = {{"failing", [](const Self&) -> Member { return std::make_unique<Failing>(); }}};
      static constexpr Table all[] = {lines};
      return all;
    }
  };
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(3, 3, 2, 0.5));
  const Distribution distribution(ranks, &whole);
  Vector r, u;
  if (ranks.size() > 1) {
    EXPECT_THROW(Chain().solve(distribution.problem(), r, u), Error);
  } else {
    EXPECT_EQ(Chain().solve(distribution.problem(), r, u).status, SolveStatus::numericalFailure);
  }
}

TEST(AcceleratedGradient, SolvesOverRanksAsItDoesInOneProcess) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 4, 0.5));
  const Distribution distribution(ranks, &whole);
  AcceleratedGradientSolver solver({.tolerance = 1e-4, .maxIterations = 20000});
  expectSolves(solver, whole, distribution);
}

TEST(FrictionSolvers, ThatNeedAMatrixSayThatRanksHaveNone) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(3, 3, 2, 0.5));
  const Distribution distribution(ranks, &whole);
  Vector r, u;
  EXPECT_EQ(AdmmNewtonSolver().solve(distribution.problem(), r, u).status, SolveStatus::unsupported);
}

}  // namespace
