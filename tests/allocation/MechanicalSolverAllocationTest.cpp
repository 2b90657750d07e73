// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

#include <support/RandomMechanical.hpp>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// As a simulation does it: the last λ as the start, other values of W and q in place.
std::size_t allocationsOfLaterSolves(std::string_view name, GenericMechanicalProblem problem) {
  for (const auto& entry : solversFor<GenericMechanicalProblem>()) {
    if (entry.name != name) continue;
    const auto solver = entry.make({1e-8, 0});
    Vector lambda, w;
    EXPECT_TRUE(solver->solve(problem, lambda, w).converged()) << name;
    const std::size_t before = allocationCount();
    for (int step = 0; step < 3; ++step) {
      for (std::size_t k = 0; k < problem.W().blockCount(); ++k) problem.W().block(k)[0] *= 1.;
      problem.W().touch();
      for (double& q : problem.q().data()) q *= 1.001;
      EXPECT_TRUE(solver->solve(problem, lambda, w).converged()) << name;
    }
    return allocationCount() - before;
  }
  ADD_FAILURE() << "no solver is called " << name;
  return 0;
}

TEST(MechanicalSolverAllocations, AreNoneInRepeatedSolvesOfALinkage) {
  Generator generator(81);
  const std::vector<Part> ends{Part::coulomb(3, 0.3), Part::box(1), Part::rollingContact(2, 0.3, 0.1)};
  for (const bool closed : {false, true}) {
    const Linkage linkage = randomLinkage(generator, 3, ends, closed);
    const KnownMechanical known = randomKnownMechanical(generator, linkage.W, linkage.parts);
    for (const char* name : {"automatic", "elimination", "newton"}) {
      EXPECT_EQ(allocationsOfLaterSolves(name, known.problem), 0U) << name;
    }
  }
}

TEST(MechanicalSolverAllocations, AreNoneInSweepsAndProjections) {
  Generator generator(82);
  const auto parts = partsOfAllKinds(generator, 1);
  const std::size_t n = rowsOf(parts);
  const KnownMechanical known = randomKnownMechanical(generator, randomSemidefinite(generator, n, n, 1.), parts);
  for (const char* name : {"nsgs", "nsgs_momentum", "admm", "accelerated_gradient"}) {
    EXPECT_EQ(allocationsOfLaterSolves(name, known.problem), 0U) << name;
  }
}

}  // namespace
