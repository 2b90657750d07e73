// SPDX-License-Identifier: Apache-2.0
//
// MLCPs whose equality rows depend on each other, of matrices of low rank.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <filesystem>
#include <string>
#include <support/RandomProblems.hpp>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;
using Problem = MixedLinearComplementarityProblem;
using Row = Problem::Row;

constexpr double tolerance = 1e-8;

// The residual of the equality rows and negative parts, summed in extended precision, relative to q.
double misfit(const Problem& problem, const Vector& z) {
  std::vector<long double> w(problem.size());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = problem.q()(i);
  problem.addExtended(data(z), w.data());
  long double squares = 0.L;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (problem.row(i) == Row::equality || w[i] < 0.L) squares += w[i] * w[i];
  }
  return static_cast<double>(std::sqrt(squares)) / norm2(problem.q());
}

void expectNothingFalse(const Problem& problem, const std::string& what) {
  for (const auto& entry : solversFor<Problem>()) {
    Vector z, w;
    const SolveReport report = entry.make({tolerance, 0})->solve(problem, z, w);
    EXPECT_NE(report.status, SolveStatus::infeasible) << what << ", " << entry.name << ": " << report.summary();
    if (!report.converged()) continue;
    EXPECT_LE(misfit(problem, z), tolerance) << what << ", " << entry.name << ": " << report.summary();
  }
}

// Positive semidefinite of a rank below its number of equality rows.
Problem lowRank(std::size_t seed, Vector* answer = nullptr) {
  Generator generator(seed);
  const std::size_t pairs = 1 + seed % 3, equalities = 5 + seed % 4, n = equalities + pairs;
  const Matrix M = randomSemidefinite(generator, n, 1 + seed % 3);
  Vector z = randomVector(generator, n);
  Vector q(n);
  std::vector<Row> rows(n, Row::equality);
  for (std::size_t i = equalities; i < n; ++i) {
    rows[i] = Row::complementarity;
    const bool active = z(i) > 0.;
    if (!active) z(i) = 0.;
    q(i) = active ? 0. : 0.5;
  }
  multiply(-1., M, z, 1., q);
  if (answer != nullptr) *answer = z;
  return {M, q, rows};
}

TEST(MlcpsWithRedundantRows, AreJudgedRightBySolversOfEveryKind) {
  for (std::size_t seed = 0; seed < 120; ++seed) expectNothingFalse(lowRank(seed), std::to_string(seed));
}

TEST(MlcpsWithRedundantRows, HaveModerateAnswers) {
  for (std::size_t seed = 0; seed < 120; ++seed) {
    Vector known;
    const Problem problem = lowRank(seed, &known);
    for (const char* const name : {"automatic", "direct", "reduction", "least_norm"}) {
      Vector z, w;
      const SolveReport report = solverNamed<Problem>(name, {tolerance, 0})->solve(problem, z, w);
      EXPECT_TRUE(report.converged()) << seed << ' ' << report.summary();
      EXPECT_LE(normInf(z), 1e4 * (1. + normInf(known))) << seed << ' ' << report.summary();
    }
  }
}

TEST(MlcpsWithRedundantRows, ThatContradictEachOtherAreProvedInfeasible) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Problem problem = lowRank(seed);
    problem.q()(seed % 5) += 1.;
    for (const char* const name : {"automatic", "direct", "reduction"}) {
      Vector z, w;
      const SolveReport report = solverNamed<Problem>(name, {tolerance, 0})->solve(problem, z, w);
      EXPECT_EQ(report.status, SolveStatus::infeasible) << seed << ' ' << report.summary();
      EXPECT_EQ(report.reason, "equality rows contradict each other") << seed;
    }
  }
}

class FoundMlcps : public testing::TestWithParam<const char*> {};

TEST_P(FoundMlcps, AreJudgedRightBySolversOfEveryKind) {
  const std::filesystem::path path = publishedFile(std::string("found/") + GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << noTestData();
  const Problem problem = readMlcp(path);
  expectNothingFalse(problem, GetParam());
  Vector z, w;
  const SolveReport report = solverNamed<Problem>("automatic", {tolerance, 0})->solve(problem, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LE(normInf(z), 1e6);
}

INSTANTIATE_TEST_SUITE_P(Files, FoundMlcps,
                         testing::Values("mlcp_false_converged_1050.dat", "mlcp_false_infeasible_1925.dat"));

}  // namespace
