// SPDX-License-Identifier: Apache-2.0
//
// What holds for the solvers of mechanical problems, on random problems with known answers and on linkages.
#include <gtest/gtest.h>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <support/ExtendedResiduals.hpp>
#include <support/TestData.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <string>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomMechanical.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::unique_ptr<SolverOverSets> make(std::string_view name, double tolerance = 1e-8) {
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    if (entry.name == name) return entry.make({tolerance, 0});
  }
  ADD_FAILURE() << "no solver is called " << name;
  return nullptr;
}

KnownMechanical regularProblem(Generator& generator, std::size_t times, bool degenerate) {
  const auto parts = partsOfAllKinds(generator, times);
  const std::size_t n = rowsOf(parts);
  return randomKnownMechanical(generator, randomSemidefinite(generator, n, n, 0.5), parts, degenerate);
}

// How many of some problems with all kinds of parts a solver certifies.
int solvedOf(std::string_view name, int samples, bool degenerate) {
  Generator generator(61);
  const auto solver = make(name);
  int solved = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const KnownMechanical known = regularProblem(generator, 1 + generator() % 2, degenerate);
    Vector lambda, w;
    const SolveReport report = solver->solve(known.problem, lambda, w);
    solved += report.converged() ? 1 : 0;
    if (name != "automatic") continue;
    EXPECT_TRUE(report.converged()) << sample << ": " << report.summary();
  }
  return solved;
}

TEST(MechanicalSolvers, AutomaticSolvesAllKindsTogether) {
  EXPECT_EQ(solvedOf("automatic", 40, false), 40);
  EXPECT_EQ(solvedOf("automatic", 40, true), 40);
}

// Each method alone cannot solve some problems; these are the largest numbers of failures on this set.
TEST(MechanicalSolvers, EachMethodSolvesMostProblemsOfAllKinds) {
  for (const char* name : {"elimination", "newton", "nsgs", "nsgs_momentum"}) {
    EXPECT_GE(solvedOf(name, 20, false), 18) << name;
    EXPECT_GE(solvedOf(name, 20, true), 16) << name;
  }
}

TEST(MechanicalSolvers, FindTheOnlyAnswerOfEqualitiesAndBoxes) {
  Generator generator(62);
  for (int sample = 0; sample < 20; ++sample) {
    const std::vector<Part> parts{Part::equality(5), Part::box(4), Part::equality(3)};
    const KnownMechanical known = randomKnownMechanical(generator, randomSemidefinite(generator, 12, 12, 0.5), parts);
    for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
      if (entry.name == "friction") continue;
      const auto solver = entry.make({1e-10, 0});
      Vector lambda, w;
      const SolveReport report = solver->solve(known.problem, lambda, w);
      EXPECT_TRUE(report.converged()) << entry.name << ": " << report.summary();
      expectNear(lambda, known.lambda, 1e-7);
    }
  }
}

TEST(MechanicalSolvers, TakeMatricesThatAreNotSymmetric) {
  Generator generator(63);
  for (int sample = 0; sample < 20; ++sample) {
    const std::vector<Part> parts{Part::equality(5), Part::box(4), Part::coulomb(3, 0.2)};
    Matrix W = randomSemidefinite(generator, 12, 12, 1.);
    const Matrix skew = randomMatrix(generator, 12, 12);
    for (std::size_t j = 0; j < 12; ++j) {
      for (std::size_t i = 0; i < 12; ++i) W(i, j) += 0.3 * (skew(i, j) - skew(j, i));
    }
    const KnownMechanical known = randomKnownMechanical(generator, W, parts);
    for (const char* name : {"automatic", "newton"}) {
      Vector lambda, w;
      const SolveReport report = make(name)->solve(known.problem, lambda, w);
      EXPECT_TRUE(report.converged()) << name << ' ' << sample << ": " << report.summary();
    }
  }
}

