// SPDX-License-Identifier: Apache-2.0
//
// Problems of one class given to methods of another.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <support/ExtendedResiduals.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Two contacts of dimension 2 that push each other.
struct Contacts {
  Matrix W = makeMatrix({{2., 0., 0.5, 0.}, {0., 1., 0., 0.3}, {0.5, 0., 3., 0.}, {0., 0.3, 0., 1.}});
  Vector q{-1., 0.4, -2., 0.1};
  Vector mu{0.3, 0.8};

  FrictionContactProblem friction() const { return {2, W, q, mu}; }
  GenericMechanicalProblem mechanical() const { return {W, q, {Part::coulomb(2, 0.3), Part::coulomb(2, 0.8)}}; }
};

TEST(ProblemOverSets, ContactsAreSolvedInEitherClassByMethodsOfEither) {
  const Contacts contacts;
  Vector expected, u;
  ASSERT_TRUE(AutomaticFrictionSolver(1e-12).solve(contacts.friction(), expected, u).converged());
  const auto expectSolves = [&](auto solver, const auto& problem) {
    Vector r, w;
    const SolveReport report = solver.solve(problem, r, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    expectNear(r, expected, 1e-9);
    // The certificate is that of the problem, whatever the method.
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, r, w, report.tolerance));
    EXPECT_LE(extendedResidual(problem, r), 1e-11L);
  };
  expectSolves(AutomaticFrictionSolver(1e-11), contacts.mechanical());
  expectSolves(AutomaticMechanicalSolver({.tolerance = 1e-11}), contacts.friction());
  expectSolves(NewtonSolver({.tolerance = 1e-11}), contacts.friction());
}

// Rows count by velocity there and by energy here: with masses that differ by magnitudes the numbers differ too.
TEST(ProblemOverSets, AStatedProblemKeepsItsNorm) {
  const Matrix W = diagonalMatrix({1., 1., 1e6, 1e6});
  const Vector q{-1., 0., -1., 0.}, near{1. - 1e-5, 0., 1e-6, 0.};
  const FrictionContactProblem friction(2, W, q, Vector{0.5, 0.5});
  const GenericMechanicalProblem mechanical(W, q, {Part::coulomb(2, 0.5), Part::coulomb(2, 0.5)});
  Vector u;
  const double byVelocity = errorOf(friction, ErrorMeasure::scaled, near, u);
  const double byEnergy = errorOf(mechanical, ErrorMeasure::scaled, near, u);
  EXPECT_NEAR(byVelocity, 1e-5 / std::sqrt(2.), 1e-12);
  EXPECT_NEAR(byEnergy, 1e-5, 1e-10);
  // By a method for contacts, which is content with the given start.
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 2e-5;
  options.relaxation = 1e-9;
  Vector r = near;
  SolveReport report = NonsmoothGaussSeidelSolver(options).solve(friction, r, u);
  EXPECT_NEAR(report.error, byVelocity, 1e-9);
  r = near;
  report = NonsmoothGaussSeidelSolver(options).solve(mechanical, r, u);
  EXPECT_NEAR(report.error, byEnergy, 1e-9);
}

TEST(ProblemOverSets, HalfLinesAreSolvedInEveryClassThatHasThem) {
  Generator generator(3);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 6;
    const Matrix M = randomSemidefinite(generator, n, n, 0.2);
    const Vector q = randomVector(generator, n);
    const LinearComplementarityProblem lcp(M, q);
    const RelayProblem relay(M, q, Vector(n), Vector(n, infinity));
    const GenericMechanicalProblem orthants(M, q, {Part::orthant(2), Part::orthant(4)});
    const GenericMechanicalProblem boxes(M, q, {Part::box(n)}, Vector(n), Vector(n, infinity));
    Vector expected, w;
    ASSERT_TRUE(AutomaticBoxSolver({.tolerance = 1e-11}).solve(lcp, expected, w).converged());
    for (const ProblemOverSets* problem :
         {static_cast<const ProblemOverSets*>(&lcp), static_cast<const ProblemOverSets*>(&relay),
          static_cast<const ProblemOverSets*>(&orthants), static_cast<const ProblemOverSets*>(&boxes)}) {
      const auto expectSolves = [&](auto solver) {
        Vector z;
        const SolveReport report = solver.solve(*problem, z, w);
        EXPECT_TRUE(report.converged()) << problem->traits().name << ": " << report.summary();
        expectNear(z, expected, 1e-7);
      };
      expectSolves(AutomaticBoxSolver({.tolerance = 1e-10}));
      expectSolves(LemkeSolver({.tolerance = 1e-10}));
      expectSolves(AutomaticMechanicalSolver({.tolerance = 1e-10}));
      expectSolves(NewtonSolver({.tolerance = 1e-10}));
    }
  }
}

