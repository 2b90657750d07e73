// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/MemoryArchive.hpp>
#include <delassus/numerics/methods/FallbackChain.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <functional>
#include <new>
#include <stdexcept>

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

// Of solvers that stand ready; `made` counts those that were asked for.
class Chain final : public FallbackChain<ProblemOverSets> {
 public:
  explicit Chain(bool believes = false) : FallbackChain("Chain", 1e-8), believes_(believes) {}
  void add(Member solver) { ready_.push_back(std::move(solver)); }
  std::size_t made = 0;

 private:
  void plan(const ProblemOverSets&, std::vector<std::size_t>& order) override {
    for (std::size_t number = 0; number < ready_.size(); ++number) order.push_back(number);
  }
  Member make(std::size_t number) override {
    ++made;
    return number < ready_.size() ? std::move(ready_[number]) : nullptr;
  }
  bool proves(std::size_t, const ProblemOverSets&, const SolveReport&) override { return believes_; }

  std::vector<Member> ready_;
  bool believes_;
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
    chain.solve(problem(), z, w);
    EXPECT_EQ(chain.lastSolver(), "Scripted");
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
  other.solve(problem(), z, w);
  EXPECT_EQ(other.lastSolver(), "Counting");
}

TEST(FallbackChain, RefusesTheStateOfSolversThatItDoesNotHave) {
  Chain chain;
  chain.add(std::make_unique<Scripted>(1., nullptr));
  Vector z, w;
  chain.solve(problem(), z, w);
  MemoryArchive saved;
  chain.serializeState(saved);
  Chain none;
  MemoryArchive archive(saved.bytes());
  EXPECT_THROW(none.serializeState(archive), Error);
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
  Chain large(true);
  large.add(std::make_unique<Scripted>(0.5, nullptr, SolveStatus::infeasible));
  EXPECT_EQ(large.solve(problem(), z, w).status, SolveStatus::infeasible);
  Chain small(true);
  small.add(std::make_unique<Scripted>(1. + 1e-7, nullptr));
  small.add(std::make_unique<Scripted>(0.5, nullptr, SolveStatus::infeasible));
  EXPECT_EQ(small.solve(problem(), z, w).status, SolveStatus::iterationLimit);
}

TEST(FallbackChain, TurnsInfeasibleWithoutProofIntoAFailure) {
  Chain chain(false);
  chain.add(std::make_unique<Scripted>(0.5, nullptr, SolveStatus::infeasible));
  Vector z, w;
  EXPECT_EQ(chain.solve(problem(), z, w).status, SolveStatus::numericalFailure);
}

}  // namespace
