// SPDX-License-Identifier: Apache-2.0
//
// What every solver of the local form must guarantee, and the random families for which each is made.
#include <gtest/gtest.h>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

#include <array>
#include <limits>
#include <string>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::unique_ptr<SolverOverSets> makeSolver(std::string_view name, const SolverSettings& settings = {}) {
  for (const auto& entry : solversFor<FrictionContactProblem>()) {
    if (entry.name == name) return entry.make(settings);
  }
  return nullptr;
}

std::vector<std::string> allNames() {
  std::vector<std::string> names;
  for (const auto& entry : solversFor<FrictionContactProblem>()) names.emplace_back(entry.name);
  return names;
}

bool isFor2D(const std::string& name) {
  return name.ends_with("_2d");
}

class EveryFrictionSolver : public testing::TestWithParam<std::string> {
 protected:
  std::size_t dimension() const { return isFor2D(GetParam()) ? 2 : 3; }
};

TEST_P(EveryFrictionSolver, LeavesContactsThatSeparate) {
  const std::size_t d = dimension();
  Vector q(2 * d);
  q(0) = 1.;
  q(1) = 5.;
  q(d) = 0.1;
  const FrictionContactProblem problem(d, identityMatrix(2 * d), q, makeVector({0.5, 0.5}));
  Vector r, u;
  const SolveReport report = makeSolver(GetParam())->solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LT(norm2(r), 1e-6);
}

TEST_P(EveryFrictionSolver, NeverClaimsWhatTheCertificateDenies) {
  Generator generator(32);
  for (int k = 0; k < 5; ++k) {
    // One body wedged by six contacts: solvable, but hard.
    const FrictionContactProblem problem = assembled(
        randomKnownContacts(generator, {.dimension = dimension(), .contacts = 6, .bodies = 1, .mostFriction = 3.})
            .problem);
    Vector r, u;
    const auto solver = makeSolver(GetParam(), {1e-8, 30});
    const SolveReport report = solver->solve(problem, r, u);
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, r, u));
    EXPECT_EQ(report.converged(), report.error <= 1e-8);
    EXPECT_TRUE(allFinite(r));
  }
}

TEST_P(EveryFrictionSolver, SaysThatAClosingGapThatNothingCanOpenIsNotSolved) {
  // W = 0 and u_N = −1: no reaction changes it.
  const std::size_t d = dimension();
  Vector q(d);
  q(0) = -1.;
  const FrictionContactProblem problem(d, Matrix(d, d), q, makeVector({0.5}));
  Vector r, u;
  const SolveReport report = makeSolver(GetParam(), {1e-8, 100})->solve(problem, r, u);
  EXPECT_FALSE(report.converged());
  EXPECT_GT(report.error, 0.1);
  const bool proves =
      GetParam() == "automatic" || GetParam() == "islands" || GetParam() == "frictionless" || GetParam() == "lemke_2d";
  EXPECT_EQ(report.status == SolveStatus::infeasible, proves) << report.summary();
}

TEST(AlartCurnierNewton, NamesItselfWhereItsOptionsMakeNoSense) {
  expectError([] { NewtonSolver({.tolerance = -1., .function = NewtonFunction::alartCurnier}); },
              {"AlartCurnierNewtonSolver", "tolerance"});
}

TEST_P(EveryFrictionSolver, MayBeUsedForOneProblemAfterAnother) {
  const auto solver = makeSolver(GetParam(), {1e-6, 2000});
  Generator generator(34);
  for (const auto& [d, contacts, bodies] : {std::array{2, 30, 60}, std::array{3, 30, 60}, std::array{2, 30, 60},
                                            std::array{3, 2, 4}, std::array{3, 0, 1}, std::array{2, 5, 9}}) {
    const ContactSetup setup{static_cast<std::size_t>(d), static_cast<std::size_t>(contacts),
                             static_cast<std::size_t>(bodies), 0.1, 2.};
    const FrictionContactProblem problem = assembled(randomMovingBodies(generator, setup));
    Vector r, u;
    const SolveReport report = solver->solve(problem, r, u);
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, r, u));
    // A copy elsewhere, with the same stamp.
    const FrictionContactProblem copy(problem.dimension(), *problem.W().matrix(), problem.q(), problem.mu());
    Vector again;
    solver->solve(copy, again, u);
    EXPECT_TRUE(allFinite(again));
  }
  Vector r, u;
  EXPECT_EQ(solver->solve(FrictionContactProblem(), r, u).error, 0.);
}

