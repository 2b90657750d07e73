// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/EliminationSolver.hpp>

#include <gtest/gtest.h>

#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <support/PlantedProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr MechanicalEliminationOptions options{.tolerance = 1e-10};

// A given solver of the rest is all there is, the own one is followed by a tighter one.
MechanicalEliminationSolver withoutTighter() {
  return MechanicalEliminationSolver(options, automaticWithoutEqualities(options.tolerance));
}

TEST(EliminationSolver, SolvesTheRestMoreSharplyWhereItsToleranceDoesNotDo) {
  std::size_t more = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const GenericMechanicalProblem problem = plantedConvex(seed).problem;
    Vector lambda, w, dual;
    MechanicalEliminationSolver own(options), plain = withoutTighter();
    const bool isSolved = own.solve(problem, lambda, w).converged();
    const double error = errorOf(problem, ErrorMeasure::scaled, lambda, dual);
    EXPECT_EQ(isSolved, error <= options.tolerance) << seed;
    Vector other;
    const bool isPlain = plain.solve(problem, other, w).converged();
    EXPECT_TRUE(isSolved || !isPlain) << seed;
    more += isSolved && !isPlain ? 1 : 0;
  }
  EXPECT_GT(more, 0U);
}

// The tighter solver is part of the state: it is there after a restore if it was, and is not if it was not.
TEST(EliminationSolver, GoesOnFromItsStateWithTheTighterSolverOrWithoutIt) {
  const auto bytesOf = [](MechanicalEliminationSolver& solver) {
    MemoryArchive archive;
    solver.serializeState(archive);
    return archive.bytes();
  };
  const auto fresh = bytesOf(*std::make_unique<MechanicalEliminationSolver>(options));
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const GenericMechanicalProblem problem = plantedConvex(seed).problem;
    Vector lambda, other, w;
    MechanicalEliminationSolver used(options), restored(options), plain = withoutTighter();
    if (!used.solve(problem, lambda, w).converged() || plain.solve(problem, other, w).converged()) continue;
    ++tried;
    const auto state = bytesOf(used);
    MemoryArchive toNew(state), toUsed(fresh);
    restored.serializeState(toNew);
    EXPECT_TRUE(toNew.isAtEnd());
    EXPECT_EQ(bytesOf(restored), state) << seed;
    used.serializeState(toUsed);
    EXPECT_TRUE(toUsed.isAtEnd());
    EXPECT_EQ(bytesOf(used), fresh) << seed;
  }
  EXPECT_GT(tried, 0U);
}

}  // namespace
