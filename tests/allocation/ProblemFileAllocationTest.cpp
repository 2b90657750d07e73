// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>

#include <filesystem>
#include <support/TestData.hpp>
#include <variant>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// Of a solve from zero by the automatic solver that has solved the problem before.
template <class Problem>
std::size_t allocationsOfASecondSolve(const Problem& problem) {
  const auto solver = solversFor<Problem>().front().make({1e-6, 0});
  Vector unknown, dual;
  EXPECT_TRUE(solver->solve(problem, unknown, dual).converged());
  assignZero(unknown, problem.size());
  const std::size_t before = allocationCount();
  solver->solve(problem, unknown, dual);
  return allocationCount() - before;
}

// Larger ones, and those in the global form, are factored sparse, by libraries that take memory of their own.
bool isFactoredDense(const AnyProblem& problem) {
  constexpr std::size_t largest = 48;
  return sizeOf(problem) <= largest && !std::holds_alternative<GlobalFrictionContactProblem>(problem);
}

TEST(ProblemFileAllocations, AreNoneInRepeatedSolvesOfSmallOneStepProblems) {
  for (const std::filesystem::path& path : ownProblems()) {
    SCOPED_TRACE(path);
    const ProblemFile file = readProblem(path);
    if (!isFactoredDense(file.problem)) continue;
    EXPECT_EQ(std::visit([](const auto& problem) { return allocationsOfASecondSolve(problem); }, file.problem), 0U);
  }
}

}  // namespace
