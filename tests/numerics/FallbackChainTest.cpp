// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <functional>
#include <new>
#include <stdexcept>

namespace {

using namespace delassus;
using namespace delassus::numerics;

// Does what it is told, and gives z.
class Scripted final : public Solver<LinearComplementarityProblem> {
 public:
  Scripted(double z, std::function<void()> act, SolveStatus status = SolveStatus::iterationLimit)
      : z_(z), act_(std::move(act)), status_(status) {}
  std::string_view name() const override { return "Scripted"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const LinearComplementarityProblem&, Vector& z) override {
    observe(1, 1.);
    if (act_) act_();
    z(0) = z_;
    return {status_, 7, "as told"};
  }

  double z_;
  std::function<void()> act_;
  SolveStatus status_;
};

class Chain final : public FallbackChain<LinearComplementarityProblem> {
 public:
  explicit Chain(bool believes = false) : FallbackChain("Chain", 1e-8), believes_(believes) {}
  using FallbackChain::add;

 private:
  bool proves(std::size_t, const LinearComplementarityProblem&, const SolveReport&) override { return believes_; }
  bool believes_;
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