TEST(ProblemOverSets, EqualitiesAreBoxesWithoutBounds) {
  Generator generator(4);
  const Matrix M = randomPositiveDefinite(generator, 5);
  const Vector q = randomVector(generator, 5);
  const GenericMechanicalProblem problem(M, q, {Part::equality(2), Part::box(2), Part::orthant(1)}, Vector(5, -0.1),
                                         Vector(5, 0.1));
  Vector expected, lambda, w;
  ASSERT_TRUE(AutomaticMechanicalSolver({.tolerance = 1e-11}).solve(problem, expected, w).converged());
  const SolveReport report = AutomaticBoxSolver({.tolerance = 1e-10}).solve(problem, lambda, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  expectNear(lambda, expected, 1e-8);
}

TEST(ProblemOverSets, WhatCannotBeStatedIsRefusedWithTheReason) {
  const Contacts contacts;
  const GenericMechanicalProblem mixed(identityMatrix(5), Vector(5, -1.),
                                       {Part::coulomb(2, 0.3), Part::coulomb(3, 0.3)});
  const RelayProblem relay(identityMatrix(2), Vector(2, -1.), Vector(2, -1.), Vector(2, 1.));
  const auto expectRefused = [](auto solver, const auto& problem, std::string_view reason) {
    Vector unknown, dual;
    const SolveReport report = solver.solve(problem, unknown, dual);
    EXPECT_EQ(report.status, SolveStatus::unsupported);
    EXPECT_NE(report.summary().find(reason), std::string::npos) << report.summary();
  };
  expectRefused(AutomaticFrictionSolver(), mixed, "of one dimension");
  expectRefused(LemkeSolver(), contacts.friction(), "bounded by 0 below");
  expectRefused(LemkeSolver(), relay, "bounded by 0 below");
  expectRefused(AutomaticBoxSolver(), contacts.friction(), "not all intervals");
}

TEST(ProblemOverSets, MethodsOfOtherClassesTakeFactorsByTheirMatrix) {
  Generator generator(5);
  const FrictionContactProblem factored = randomMovingBodies(generator, {.contacts = 3, .bodies = 2});
  ASSERT_FALSE(factored.hasMatrix());
  Vector r, u;
  EXPECT_TRUE(NewtonSolver().solve(factored, r, u).converged());
  EXPECT_TRUE(factored.hasMatrix());
  r.resize(0);
  EXPECT_TRUE(AutomaticMechanicalSolver().solve(factored, r, u).converged());
}

// A method refers to a stated problem during a solve only; copies of a problem have the same stamps.
template <class Method>
void expectOutlives(Method solver) {
  const Contacts contacts;
  Vector expected, r, u;
  ASSERT_TRUE(AutomaticFrictionSolver(1e-10).solve(contacts.friction(), expected, u).converged());
  auto first = std::make_unique<GenericMechanicalProblem>(contacts.mechanical());
  const GenericMechanicalProblem second = *first;
  ASSERT_EQ(first->stamp(), second.stamp());
  ASSERT_TRUE(solver.solve(*first, r, u).converged());
  for (std::size_t k = 0; k < first->W().storedEntries(); ++k) first->W().block(0)[k] = 1e30;
  first.reset();
  r = Vector();
  const SolveReport report = solver.solve(second, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  expectNear(r, expected, 1e-6);
}

TEST(ProblemOverSets, ASolverOutlivesTheProblemsThatItStated) {
  NonsmoothGaussSeidelOptions sweeps;
  sweeps.tolerance = 1e-10;
  expectOutlives(NonsmoothGaussSeidelSolver(sweeps));
  expectOutlives(AutomaticFrictionSolver(1e-10));
  expectOutlives(AutomaticMechanicalSolver({.tolerance = 1e-10}));
  LemkeSolver lemke;
  {
    const RelayProblem relay(identityMatrix(2), Vector{-1., 1.}, Vector(2), Vector(2, infinity));
    Vector z, w;
    ASSERT_TRUE(lemke.solve(relay, z, w).converged());
  }
  LemkeSolver copy = lemke;
  Vector z, w;
  EXPECT_TRUE(copy.solve(LinearComplementarityProblem{identityMatrix(2), Vector{-2., 1.}}, z, w).converged());
  expectNear(z, Vector{2., 0.}, 1e-12);
}

// The pattern of W need not be symmetric in a mechanical problem; methods for contacts need it so.
TEST(ProblemOverSets, ContactsWithAnUnsymmetricPatternAreCompleted) {
  const Contacts contacts;
  BlockSparseMatrix W;
  W.beginRow(2);
  W.addBlock(0);
  W.addBlock(1);
  W.beginRow(2);
  W.addBlock(1);
  W.finish();
  W.block(0)[0] = W.block(0)[3] = W.block(2)[0] = W.block(2)[3] = 2.;
  W.block(1)[0] = 0.3;
  W.touch();
  const GenericMechanicalProblem problem(W, contacts.q, {Part::coulomb(2, 0.3), Part::coulomb(2, 0.8)});
  Vector r, u;
  const SolveReport report = NewtonSolver(NewtonOptions::ofContacts()).solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
}

TEST(ProblemOverSets, CopiesAndMovesOfProblemsAreTheirOwn) {
  LinearComplementarityProblem problem(identityMatrix(2), Vector{-1., -2.});
  LinearComplementarityProblem copy = problem;
  copy.M().block(0)[0] = 5.;
  EXPECT_EQ(problem.M().entry(0, 0), 1.);
  EXPECT_EQ(copy.M().entry(0, 0), 5.);
  LinearComplementarityProblem moved = std::move(copy);
  EXPECT_EQ(moved.M().entry(0, 0), 5.);
  EXPECT_EQ(&moved.matrix(), &std::as_const(moved).M());
  problem = moved;
  moved.M().block(0)[0] = 7.;
  EXPECT_EQ(problem.M().entry(0, 0), 5.);
  problem = std::move(moved);
  EXPECT_EQ(problem.M().entry(0, 0), 7.);
}

TEST(ProblemOverSets, AProblemThatWasMovedFromCanBeFilledAgain) {
  LinearComplementarityProblem problem(identityMatrix(2), Vector{-1., -2.});
  const LinearComplementarityProblem moved = std::move(problem);
  EXPECT_EQ(moved.size(), 2U);
  problem.M() = BlockSparseMatrix(identityMatrix(2));
  problem.q() = Vector{-1., -2.};
  Vector z{-7., 9.}, w;
  EXPECT_GT(errorOf(problem, ErrorMeasure::scaled, z, w), 1.);
  EXPECT_TRUE(AutomaticBoxSolver().solve(problem, z, w).converged());
  expectNear(z, Vector{1., 2.}, 1e-9);
}

// Rows that no part has are not solved.
TEST(ProblemOverSets, WithoutPartsForAllRowsHasAnInfiniteError) {
  FrictionContactProblem problem = Contacts().friction();
  problem.setFriction(Vector{0.3});
  Vector u;
  EXPECT_EQ(errorOf(problem, ErrorMeasure::scaled, Vector(4), u), infinity);
}

TEST(ProblemOverSets, SetsOfContactsFollowTheirFriction) {
  const Contacts contacts;
  FrictionContactProblem problem = contacts.friction();
  const auto before = problem.sharedSet(0);
  problem.setFriction(Vector{0.3, 0.1});
  EXPECT_EQ(problem.sharedSet(0), before);  // kept where nothing changed
  EXPECT_EQ(*problem.set(1).coulombFriction(), 0.1);
  problem.setFriction(Vector{0.2, 0.2});
  EXPECT_EQ(*problem.set(0).coulombFriction(), 0.2);
  Vector r, u;
  EXPECT_TRUE(AutomaticMechanicalSolver().solve(problem, r, u).converged());
  problem.setFriction(Vector{0.2, -0.2});
  expectError([&] { AutomaticMechanicalSolver().solve(problem, r, u); }, {"mu", "-0.2", "contact 1"});
}

}  // namespace