TEST(MechanicalSolvers, ZeroIsTheAnswerToZero) {
  const GenericMechanicalProblem problem(
      identityMatrix(9), Vector(9), {Part::equality(2), Part::box(2), Part::rollingContact(3, 0.3, 0.1)},
      makeVector({0., 0., 0., -1., 0., 0., 0., 0., 0.}), makeVector({0., 0., infinity, 1., 0., 0., 0., 0., 0.}));
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    if (entry.name == "relay" || entry.name == "friction") continue;
    Vector lambda, w;
    EXPECT_TRUE(entry.make({1e-10, 0})->solve(problem, lambda, w).converged()) << entry.name;
    EXPECT_EQ(norm2(lambda), 0.) << entry.name;
  }
}

// Contacts, limits and dry friction at the end of chains, whose joints make plain sweeps slow.
TEST(MechanicalSolvers, AutomaticAndEliminationSolveLinkages) {
  Generator generator(64);
  const std::vector<Part> ends{Part::coulomb(3, 0.3), Part::box(1), Part::rollingContact(3, 0.4, 0.1)};
  for (const std::size_t bodies : {3U, 8U, 20U}) {
    for (int sample = 0; sample < 5; ++sample) {
      const Linkage linkage = randomLinkage(generator, bodies, ends);
      const KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
      for (const char* name : {"automatic", "elimination"}) {
        Vector lambda, w;
        const SolveReport report = make(name)->solve(known.problem, lambda, w);
        EXPECT_TRUE(report.converged()) << name << ", " << bodies << " bodies: " << report.summary();
      }
    }
  }
}

TEST(MechanicalSolvers, RedundantEqualitiesOfClosedLoopsAreSolved) {
  Generator generator(65);
  for (const auto& ends : {std::vector<Part>{}, {Part::box(2)}, {Part::coulomb(3, 0.3)}}) {
    for (int sample = 0; sample < 5; ++sample) {
      const Linkage linkage = randomLinkage(generator, 5, ends, true);
      const KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
      for (const char* name : {"automatic", "elimination", "newton"}) {
        Vector lambda, w;
        const SolveReport report = make(name)->solve(known.problem, lambda, w);
        EXPECT_TRUE(report.converged()) << name << ", " << ends.size() << " ends: " << report.summary();
      }
    }
  }
}

TEST(MechanicalSolvers, RedundantJointsShareTheirReactionByLeastNorm) {
  // The same row twice: each takes half.
  const GenericMechanicalProblem problem(makeMatrix({{2., 2.}, {2., 2.}}), makeVector({4., 4.}),
                                         {Part::equality(1), Part::equality(1)});
  Vector lambda, w;
  EXPECT_TRUE(AutomaticMechanicalSolver().solve(problem, lambda, w).converged());
  expectNear(lambda, makeVector({-1., -1.}), 1e-14);
}

TEST(MechanicalSolvers, EqualitiesThatContradictEachOtherAreReported) {
  Generator generator(66);
  const Linkage linkage = randomLinkage(generator, 4, {Part::coulomb(3, 0.3), Part::box(1)}, true);
  KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
  known.problem.q()(linkage.parts.size()) += 1.;
  known.problem.q()(22) += 0.1;
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    Vector lambda, w;
    const SolveReport report = entry.make({1e-8, 200})->solve(known.problem, lambda, w);
    EXPECT_FALSE(report.converged()) << entry.name;
    EXPECT_GE(report.error, 1e-6) << entry.name;
    EXPECT_FALSE(report.summary().empty());
    if (entry.name == "automatic" || entry.name == "elimination") {
      EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
    }
  }
}

TEST(MechanicalSolvers, AnEqualityThatNothingMovesIsReported) {
  const GenericMechanicalProblem problem(diagonalMatrix({1., 0.}), makeVector({1., 1.}),
                                         {Part::equality(1), Part::equality(1)});
  Vector lambda, w;
  EXPECT_EQ(AutomaticMechanicalSolver().solve(problem, lambda, w).status, SolveStatus::infeasible);
}

