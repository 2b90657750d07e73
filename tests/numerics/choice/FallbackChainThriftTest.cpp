// SPDX-License-Identifier: Apache-2.0
//
// What a chain leaves out where its caller is content with less than the tolerance.
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "ScriptedChain.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using delassus::numerics::test::Chain;
using delassus::numerics::test::problem;
using delassus::numerics::test::Scripted;

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
  chain.add(std::make_unique<Scripted>([&] {
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

}  // namespace
