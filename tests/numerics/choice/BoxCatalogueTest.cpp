// SPDX-License-Identifier: Apache-2.0
//
// The catalogues of LCPs, mixed and relay problems: what holds of every solver in each.
#include <gtest/gtest.h>

#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <set>
#include <string_view>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;
using Mixed = MixedLinearComplementarityProblem;

constexpr std::size_t size = 8;

template <class Problem>
void expectSolversThatSolveAndKeepTheRules(const Problem& problem, const Problem& empty,
                                           const std::vector<std::string_view>& expected) {
  const auto entries = solversFor<Problem>();
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.front().name, "automatic");
  std::set<std::string_view> names;
  for (const auto& entry : entries) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_FALSE(entry.summary.empty());
    const auto solver = entry.make({1e-8, 5000});
    std::size_t calls = 0;
    solver->setObserver([&](std::size_t, double) { ++calls; });
    Vector z, w;
    EXPECT_TRUE(solver->solve(problem, z, w).converged());
    EXPECT_GT(calls, 0U);
    solver->setObserver({});
    z = Vector(size + 1);
    expectError([&] { solver->solve(problem, z, w); }, {"the start", "size 8", "size 9"});
    z = Vector();
    EXPECT_TRUE(solver->solve(empty, z, w).converged());
    EXPECT_THROW(entry.make({-1., 0}), Error);
  }
  for (const std::string_view name : expected) EXPECT_EQ(names.count(name), 1U) << name;
}

// Well conditioned, so that sweeps converge too.
struct Data {
  Generator generator{1};
  Matrix M = randomSemidefinite(generator, size, size, 0.5);
  Vector q = randomVector(generator, size);
};

TEST(BoxCatalogue, HasSolversOfLcps) {
  const Data data;
  expectSolversThatSolveAndKeepTheRules(
      LinearComplementarityProblem(data.M, data.q), LinearComplementarityProblem(Matrix(0, 0), Vector(0)),
      {"direct", "lemke", "block_pivoting", "active_set", "interior_point", "newton_min", "fischer_burmeister", "pgs",
       "psor", "block_pgs", "accelerated_gradient", "proximal", "enumeration"});
}

TEST(BoxCatalogue, HasSolversOfMixedProblems) {
  const Data data;
  std::vector<Mixed::Row> rows(size, Mixed::Row::complementarity);
  rows[1] = rows[4] = rows[5] = Mixed::Row::equality;
  expectSolversThatSolveAndKeepTheRules(
      Mixed(data.M, data.q, rows), Mixed(Matrix(0, 0), Vector(0), {}),
      {"direct", "reduction", "least_norm", "fischer_burmeister", "pgs", "enumeration"});
}

TEST(BoxCatalogue, HasSolversOfRelayProblems) {
  const Data data;
  expectSolversThatSolveAndKeepTheRules(RelayProblem(data.M, data.q, Vector(size, -0.3), Vector(size, 0.2)),
                                        RelayProblem(Matrix(0, 0), Vector(0), Vector(0), Vector(0)),
                                        {"direct", "lemke", "pivoting", "pgs", "enumeration"});
}

}  // namespace
