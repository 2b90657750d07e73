// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "ScriptedChain.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using delassus::numerics::test::Chain;
using delassus::numerics::test::problem;
using delassus::numerics::test::Scripted;

// Two tables that share a solver: for problems of one row, and for others.
class TwoTables final : public TableSolver<ProblemOverSets, TwoTables> {
 public:
  TwoTables() : TableSolver("TwoTables", 1e-8) {}
  mutable std::size_t made = 0;

  static Member half(const Self& self) {
    ++self.made;
    return std::make_unique<Scripted>(0.5, nullptr);
  }
  // As far above its start as that is above 0.
  static Member doubling(const Self& self);
  static Tables tables() {
    static constexpr Line single[] = {{"half", half},
                                      {"double", doubling, nullptr, Start::best},
                                      {"never", half, [](const Self&, const Problem&) { return false; }}};
    static constexpr Line several[] = {{"double", doubling}};
    static constexpr Table all[] = {single, several};
    return all;
  }

 private:
  Table tableFor(const ProblemOverSets& problem) override { return tables()[problem.size() == 1 ? 0 : 1]; }
};

// Gives z = 1 in its third solve, and remembers how many it has made.
class Counting final : public Solver<ProblemOverSets> {
 public:
  std::string_view name() const override { return "Counting"; }
  double tolerance() const override { return 1e-8; }
  void serializeState(StateArchive& archive) override { archive.value("solves", solves_); }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    if (++solves_ >= 3) z(0) = 1.;
    return {SolveStatus::iterationLimit, 1, "not yet"};
  }

  std::uint64_t solves_ = 0;
};

class Doubling final : public Solver<ProblemOverSets> {
 public:
  std::string_view name() const override { return "Doubling"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    z *= 2.;
    return {SolveStatus::iterationLimit, 1, {}};
  }
};

TwoTables::Member TwoTables::doubling(const Self& self) {
  ++self.made;
  return std::make_unique<Doubling>();
}

// Does not take the problem, and counts how often it was asked.
class Refusing final : public Solver<ProblemOverSets> {
 public:
  explicit Refusing(std::size_t& asked) : asked_(&asked) {}
  std::string_view name() const override { return "Refusing"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector&) override {
    ++*asked_;
    return {SolveStatus::unsupported, 0, "as told"};
  }

  std::size_t* asked_;
};

TEST(FallbackChain, GoesOnAfterAMemberThatThrows) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(0., [] { throw Error("member", "does not like it."); }));
  chain.add(std::make_unique<Scripted>(0., [] { throw std::bad_alloc(); }));
  chain.add(std::make_unique<Scripted>(1., nullptr));
  Vector z, w;
  EXPECT_TRUE(chain.solve(problem(), z, w).converged());
}

TEST(FallbackChain, MakesOnlyTheSolversThatItTries) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(0.9, nullptr));
  chain.add(std::make_unique<Scripted>(1., nullptr));
  chain.add(std::make_unique<Scripted>(1., nullptr));
  Vector z, w;
  EXPECT_TRUE(chain.solve(problem(), z, w).converged());
  EXPECT_TRUE(chain.solve(problem(), z, w).converged());
  EXPECT_EQ(chain.made, 2U);
}

TEST(FallbackChain, KeepsTheBestAnswerWhereTheLastMemberThrows) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(0.9, nullptr));
  chain.add(std::make_unique<Scripted>(0., [] { throw Error("member", "does not like it."); }));
  Vector z, w;
  const SolveReport report = chain.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::iterationLimit);
  EXPECT_EQ(z(0), 0.9);
}

TEST(FallbackChain, OfMembersThatAllThrowFails) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(0., [] { throw Error("member", "does not like it."); }));
  Vector z, w;
  EXPECT_EQ(chain.solve(problem(), z, w).status, SolveStatus::numericalFailure);
  ASSERT_EQ(z.size(), 1U);
}

TEST(FallbackChain, RestoresTheSolversThatItHadTried) {
  const auto fill = [](Chain& chain) {
    chain.add(std::make_unique<Counting>());
    chain.add(std::make_unique<Scripted>(1., nullptr));
    chain.add(std::make_unique<Counting>());
  };
  Chain chain;
  fill(chain);
  Vector z, w;
  for (int solve = 0; solve < 2; ++solve) {
    z.resize(0);
    EXPECT_EQ(chain.solve(problem(), z, w).solver, "Scripted");
  }
  MemoryArchive saved;
  chain.serializeState(saved);
  Chain other;
  fill(other);
  MemoryArchive archive(saved.bytes());
  other.serializeState(archive);
  EXPECT_TRUE(archive.isAtEnd());
  EXPECT_EQ(other.made, 2U);
  z.resize(0);
  EXPECT_EQ(other.solve(problem(), z, w).solver, "Counting");
}

