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

namespace {

using namespace delassus;
using namespace delassus::numerics;

// Does what it is told, and gives z.
class Scripted final : public Solver<ProblemOverSets> {
 public:
  Scripted(double z, std::function<void()> act, SolveStatus status = SolveStatus::iterationLimit)
      : z_(z), act_(std::move(act)), status_(status) {}
  std::string_view name() const override { return "Scripted"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    observe(1, 1.);
    if (act_) act_();
    z(0) = z_;
    return {status_, 7, "as told"};
  }

  double z_;
  std::function<void()> act_;
  SolveStatus status_;
};

// Three solvers that stand ready; `made` counts those that were asked for.
class Chain final : public TableSolver<ProblemOverSets, Chain> {
 public:
  Chain() : TableSolver("Chain", 1e-8) {}
  void add(Member solver) { ready_.push_back(std::move(solver)); }
  mutable std::size_t made = 0;

  template <std::size_t number>
  static Member take(const Self& self) {
    ++self.made;
    return std::move(self.ready_[number]);
  }
  template <std::size_t number>
  static bool isThere(const Self& self, const Problem&) {
    return number < self.ready_.size();
  }
  static Tables tables() {
    static constexpr Line lines[] = {
        {"first", take<0>, isThere<0>}, {"second", take<1>, isThere<1>}, {"third", take<2>, isThere<2>}};
    static constexpr Table all[] = {lines};
    return all;
  }

 private:
  mutable std::vector<Member> ready_;
};

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

// Notes its leniency, and misses by 1e-5.
class Noting final : public Solver<ProblemOverSets> {
 public:
  static inline double noted = 0.;
  std::string_view name() const override { return "Noting"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    noted = leniency();
    z(0) = 1. - 1e-5;
    return {SolveStatus::iterationLimit, 1, "as told"};
  }
};

// Lines that cost more and more, with errors of 1e-5, 1e-7 and 0, for problems of one row; for others nothing is left
// out.
class Priced final : public TableSolver<ProblemOverSets, Priced> {
 public:
  Priced() : TableSolver("Priced", 1e-8) {}

  static Member notes(const Self&) { return std::make_unique<Noting>(); }
  static Member misses(const Self&) { return std::make_unique<Scripted>(1. - 1e-7, nullptr); }
  static Member solves(const Self&) { return std::make_unique<Scripted>(1., nullptr); }
  static Tables tables() {
    static constexpr Line lines[] = {{"low", notes},
                                     {"high", misses, nullptr, Start::given, Cost::high},
                                     {"extreme", solves, nullptr, Start::given, Cost::extreme}};
    static constexpr Table all[] = {lines};
    return all;
  }

 private:
  Table tableFor(const ProblemOverSets& problem) override {
    leaveOut(problem.size() == 1 ? Thrift::full : Thrift::none);
    return tables().front();
  }
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

// Gives what it is told in each solve.
class Answering final : public Solver<ProblemOverSets> {
 public:
  explicit Answering(std::function<double()> answer) : answer_(std::move(answer)) {}
  std::string_view name() const override { return "Answering"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    z(0) = answer_();
    return {SolveStatus::iterationLimit, 1, "as told"};
  }

