// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/simulation/NewtonGuard.hpp>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace delassus;
using numerics::SolveReport;
using numerics::SolveStatus;

// One interaction with one multiplier.
StepEquations oneMultiplier() {
  StepEquations equations;
  equations.clear("one multiplier");
  equations.addInteraction(1, 1);
  equations.finish();
  return equations;
}

// Writes down where it starts, and answers with the number of the solve.
class Noted final : public OneStepNSProblem {
 public:
  bool certifies = false;
  SolveStatus status = SolveStatus::converged;
  double tolerance = 0.;
  double error = 1., errorOfAnswer = 1.;  // a judge that tolerates 0 does not take them
  std::vector<double> starts;
  std::size_t certificates = 0;

  std::string_view name() const override { return "Noted"; }
  void bind(const NonSmoothDynamicalSystem&, const StepEquations&) override {}
  SolveReport attempt(StepEquations& equations) override {
    starts.push_back(equations.multiplier(0)[0]);
    equations.multiplier(0)[0] = static_cast<double>(starts.size());
    return reportOf(status, errorOfAnswer);
  }
  SolveReport certify(StepEquations&) override {
    ++certificates;
    return reportOf(certifies ? SolveStatus::converged : SolveStatus::inaccurate, error);
  }
  std::size_t size() const override { return 1; }
  std::string whyNotUnique() override { return {}; }
  std::string activeNames() const override { return {}; }

 private:
  SolveReport reportOf(SolveStatus verdict, double errorFound) const {
    SolveReport report;
    report.status = verdict;
    report.error = errorFound;
    report.tolerance = tolerance;
    return report;
  }
};

struct NewtonGuardTest : testing::Test {
  StepEquations step = oneMultiplier();
  Noted problem;
  NewtonGuard guard;

  NewtonGuardTest() { guard.begin(); }
  void pass(double residual) {
    guard.solve(problem, step);
    guard.observe(residual, {0., residual, "box"}, step);
  }
  void stall() {
    pass(1.);
    for (int k = 0; k < 4; ++k) pass(0.9);
  }
};

TEST_F(NewtonGuardTest, LeavesALoopWhoseResidualFallsAsItIs) {
  double residual = 1.;
  for (int k = 0; k < 20; ++k) pass(residual *= 0.8);  // halved in four passes
  EXPECT_EQ(problem.certificates, 0U);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(problem.starts[k], static_cast<double>(k));
}

TEST_F(NewtonGuardTest, KeepsCertifiedMultipliersOnceTheLoopHasStalled) {
  stall();
  EXPECT_EQ(problem.starts.size(), 5U);
  problem.certifies = true;
  EXPECT_TRUE(guard.solve(problem, step).converged());
  EXPECT_EQ(problem.starts.size(), 5U);
  EXPECT_EQ(step.multiplier(0)[0], 5.);
}

TEST_F(NewtonGuardTest, StartsFromTheSameMultipliersInEachPassAfterAStall) {
  stall();
  for (int k = 0; k < 5; ++k) pass(0.9);  // the first one is a new best, the others stall again
  for (int k = 0; k < 2; ++k) pass(0.9);
  for (std::size_t k = 5; k < 10; ++k) EXPECT_EQ(problem.starts[k], 0.) << "pass " << k;
  for (std::size_t k = 10; k < 12; ++k) EXPECT_EQ(problem.starts[k], 10.) << "pass " << k;
}

TEST_F(NewtonGuardTest, GoesBackToTheLastMultipliersWhereTheSameStartFails) {
  stall();
  problem.status = SolveStatus::iterationLimit;
  std::size_t asked = 0;
  problem.setJudge([&asked](const SolveReport&) {
    ++asked;
    return 0.;
  });
  const std::size_t solves = problem.solves();
  EXPECT_FALSE(guard.solve(problem, step).converged());
  EXPECT_EQ(asked, 1U);  // about the answer of the step alone
  EXPECT_EQ(problem.solves(), solves + 1);
  ASSERT_EQ(problem.starts.size(), 7U);
  EXPECT_EQ(problem.starts[5], 0.);
  EXPECT_EQ(problem.starts[6], 5.);
}

// A judge that takes errors up to 1e-3, for a solver of tolerance 1e-8.
struct RelaxedNewtonGuardTest : NewtonGuardTest {
  RelaxedNewtonGuardTest() {
    problem.status = SolveStatus::iterationLimit;
    problem.tolerance = 1e-8;
    problem.setRelaxation(1e5);
    problem.setJudge([](const SolveReport&) { return 1e-3; });
  }
  void passWithErrors(double ofAnswer, double ofKept) {
    problem.error = ofKept;
    problem.errorOfAnswer = ofAnswer;
    pass(1.);
  }
};

