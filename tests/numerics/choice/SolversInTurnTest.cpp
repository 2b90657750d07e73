// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolversInTurn.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <limits>
#include <memory>
#include <support/Matchers.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using test::expectError;

// What solvers were asked, and how.
struct Notes {
  std::size_t asked = 0;
  double start = 0.;
  double timeLimit = 0.;
  ErrorMeasure measure = ErrorMeasure::scaled;
};

// Gives z with this status, to its own tolerance.
class Told final : public Solver<ProblemOverSets> {
 public:
  Told(double z, Notes& notes, SolveStatus status = SolveStatus::iterationLimit, double tolerance = 1e-8)
      : z_(z), notes_(&notes), status_(status), tolerance_(tolerance) {}
  std::string_view name() const override { return "Told"; }
  double tolerance() const override { return tolerance_; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    ++notes_->asked;
    notes_->start = z(0);
    notes_->timeLimit = timeLimit();
    notes_->measure = measure();
    observe(1, 0.5);
    z(0) = z_;
    return {status_, 3, "as told"};
  }

  double z_;
  Notes* notes_;
  SolveStatus status_;
  double tolerance_;
};

// The solution is z = 1.
LinearComplementarityProblem problem() {
  return {identityMatrix(1), makeVector({-1.})};
}

struct SolversInTurnTest : testing::Test {
  Notes first, second, third;
  Vector z, w;
};

TEST_F(SolversInTurnTest, TakeTheFirstCertifiedAnswerEachFromTheSameStart) {
  SolversInTurn solvers(Told(3., first), Told(1., second), Told(1., third));
  z = makeVector({0.25});
  const SolveReport report = solvers.solve(problem(), z, w);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.solver, "Told");
  EXPECT_EQ(report.failedSolvers, 1U);
  EXPECT_EQ(z(0), 1.);
  EXPECT_EQ(first.start, 0.25);
  EXPECT_EQ(second.start, 0.25);
  EXPECT_EQ(third.asked, 0U);
}

TEST_F(SolversInTurnTest, GiveTheBestAnswerWhereNoneIsCertified) {
  SolversInTurn solvers(Told(3., first), Told(1.1, second), Told(5., third));
  const SolveReport report = solvers.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::iterationLimit);
  EXPECT_EQ(report.failedSolvers, 0U);
  EXPECT_EQ(z(0), 1.1);
  EXPECT_EQ(third.asked, 1U);
}

TEST_F(SolversInTurnTest, CertifyEachToItsOwnTolerance) {
  SolversInTurn solvers(Told(1. + 1e-6, first, SolveStatus::iterationLimit, 1e-10),
                        Told(1. + 1e-5, second, SolveStatus::iterationLimit, 1e-4));
  for (int solve = 0; solve < 2; ++solve) {
    const SolveReport report = solvers.solve(problem(), z, w);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.tolerance, 1e-4);
    EXPECT_EQ(z(0), 1. + 1e-5);
    // What a simulation asks of the solver does not depend on who answered last.
    EXPECT_EQ(solvers.tolerance(), 1e-10);
    EXPECT_EQ(solvers.name(), "SolversInTurn");
  }
}

TEST_F(SolversInTurnTest, EndWithAProof) {
  SolversInTurn solvers(Told(0.5, first, SolveStatus::infeasible), Told(1., second));
  const SolveReport report = solvers.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_EQ(second.asked, 0U);
}

TEST_F(SolversInTurnTest, BelieveNoProofBesideAnAnswerThatRoundingMayHaveMissed) {
  SolversInTurn solvers(Told(1. + 1e-7, first), Told(0.5, second, SolveStatus::infeasible), Told(3., third));
  const SolveReport report = solvers.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::iterationLimit);
  EXPECT_EQ(third.asked, 1U);
}

TEST_F(SolversInTurnTest, AreUnsupportedOnlyWhereAllRefuse) {
  SolversInTurn refusing(Told(0., first, SolveStatus::unsupported), Told(0., second, SolveStatus::unsupported));
  EXPECT_EQ(refusing.solve(problem(), z, w).status, SolveStatus::unsupported);
  // Worse than the start, which the one that refuses leaves.
  SolversInTurn solvers(Told(0., first, SolveStatus::unsupported), Told(-5., second));
  z.resize(0);
  EXPECT_EQ(solvers.solve(problem(), z, w).status, SolveStatus::iterationLimit);
}

TEST_F(SolversInTurnTest, DoNotCertifyAnAnswerByTheToleranceOfWhoProvesThatThereIsNone) {
  SolversInTurn solvers(Told(1. + 5e-5, first), Told(0.5, second, SolveStatus::infeasible, 1e-4));
  const SolveReport report = solvers.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_EQ(report.tolerance, 1e-8);
}

TEST_F(SolversInTurnTest, PassTimeMeasureAndObserverOn) {
  SolversInTurn solvers(Told(3., first), Told(1., second));
  std::size_t seen = 0;
  solvers.setObserver([&seen](std::size_t, double) { ++seen; });
  solvers.setMeasure(ErrorMeasure::published);
  solvers.setTimeLimit(100.);
  solvers.solve(problem(), z, w);
  EXPECT_EQ(seen, 2U);
  EXPECT_EQ(second.measure, ErrorMeasure::published);
  EXPECT_LE(first.timeLimit, 100.);
  EXPECT_LE(second.timeLimit, first.timeLimit);
  solvers.setTimeLimit(std::numeric_limits<double>::infinity());
  solvers.setObserver({});
  solvers.solve(problem(), z, w);
  EXPECT_EQ(first.timeLimit, std::numeric_limits<double>::infinity());
  EXPECT_EQ(seen, 2U);
}

TEST_F(SolversInTurnTest, KeepTheTimeLimitThatASolverHasOfItsOwn) {
  Told brief(3., first);
  brief.setTimeLimit(2.);
  SolversInTurn solvers(std::move(brief), Told(1., second));
  solvers.setTimeLimit(100.);
  solvers.solve(problem(), z, w);
  EXPECT_LE(first.timeLimit, 2.);
  EXPECT_GT(second.timeLimit, 2.);
}

TEST_F(SolversInTurnTest, CountThoseThatFailedInside) {
  SolversInTurn solvers(Told(3., first), SolversInTurn(Told(3., second), Told(1., third)));
  EXPECT_EQ(solvers.solve(problem(), z, w).failedSolvers, 2U);
}

TEST(SolversInTurn, RefuseNone) {
  using Given = std::vector<std::unique_ptr<SolverOverSets>>;
  expectError([] { SolversInTurn none{Given()}; }, {"SolversInTurn", "empty"});
  expectError([] { SolversInTurn null{Given(1)}; }, {"SolversInTurn", "solver 0", "null"});
}

}  // namespace