  std::function<double()> answer_;
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

// The solution is z = 1.
LinearComplementarityProblem problem() {
  return {identityMatrix(1), makeVector({-1.})};
}

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

TEST(FallbackChain, LeavesOutDearLinesWhereTheCallerIsContent) {
  const auto solved = [](double leniency) {
    Priced chain;
    chain.setLeniency(leniency);
    Vector z, w;
    const SolveReport report = chain.solve(problem(), z, w);
    EXPECT_EQ(report.converged(), report.error <= 1e-8);
    EXPECT_EQ(report.tolerance, 1e-8);
    return 1. - z(0);
  };
  EXPECT_EQ(solved(1.), 0.);
  EXPECT_EQ(solved(5.), 0.);             // 1e-7 is more than 5e-8
  EXPECT_NEAR(solved(1e4), 1e-7, 1e-9);  // 1e-5 is within 1e-4, and more than a hundredth of it
  EXPECT_NEAR(solved(1e6), 1e-5, 1e-9);
}

TEST(FallbackChain, LeavesNothingOutOfProblemsThatItCallsSmall) {
  Priced chain;
  chain.setLeniency(1e6);
  Vector z, w;
  const LinearComplementarityProblem twoRows(identityMatrix(2), makeVector({-1., -1.}));
  chain.solve(twoRows, z, w);
  EXPECT_EQ(z(0), 1.);
}

TEST(FallbackChain, AsksSolversOfSmallProblemsForTheTolerance) {
  Priced chain;
  chain.setLeniency(1e6);
  Vector z, w;
  chain.solve(problem(), z, w);
  EXPECT_EQ(Noting::noted, 1e6);
  z.resize(0);
  chain.solve(LinearComplementarityProblem(identityMatrix(2), makeVector({-1., -1.})), z, w);
  EXPECT_EQ(Noting::noted, 1.);
}

// A chain of which the first solver misses by 1e-5; the solves in which the second one was tried, up to a last one, and
// whether its answer in solve `solved` is certified.
std::vector<std::size_t> solvesThatTryTheSecond(double leniency, std::size_t last, std::size_t solved) {
  Chain chain;
  std::vector<std::size_t> tried;
  std::size_t solve = 1;
  chain.add(std::make_unique<Scripted>(1. - 1e-5, nullptr));
  chain.add(std::make_unique<Answering>([&] {
    tried.push_back(solve);
    return solve == solved ? 1. : 1. - 1e-6;
  }));
  chain.setLeniency(leniency);
  for (Vector z, w; solve <= last; ++solve) {
    z.resize(0);
    chain.solve(problem(), z, w);
  }
  return tried;
}

TEST(FallbackChain, TriesWhatDoesNotHelpLessAndLessOftenWhereTheAnswerBeforeIsGoodEnough) {
  EXPECT_EQ(solvesThatTryTheSecond(1e6, 24, 0), (std::vector<std::size_t>{1, 2, 3, 5, 9, 17}));
}

TEST(FallbackChain, TriesWhatHasHelpedInTheNextSolve) {
  EXPECT_EQ(solvesThatTryTheSecond(1e6, 14, 9), (std::vector<std::size_t>{1, 2, 3, 5, 9, 10, 11, 12, 14}));
}

TEST(FallbackChain, TriesAllSolversWhereNoAnswerIsGoodEnough) {
  EXPECT_EQ(solvesThatTryTheSecond(1., 4, 0), (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(FallbackChain, RestoresWhatItLeavesOut) {
  const auto fill = [](Chain& chain) {
    chain.add(std::make_unique<Scripted>(1. - 1e-5, nullptr));
    chain.add(std::make_unique<Scripted>(1. - 1e-6, nullptr));
    chain.setLeniency(1e6);
  };
  Chain chain, other;
  fill(chain);
  fill(other);
  Vector z, w;
  for (int failures = 0; failures < 3; ++failures) {
    z.resize(0);
    chain.solve(problem(), z, w);
  }
  MemoryArchive saved;
  chain.serializeState(saved);
  MemoryArchive archive(saved.bytes());
  other.serializeState(archive);
  for (const double error : {1e-5, 1e-6}) {  // left out once
    z.resize(0);
    other.solve(problem(), z, w);
    EXPECT_NEAR(z(0), 1. - error, 1e-12);
  }
}

TEST(FallbackChain, RefusesALeniencyBelowOne) {
  Priced chain;
  EXPECT_THROW(chain.setLeniency(0.5), Error);
  EXPECT_THROW(chain.setLeniency(std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_EQ(chain.leniency(), 1.);
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