TEST_F(RelaxedNewtonGuardTest, KeepsMultipliersWhileTheirErrorIsThatOfTheAnswer) {
  passWithErrors(1e-5, 1.);
  EXPECT_EQ(problem.certificates, 0U);  // nothing was accepted before
  passWithErrors(1e-5, 3e-5);           // more than twice that of the answer: a solve
  passWithErrors(1e-5, 1.9e-5);
  EXPECT_EQ(problem.starts.size(), 2U);
  EXPECT_EQ(problem.certificates, 2U);
  EXPECT_TRUE(problem.relaxed());
  EXPECT_EQ(problem.relaxations(), 3U);
}

TEST_F(RelaxedNewtonGuardTest, KeepsMultipliersWithinAThousandthOfTheBound) {
  passWithErrors(2e-8, 1.);
  passWithErrors(2e-8, 0.9e-6);
  EXPECT_EQ(problem.starts.size(), 1U);
}

TEST_F(RelaxedNewtonGuardTest, KeepsNothingBeyondTheBound) {
  passWithErrors(0.9e-3, 1.);
  passWithErrors(0.9e-3, 1.1e-3);
  EXPECT_EQ(problem.starts.size(), 2U);
}

TEST_F(RelaxedNewtonGuardTest, KeepsNothingWhereAPolicyDecides) {
  problem.setRelaxation(1.);
  passWithErrors(1e-5, 1.);
  passWithErrors(1e-5, 1e-5);
  EXPECT_EQ(problem.starts.size(), 2U);
}

// Without certify() of its own.
class Uncertified final : public OneStepNSProblem {
 public:
  std::size_t solves = 0;
  std::string_view name() const override { return "Uncertified"; }
  void bind(const NonSmoothDynamicalSystem&, const StepEquations&) override {}
  SolveReport attempt(StepEquations&) override {
    ++solves;
    SolveReport report;
    report.status = SolveStatus::iterationLimit;
    report.error = 1e-5;
    report.tolerance = 1e-8;
    return report;
  }
  std::size_t size() const override { return 1; }
  std::string whyNotUnique() override { return {}; }
  std::string activeNames() const override { return {}; }
};

TEST_F(RelaxedNewtonGuardTest, KeepsNothingThatCannotBeCertified) {
  Uncertified own;
  own.setRelaxation(1e5);
  own.setJudge([](const SolveReport&) { return 1e-3; });
  for (int k = 0; k < 3; ++k) guard.solve(own, step);
  EXPECT_EQ(own.solves, 3U);
}

TEST_F(RelaxedNewtonGuardTest, ForgetsAnswersOfALoopBefore) {
  passWithErrors(1e-5, 1.);
  guard.begin();
  passWithErrors(1e-5, 1e-5);
  EXPECT_EQ(problem.starts.size(), 2U);
}

TEST(StepResidual, IsNotANumberOnceAPartIsNot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool inChange : {false, true}) {
    StepResidual residual;
    residual.include(1., 2., "first");
    residual.include(inChange ? 0. : nan, inChange ? nan : 0., "second");
    residual.include(3., 4., "third");
    EXPECT_TRUE(std::isnan(residual.largest()));
    EXPECT_EQ(residual.where, "second");
  }
}

TEST_F(NewtonGuardTest, BeginsEachLoopAnew) {
  stall();
  guard.begin();
  pass(1.);
  EXPECT_EQ(problem.certificates, 0U);
  EXPECT_EQ(problem.starts.back(), 5.);
}

TEST_F(NewtonGuardTest, TakesALoopThatHasStalledThreeTimesForOneWithoutAnEnd) {
  for (int k = 0; k < 14; ++k) pass(0.9);
  EXPECT_FALSE(guard.goesRound());
  pass(0.9);
  EXPECT_TRUE(guard.goesRound());
  guard.begin();
  EXPECT_FALSE(guard.goesRound());
}

TEST_F(NewtonGuardTest, SaysWhatGoesRoundAndWhatHelps) {
  pass(1.);
  EXPECT_NE(guard.describe(1, 1e-10).find("had not stalled: allow more iterations"), std::string::npos);
  stall();
  const std::string text = guard.describe(6, 1e-10);
  for (const char* part :
       {"after 6 iterations with residual 0.9 (tolerance 1e-10)", "last change of the velocities of 'box'",
        "without falling below 0.9", "NewtonTest::residual", "semiExplicit", "Jacobians"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

}  // namespace