TEST(FallbackChain, RefusesTheStateOfSolversThatItDoesNotHave) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(1., nullptr));
  Vector z, w;
  chain.solve(problem(), z, w);
  MemoryArchive saved;
  chain.serializeState(saved);
  TwoTables others;
  MemoryArchive archive(saved.bytes());
  EXPECT_THROW(others.serializeState(archive), Error);
}

TEST(FallbackChain, TakesTheTableOfTheProblemAndStartsWhereALineSays) {
  TwoTables chain;
  Vector z, w;
  const SolveReport report = chain.solve(problem(), z, w);
  EXPECT_TRUE(report.converged());  // 2 · 0.5
  EXPECT_EQ(report.solver, "Doubling");
  EXPECT_EQ(chain.made, 2U);
  const LinearComplementarityProblem two(identityMatrix(2), makeVector({-1., -1.}));
  z = makeVector({0.5, 0.5});
  EXPECT_TRUE(chain.solve(two, z, w).converged());
  EXPECT_EQ(chain.made, 2U);  // both tables share the solver
}

TEST(FallbackChain, IsUnsupportedOnlyWhereAllRefuse) {
  std::size_t asked = 0;
  Chain refusing;
  refusing.add(std::make_unique<Refusing>(asked));
  Vector z, w;
  for (int solve = 0; solve < 2; ++solve) {
    const SolveReport report = refusing.solve(problem(), z, w);
    EXPECT_EQ(report.status, SolveStatus::unsupported);
    EXPECT_EQ(report.solver, "Refusing");
    EXPECT_EQ(report.reason, "as told");
  }
  Chain chain;
  chain.add(std::make_unique<Refusing>(asked));
  chain.add(std::make_unique<Scripted>(-5., nullptr));  // worse than the start, which the other one leaves
  z.resize(0);
  EXPECT_EQ(chain.solve(problem(), z, w).status, SolveStatus::iterationLimit);
  EXPECT_EQ(asked, 3U);
}

TEST(FallbackChain, LetsWhatTheObserverThrowsPass) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(1., nullptr));
  Vector z, w;
  chain.setObserver([](std::size_t, double) { throw Error("observer", "has seen enough."); });
  EXPECT_THROW(chain.solve(problem(), z, w), Error);
  chain.setObserver([](std::size_t, double) { throw std::logic_error("enough"); });
  EXPECT_THROW(chain.solve(problem(), z, w), std::logic_error);
  chain.setObserver({});
  EXPECT_TRUE(chain.solve(problem(), z, w).converged());
}

TEST(FallbackChain, BelievesAProofOnlyOfLargeErrors) {
  Vector z, w;
  Chain large;
  large.add(std::make_unique<Scripted>(0.5, nullptr, SolveStatus::infeasible));
  EXPECT_EQ(large.solve(problem(), z, w).status, SolveStatus::infeasible);
  Chain small;
  small.add(std::make_unique<Scripted>(1. + 1e-7, nullptr));
  small.add(std::make_unique<Scripted>(0.5, nullptr, SolveStatus::infeasible));
  EXPECT_EQ(small.solve(problem(), z, w).status, SolveStatus::iterationLimit);
}

template <class Choice>
class EveryTable : public testing::Test {};
using Choices =
    testing::Types<AutomaticBoxSolver, AutomaticFrictionSolver, AutomaticGlobalSolver, AutomaticMechanicalSolver,
                   AutomaticVariationalSolver, EqualityFreeMechanicalSolver, SweepRound>;
TYPED_TEST_SUITE(EveryTable, Choices);

TYPED_TEST(EveryTable, MakesLinesOfOneNameInOneWay) {
  std::map<std::string_view, decltype(TypeParam::Line::make)> made;
  for (const auto& table : TypeParam::tables()) {
    ASSERT_FALSE(table.empty());
    for (const auto& line : table) {
      EXPECT_EQ(made.try_emplace(line.solver, line.make).first->second, line.make) << line.solver;
    }
  }
}

}  // namespace
