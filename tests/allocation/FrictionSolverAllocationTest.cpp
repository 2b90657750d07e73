// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/choice/SolverCatalogue.hpp>

#include <string>
#include <support/RandomContacts.hpp>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::size_t allocationsOfASecondSolve(std::string_view name, const FrictionContactProblem& problem) {
  for (const auto& entry : solversFor<FrictionContactProblem>()) {
    if (entry.name != name) continue;
    const auto solver = entry.make({1e-6, 0});
    Vector r, u;
    EXPECT_TRUE(solver->solve(problem, r, u).converged()) << name;
    assignZero(r, problem.size());
    const std::size_t before = allocationCount();
    solver->solve(problem, r, u);
    return allocationCount() - before;
  }
  ADD_FAILURE() << "no solver is called " << name;
  return 0;
}

// Small enough to be factored dense.
TEST(FrictionSolverAllocations, AreNoneInRepeatedSolvesOfSmallProblems) {
  Generator generator(51);
  const FrictionContactProblem problem = assembled(randomMovingBodies(generator, {.contacts = 10, .bodies = 15}));
  for (const char* name : {"automatic", "nsgs", "nsgs_momentum", "nsgs_quartic", "admm", "admm_newton",
                           "newton_alart_curnier", "newton_natural_map", "interior_point", "accelerated_gradient"}) {
    EXPECT_EQ(allocationsOfASecondSolve(name, problem), 0U) << name;
  }
}

TEST(FrictionSolverAllocations, AreNoneInSweepsOfAnySize) {
  const FrictionContactProblem problem = sphereLattice(6, 6, 2, 0.5);
  for (const char* name : {"nsgs", "nsgs_momentum", "accelerated_gradient"}) {
    EXPECT_EQ(allocationsOfASecondSolve(name, problem), 0U) << name;
    EXPECT_EQ(allocationsOfASecondSolve(name, assembled(problem)), 0U) << name;
  }
}

}  // namespace