// More contact rows than freedoms: the answer is not unique, W singular.
TEST(MechanicalSolvers, AutomaticSolvesHyperstaticContactsWithJoints) {
  Generator generator(67);
  for (int sample = 0; sample < 10; ++sample) {
    std::vector<Part> ends;
    for (int k = 0; k < 6; ++k) ends.push_back(Part::coulomb(3, 0.3));
    ends.push_back(Part::rollingContact(3, 0.3, 0.2));
    ends.push_back(Part::box(3));
    const Linkage linkage = randomLinkage(generator, 3, ends);
    const KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts, sample % 2 == 0);
    Vector lambda, w;
    const SolveReport report = AutomaticMechanicalSolver().solve(known.problem, lambda, w);
    EXPECT_TRUE(report.converged()) << sample << ": " << report.summary();
  }
}

TEST(MechanicalSolvers, AgreeWithTheFrictionSolvers) {
  Generator generator(68);
  for (const std::size_t dimension : {2U, 3U}) {
    const FrictionContactProblem contacts =
        assembled(randomMovingBodies(generator, {.dimension = dimension, .contacts = 6, .bodies = 12}));
    std::vector<Part> parts;
    for (std::size_t c = 0; c < contacts.contacts(); ++c) {
      parts.push_back(Part::coulomb(dimension, contacts.mu()(c)));
    }
    const GenericMechanicalProblem problem(*contacts.W().matrix(), contacts.q(), parts);
    Vector r, u;
    ASSERT_TRUE(AutomaticFrictionSolver(1e-11).solve(contacts, r, u).converged());
    for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
      if (entry.name.ends_with("elimination") || entry.name == "relay") continue;
      Vector lambda, w;
      const SolveReport report = entry.make({1e-10, 0})->solve(problem, lambda, w);
      EXPECT_TRUE(report.converged()) << entry.name << ": " << report.summary();
      expectNear(w, u, 1e-7);
    }
  }
}

TEST(MechanicalSolvers, AgreeWithTheRelayAndLcpSolvers) {
  Generator generator(69);
  const Matrix M = randomSemidefinite(generator, 8, 8, 0.5);
  const Vector q = randomVector(generator, 8);
  Vector lower(8), upper(8);
  for (std::size_t i = 0; i < 8; ++i) {
    lower(i) = -0.1;
    upper(i) = 0.2;
  }
  Vector z, w, lambda, velocity;
  ASSERT_TRUE(AutomaticBoxSolver().solve(RelayProblem(M, q, lower, upper), z, w).converged());
  const GenericMechanicalProblem boxes(M, q, {Part::box(3), Part::box(5)}, lower, upper);
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    if (entry.name.ends_with("elimination") || entry.name == "friction") continue;
    lambda = Vector();
    EXPECT_TRUE(entry.make({1e-11, 0})->solve(boxes, lambda, velocity).converged()) << entry.name;
    expectNear(lambda, z, 1e-8);
  }
  z = Vector();
  ASSERT_TRUE(AutomaticBoxSolver().solve(LinearComplementarityProblem(M, q), z, w).converged());
  const GenericMechanicalProblem unilateral(M, q, {Part::box(8)}, Vector(8));
  lambda = Vector();
  EXPECT_TRUE(AutomaticMechanicalSolver().solve(unilateral, lambda, velocity).converged());
  expectNear(lambda, z, 1e-7);
}

TEST(NewtonSolver, TakesOneStepInSmoothMotion) {
  Generator generator(70);
  const Linkage linkage = randomLinkage(generator, 4, {Part::box(2)});
  KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
  NewtonSolver solver;
  Vector lambda, w;
  ASSERT_TRUE(solver.solve(known.problem, lambda, w).converged());
  for (double& x : known.problem.q().data()) x *= 1.001;
  // From zero it starts with what it remembers.
  lambda = Vector();
  const SolveReport report = solver.solve(known.problem, lambda, w);
  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 1U);
}

TEST(NewtonSolver, IsTheSameWithSparseSystems) {
  Generator generator(71);
  const Linkage linkage = randomLinkage(generator, 12, {Part::coulomb(3, 0.2), Part::box(1)});
  const KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
  NewtonOptions sparse;
  sparse.denseSize = 1;
  Vector first, second, w;
  EXPECT_TRUE(NewtonSolver().solve(known.problem, first, w).converged());
  EXPECT_TRUE(NewtonSolver(sparse).solve(known.problem, second, w).converged());
  expectNear(first, second, 1e-6);
}