TEST_P(EveryFrictionSolver, TakesMatricesWithoutDiagonalBlocksOrMirrors) {
  const std::size_t d = dimension();
  BlockSparseMatrix W;
  W.beginRow(d);
  W.addBlock(0);
  W.addBlock(1);
  W.beginRow(d);
  W.finish();
  for (std::size_t i = 0; i < d; ++i) W.block(0)[i * (d + 1)] = 1.;
  W.block(1)[0] = 1e-14;
  W.touch();
  Vector q(2 * d);
  q(0) = -1.;
  q(d) = 1.;
  const FrictionContactProblem problem(d, W, q, makeVector({0.5, 0.5}));
  Vector r, u;
  const SolveReport report = makeSolver(GetParam())->solve(problem, r, u);
  EXPECT_TRUE(report.converged() || report.status == SolveStatus::unsupported) << report.summary();
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryFrictionSolver, testing::ValuesIn(allNames()),
                         [](const auto& instance) { return instance.param; });

// Every solver must solve these: symmetric positive semidefinite W, moderate friction.
class RobustFrictionSolver : public testing::TestWithParam<const char*> {};

TEST_P(RobustFrictionSolver, SolvesHyperstaticProblems) {
  Generator generator(33);
  for (const std::size_t dimension : {2U, 3U}) {
    const FrictionContactProblem problem = assembled(randomMovingBodies(
        generator, {.dimension = dimension, .contacts = 40, .bodies = 5, .leastFriction = 0.2, .mostFriction = 0.8}));
    Vector r, u;
    const SolveReport report = makeSolver(GetParam(), {1e-6, 0})->solve(problem, r, u);
    EXPECT_TRUE(report.converged()) << report.summary();
  }
}

TEST_P(RobustFrictionSolver, SolvesAPileOfSpheres) {
  const FrictionContactProblem problem = assembled(sphereLattice(4, 4, 3, 0.5));
  Vector r, u;
  const SolveReport report = makeSolver(GetParam(), {1e-6, 0})->solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RobustFrictionSolver,
                         testing::Values("automatic", "nsgs_momentum", "admm", "admm_newton", "newton_natural_map"),
                         [](const auto& instance) { return std::string(instance.param); });

struct Family {
  const char* name;
  double bodiesPerContact;
  double leastFriction, mostFriction;
};

class AutomaticFriction : public testing::TestWithParam<Family> {};

TEST_P(AutomaticFriction, SolvesProblemsWithKnownAnswersTo1e10) {
  for (const std::size_t dimension : {2U, 3U}) {
    for (const std::size_t contacts : {1U, 4U, 20U, 100U}) {
      for (const bool degenerate : {false, true}) {
        Generator generator(100 * contacts + dimension);
        ContactSetup setup{dimension, contacts, 1, GetParam().leastFriction, GetParam().mostFriction};
        setup.bodies = std::max<std::size_t>(
            1, static_cast<std::size_t>(GetParam().bodiesPerContact * static_cast<double>(contacts)));
        const FrictionContactProblem problem = assembled(randomKnownContacts(generator, setup, degenerate).problem);
        AutomaticFrictionSolver solver(1e-10);
        Vector r, u;
        const SolveReport report = solver.solve(problem, r, u);
        EXPECT_TRUE(report.converged()) << dimension << "D, " << contacts << " contacts: " << report.summary();
      }
    }
  }
}

