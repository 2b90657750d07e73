// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/numerics/contact/ContactSlabs.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <numeric>
#include <set>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/ThreadNumber.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// All places of the order.
std::vector<std::uint32_t> allOf(const ContactSlabs& slabs) {
  std::vector<std::uint32_t> places(slabs.order().size());
  std::iota(places.begin(), places.end(), std::uint32_t{0});
  return places;
}

// The contacts of the parts that forEach() visits, in turn.
std::vector<std::vector<std::size_t>> partsOf(const ContactSlabs& slabs, const std::vector<std::uint32_t>& places) {
  std::vector<std::vector<std::size_t>> parts;
  slabs.forEach(places, [&](std::span<const std::uint32_t> part) {
    parts.emplace_back();
    for (const std::uint32_t place : part) parts.back().push_back(slabs.order()[place]);
  });
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
  const std::vector<std::uint32_t> all = allOf(slabs);
  slabs.cut(all);
  const auto parts = partsOf(slabs, all);
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
  std::vector<std::uint32_t> left = allOf(slabs);
  std::erase_if(left, [](std::uint32_t place) { return place % 3 != 0; });
  slabs.cut(left);
  std::vector<std::size_t> visited, wanted;
  for (const auto& part : partsOf(slabs, left)) visited.insert(visited.end(), part.begin(), part.end());
  for (const std::uint32_t place : left) wanted.push_back(slabs.order()[place]);
  EXPECT_EQ(visited, wanted);
  slabs.cut({});
  EXPECT_TRUE(partsOf(slabs, {}).empty());
}

TEST(ContactSlabs, AreOneInTheOrderOfNumbersIfWhole) {
  ContactSlabs slabs;
  slabs.takeWhole(200);
  const std::vector<std::uint32_t> all = allOf(slabs);
  slabs.cut(all);
  const auto parts = partsOf(slabs, all);
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