TEST(MechanicalEliminationSolver, RefusesWhatItIsNotFor) {
  const GenericMechanicalProblem box(identityMatrix(1), makeVector({1.}), {Part::box(1)});
  Vector lambda, w;
  // Without equalities there is nothing to eliminate, and the rest is the problem.
  EXPECT_TRUE(MechanicalEliminationSolver().solve(box, lambda, w).converged());
  MechanicalEliminationOptions small;
  small.maxSize = 1;
  const GenericMechanicalProblem two(identityMatrix(2), makeVector({1., 1.}), {Part::equality(2)});
  lambda = Vector();
  EXPECT_EQ(MechanicalEliminationSolver(small).solve(two, lambda, w).status, SolveStatus::unsupported);
}

// Rows of a box without ends are equalities, between others and as bounds come and go.
TEST(MechanicalEliminationSolver, EliminatesRowsWithoutEndsInsideABox) {
  Generator generator(14);
  const Matrix W = randomSemidefinite(generator, 9, 9, 0.3);
  GenericMechanicalProblem problem(W, randomVector(generator, 9), {Part::equality(2), Part::box(4), Part::box(3)},
                                   Vector(9, 0.), Vector(9, infinity));
  MechanicalEliminationSolver dense;
  SparseEliminationSolver sparse;
  for (std::size_t step = 0; step < 12; ++step) {
    const std::size_t row = 2 + (5 * step) % 7;
    problem.lower()(row) = problem.lower()(row) == 0. ? -infinity : 0.;
    EXPECT_EQ(problem.freeRows(),
              2U + static_cast<std::size_t>(std::count(problem.lower().begin() + 2, problem.lower().end(), -infinity)));
    Vector lambda, other, w;
    ASSERT_TRUE(dense.solve(problem, lambda, w).converged()) << step;
    ASSERT_TRUE(sparse.solve(problem, other, w).converged()) << step;
    EXPECT_LE(extendedResidual(problem, lambda), 1e-8L);
    expectNear(other, lambda, 1e-7);
  }
}

TEST(MechanicalEliminationSolver, FollowsChangesOfKindsAndValuesInPlace) {
  Generator generator(72);
  const Matrix W = randomSemidefinite(generator, 4, 4, 0.5);
  GenericMechanicalProblem problem(W, makeVector({1., -1., 2., -2.}), {Part::equality(2), Part::box(2)}, Vector(4));
  MechanicalEliminationSolver solver;
  Vector lambda, w;
  EXPECT_TRUE(solver.solve(problem, lambda, w).converged());
  problem.parts()[1] = Part::coulomb(2, 0.3);
  EXPECT_TRUE(solver.solve(problem, lambda, w).converged());
  problem.parts()[0] = Part::box(2);
  problem.parts()[1] = Part::equality(2);
  EXPECT_TRUE(solver.solve(problem, lambda, w).converged());
  EXPECT_NEAR(w(2), 0., 1e-10);
  problem.W().block(0)[0] *= 2.;
  problem.W().touch();
  problem.q()(3) = 5.;
  EXPECT_TRUE(solver.solve(problem, lambda, w).converged());
}

// Files of another program, of which the classes are recognised.
class ForeignFile : public testing::TestWithParam<const char*> {};

TEST_P(ForeignFile, IsReadAndSolved) {
  const std::filesystem::path path = publishedFile(std::string("problems/other/") + GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << noTestData();
  const auto problem = std::get<GenericMechanicalProblem>(readProblem(path).problem);
  Vector lambda, w;
  const SolveReport report = AutomaticMechanicalSolver({.tolerance = 1e-10}).solve(problem, lambda, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LE(extendedResidual(problem, lambda), 1e-10L);
}

INSTANTIATE_TEST_SUITE_P(Files, ForeignFile, testing::Values("RFC3D_sphere_1.dat", "Example1_SOCLCP_SBM.dat"));

}  // namespace