TEST_P(AutomaticFriction, SolvesWhatMovingBodiesAsk) {
  for (const std::size_t dimension : {2U, 3U}) {
    for (const std::size_t contacts : {1U, 4U, 20U, 100U}) {
      Generator generator(100 * contacts + dimension);
      ContactSetup setup{dimension, contacts, 1, GetParam().leastFriction, GetParam().mostFriction};
      setup.bodies = std::max<std::size_t>(
          1, static_cast<std::size_t>(GetParam().bodiesPerContact * static_cast<double>(contacts)));
      const FrictionContactProblem problem = assembled(randomMovingBodies(generator, setup));
      AutomaticFrictionSolver solver(1e-10);
      Vector r, u;
      const SolveReport report = solver.solve(problem, r, u);
      EXPECT_TRUE(report.converged()) << dimension << "D, " << contacts << " contacts: " << report.summary();
    }
  }
}

// Full rank, rank deficient and hyperstatic W. Friction above 1 on hyperstatic W, where bodies wedge, is left out:
// there no method known solves all.
INSTANTIATE_TEST_SUITE_P(Families, AutomaticFriction,
                         testing::Values(Family{"FrictionlessFullRank", 3., 0., 0.},
                                         Family{"FrictionlessHyperstatic", 0.2, 0., 0.},
                                         Family{"FullRank", 3., 0.1, 0.9},
                                         Family{"AsManyBodiesAsContacts", 1., 0.1, 0.9},
                                         Family{"Hyperstatic", 0.2, 0.1, 0.9}, Family{"MixedFriction", 1., 0., 1.}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(SweepRound, SolvesALatticeAndOtherwiseGivesTheBestOfItsAnswers) {
  const FrictionContactProblem problem = assembled(sphereLattice(8, 8, 4, 0.5));
  Vector r, u;
  EXPECT_TRUE(SweepRound(1e-6).solve(problem, r, u).converged());
  // Nothing comes to 1e-17; 3000 sweeps come far below 1e-6.
  Vector nearest;
  const SolveReport report = SweepRound(1e-17).solve(problem, nearest, u);
  EXPECT_FALSE(report.converged());
  EXPECT_LE(report.error, 1e-8);
  EXPECT_NEAR(errorOf(problem, ErrorMeasure::scaled, nearest, u), report.error, 1e-15);
}

TEST(AutomaticFriction, SolvesFrictionOf10WhereBodiesCanMove) {
  for (const std::size_t dimension : {2U, 3U}) {
    Generator generator(40);
    const FrictionContactProblem problem = assembled(randomMovingBodies(
        generator, {.dimension = dimension, .contacts = 20, .bodies = 40, .leastFriction = 10., .mostFriction = 10.}));
    Vector r, u;
    AutomaticFrictionSolver solver;
    const SolveReport report = solver.solve(problem, r, u);
    EXPECT_TRUE(report.converged()) << report.summary();
  }
}

TEST(AutomaticFriction, ProvesWhereNoReactionKeepsContactsFromClosing) {
  // A sphere between two walls that close: the normal reactions balance each other whatever their size.
  for (const std::size_t d : {2U, 3U}) {
    Matrix W(2 * d, 2 * d);
    for (std::size_t i = 0; i < d; ++i) {
      W(i, i) = W(d + i, d + i) = 1.;
      W(i, d + i) = W(d + i, i) = i == 0 ? -1. : 1.;
    }
    Vector q(2 * d);
    q(0) = q(d) = -0.5;
    const FrictionContactProblem problem(d, W, q, makeVector({0.3, 0.3}));
    AutomaticFrictionSolver solver;
    Vector r, u;
    const SolveReport report = solver.solve(problem, r, u);
    EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
  }
}

TEST(AutomaticFriction, ClaimsNoProofWhereTangentialReactionsCanOpenContacts) {
  // The normals of the first two contacts nearly face each other; the third one's friction opens both.
  const double e = 1e-6;
  const Matrix H = makeMatrix({{e, -1., e, 1., 0., 1.}, {1., e, -1., e, 1., 0.}});
  Matrix W(6, 6);
  const Matrix transposedH = boost::numeric::ublas::trans(H);
  multiply(1., transposedH, H, 0., W);
  const FrictionContactProblem problem(2, W, makeVector({-.5, 0., -.5, 0., 0., -2. / e}), makeVector({0., 0., 1.}));
  Vector r, u;
  EXPECT_NE(makeSolver("frictionless")->solve(problem, r, u).status, SolveStatus::infeasible);
  r.resize(0);
  EXPECT_TRUE(AutomaticFrictionSolver().solve(problem, r, u).converged());
}

TEST(AutomaticFriction, SolvesTheFactoredForm) {
  const FrictionContactProblem problem = sphereLattice(5, 5, 4, 0.5);
  ASSERT_EQ(problem.W().matrix(), nullptr);
  for (const double tolerance : {1e-4, 1e-10}) {
    AutomaticFrictionSolver solver(tolerance);
    Vector r, u;
    const SolveReport report = solver.solve(problem, r, u);
    EXPECT_TRUE(report.converged()) << report.summary();
    EXPECT_LE(errorOf(assembled(problem), ErrorMeasure::scaled, r, u), 1.1 * tolerance);
  }
}

TEST(FrictionSolvers, TakeTheFactoredFormAsTheMatrix) {
  Generator generator(43);
  const FrictionContactProblem factored = randomMovingBodies(generator, {.dimension = 3, .contacts = 6, .bodies = 12});
  const FrictionContactProblem matrix = assembled(factored);
  for (const auto& entry : solversFor<FrictionContactProblem>()) {
    Vector r1, r2, u;
    const SolveReport before = makeSolver(entry.name)->solve(matrix, r1, u);
    const SolveReport report = makeSolver(entry.name)->solve(factored, r2, u);
    EXPECT_EQ(report.converged(), before.converged()) << report.summary();
    if (!before.converged()) continue;
    EXPECT_LE(errorOf(matrix, ErrorMeasure::scaled, r2, u), 1.1e-8) << entry.name;
  }
}

TEST(FrictionSolvers, GoOnFromAWarmStart) {
  const FrictionContactProblem problem = assembled(sphereLattice(4, 4, 3, 0.5));
  for (const char* name : {"nsgs", "admm", "admm_newton", "newton_natural_map"}) {
    Vector r, u;
    const auto solver = makeSolver(name, {1e-6, 0});
    const SolveReport cold = solver->solve(problem, r, u);
    const SolveReport warm = solver->solve(problem, r, u);
    EXPECT_TRUE(cold.converged() && warm.converged()) << warm.summary();
    EXPECT_LE(warm.iterations, cold.iterations / 2 + 1) << name;
  }
}

TEST(FrictionSolvers, StopAtTheTimeLimitWithWhatTheyHave) {
  const FrictionContactProblem problem = assembled(sphereLattice(8, 8, 6, 0.5));
  for (const char* name : {"nsgs", "admm", "automatic"}) {
    Vector r, u;
    const auto solver = makeSolver(name, {1e-14, 0});
    solver->setTimeLimit(1e-3);
    const SolveReport report = solver->solve(problem, r, u);
    EXPECT_EQ(report.status, SolveStatus::timeLimit) << report.summary();
    EXPECT_TRUE(allFinite(r));
  }
  NonsmoothGaussSeidelSolver solver;
  expectError([&] { solver.setTimeLimit(0.); }, {"NonsmoothGaussSeidelSolver", "time limit", "positive"});
}

TEST(FrictionSolvers, ShowTheirResidualsToAnObserver) {
  const FrictionContactProblem problem = assembled(sphereLattice(3, 3, 3, 0.5));
  for (const std::string& name : allNames()) {
    if (isFor2D(name) || name == "frictionless") continue;
    std::vector<double> history;
    const auto solver = makeSolver(name, {1e-6, 0});
    solver->setObserver([&](std::size_t, double residual) { history.push_back(residual); });
    Vector r, u;
    solver->solve(problem, r, u);
    ASSERT_GE(history.size(), 2U) << name;
    EXPECT_LT(history.back(), history.front()) << name;
  }
}

}  // namespace
