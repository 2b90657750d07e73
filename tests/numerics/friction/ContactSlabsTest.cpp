// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/numerics/friction/ContactSlabs.hpp>
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <set>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/ThreadNumber.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// The parts that forEach() visits, in turn, with the place of each in `contacts`.
std::vector<std::vector<std::size_t>> partsOf(const ContactSlabs& slabs, const std::vector<std::size_t>& contacts) {
  std::vector<std::vector<std::size_t>> parts;
  slabs.forEach(contacts, [&](std::span<const std::size_t> part) { parts.emplace_back(part.begin(), part.end()); });
  return parts;
}

bool areCoupled(const BlockSparseMatrix& W, const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  const std::set<std::size_t> others(b.begin(), b.end());
  return std::any_of(a.begin(), a.end(), [&](std::size_t row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      if (others.contains(W.column(k))) return true;
    }
    return false;
  });
}

ContactPattern patternOf(const FrictionContactProblem& problem) {
  ContactPattern pattern;
  EXPECT_TRUE(problem.W().findPattern(pattern));
  return pattern;
}

TEST(ContactSlabs, PartContactsSoThatThoseOfOnePhaseAreNotCoupled) {
  const FrictionContactProblem problem = assembled(sphereLattice(10, 10, 10, 0.5));
  const BlockSparseMatrix& W = problem.matrix();
  ContactSlabs slabs;
  slabs.find(patternOf(problem));
  std::vector<std::size_t> sorted = slabs.order();
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], k);
  slabs.cut(slabs.order());
  const auto parts = partsOf(slabs, slabs.order());
  ASSERT_GT(parts.size(), 6U);
  // Two phases: a part of the second comes after all of the first. In each, no part is coupled with another one.
  std::size_t phase = 0;
  std::vector<std::size_t> begun{0};
  for (std::size_t k = 1; k < parts.size(); ++k) {
    for (std::size_t before = begun[phase]; before < k; ++before) {
      if (!areCoupled(W, parts[before], parts[k])) continue;
      ASSERT_EQ(phase, 0U) << k;
      phase = 1;
      begun.push_back(k);
      break;
    }
  }
  EXPECT_EQ(phase, 1U);
}

TEST(ContactSlabs, VisitWhatIsLeftOfTheOrder) {
  const FrictionContactProblem problem = assembled(sphereLattice(8, 8, 8, 0.5));
  ContactSlabs slabs;
  slabs.find(patternOf(problem));
  std::vector<std::size_t> left = slabs.order();
  std::erase_if(left, [](std::size_t contact) { return contact % 3 != 0; });
  slabs.cut(left);
  std::vector<std::size_t> visited;
  for (const auto& part : partsOf(slabs, left)) visited.insert(visited.end(), part.begin(), part.end());
  EXPECT_EQ(visited, left);
  slabs.cut({});
  EXPECT_TRUE(partsOf(slabs, {}).empty());
}

TEST(ContactSlabs, AreOneInTheOrderOfNumbersIfWhole) {
  ContactSlabs slabs;
  slabs.takeWhole(200);
  slabs.cut(slabs.order());
  const auto parts = partsOf(slabs, slabs.order());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_TRUE(std::is_sorted(parts.front().begin(), parts.front().end()));
}

TEST(NonsmoothGaussSeidel, GivesTheSameToTheBitForAnyNumberOfThreads) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const FrictionContactProblem problem = assembled(sphereLattice(10, 10, 6, 0.5));
  ASSERT_GT(problem.contacts(), 1000U);
  for (const bool momentum : {false, true}) {
    NonsmoothGaussSeidelOptions options;
    // Sweeps enough for a restart of the momentum; what came before decides each bit of them.
    options.tolerance = 1e-3;
    options.maxIterations = 60;
    options.momentum = momentum;
    Vector first, u;
    for (const std::size_t count : {1U, 2U, 3U}) {
      const ThreadNumber several(count);
      Vector r;
      NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
      if (count == 1) first = r;
      EXPECT_EQ(r.data(), first.data());
    }
  }
}

TEST(NonsmoothGaussSeidel, PassesOnWhatAnObserverThrowsOnSeveralThreads) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const ThreadNumber two(2);
  const FrictionContactProblem problem = assembled(sphereLattice(10, 10, 6, 0.5));
  NonsmoothGaussSeidelSolver solver;
  solver.setObserver([](std::size_t, double) { throw Error("stop", "as asked."); });
  Vector r, u;
  expectError([&] { solver.solve(problem, r, u); }, {"stop"});
}

}  // namespace
