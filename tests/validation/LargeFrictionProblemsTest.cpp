// SPDX-License-Identifier: Apache-2.0
//
// Friction problems of up to 5,000 contacts, and their answers by different ways.
#include <gtest/gtest.h>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(LargeFrictionProblems, KnownAnswersOf1000And5000ContactsAreReached) {
  for (const std::size_t contacts : {1000U, 5000U}) {
    Generator generator(contacts);
    const KnownContacts known =
        randomKnownContacts(generator, {.contacts = contacts, .bodies = 2 * contacts, .mostFriction = 0.6});
    const FrictionContactProblem problem = assembled(known.problem);
    AutomaticFrictionSolver solver(1e-8);
    Vector r, u;
    const SolveReport report = solver.solve(problem, r, u);
    EXPECT_TRUE(report.converged()) << report.summary();
    // More degrees of freedom than forces: the answer is the one that was drawn.
    double difference = 0.;
    for (std::size_t i = 0; i < r.size(); ++i) difference = std::max(difference, std::abs(r(i) - known.reaction(i)));
    EXPECT_LT(difference, 1e-4);
  }
}

TEST(LargeFrictionProblems, LayersOfSpheresWith5000Contacts) {
  const FrictionContactProblem problem = sphereLattice(29, 29, 2, 0.5);
  ASSERT_GT(problem.contacts(), 4800U);
  AutomaticFrictionSolver solver(1e-4);
  Vector r, u;
  const SolveReport factored = solver.solve(problem, r, u);
  EXPECT_TRUE(factored.converged()) << factored.summary();
  Vector again;
  const SolveReport matrix = solver.solve(assembled(problem), again, u);
  EXPECT_TRUE(matrix.converged()) << matrix.summary();
}

}  // namespace
