// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/contact/FactoredDelassus.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <support/Matchers.hpp>
#include <support/PlantedProblems.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

using Restarting = RestartingSolver<ProblemOverSets>;

// Keeps the starts that it is given, and gives the answer where they are above a limit.
class Recording final : public Solver<ProblemOverSets> {
 public:
  Recording(std::vector<double>& starts, double limit, SolveStatus status = SolveStatus::infeasible)
      : starts_(starts), limit_(limit), status_(status) {}
  std::string_view name() const override { return "Recording"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    starts_.push_back(z(0));
    if (z(0) > limit_) z(0) = 1.;
    return {status_, 1, "as told"};
  }

  std::vector<double>& starts_;
  double limit_;
  SolveStatus status_;
};

void drawShare(const ProblemOverSets&, std::size_t, RandomGenerator& generator, const Vector&, Vector& z) {
  z(0) = 0.5 * std::uniform_real_distribution<double>()(generator);
}

// The solution is z = 1.
LinearComplementarityProblem problem() {
  return {identityMatrix(1), makeVector({-1.})};
}

TEST(RestartingSolver, EndsAtTheFirstStartThatLeadsToTheAnswer) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 0.4), drawShare, 1000);
  Vector z, w;
  EXPECT_TRUE(solver.solve(problem(), z, w).converged());
  ASSERT_GT(starts.size(), 1U);
  EXPECT_GT(starts.back(), 0.4);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) EXPECT_LE(starts[k], 0.4);
}

TEST(RestartingSolver, DrawsTheSameStartsInEverySolve) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 1.), drawShare, 5);
  Vector z, w;
  solver.solve(problem(), z, w);
  solver.solve(problem(), z, w);
  ASSERT_EQ(starts.size(), 10U);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(starts[k], starts[5 + k]);
}

// The first start is the caller's, each of the others is made of the answer before.
void drawNext(const ProblemOverSets&, std::size_t number, RandomGenerator&, const Vector&, Vector& z) {
  constexpr double steps[] = {0., 0.25, -0.125, 0.25};  // the third answer is worse than the second
  z(0) += steps[number];
}

TEST(RestartingSolver, LetsStartsBeMadeOfTheAnswersBefore) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 1.), drawNext, 4);
  Vector z = makeVector({0.25}), w;
  solver.solve(problem(), z, w);
  EXPECT_EQ(starts, (std::vector<double>{0.25, 0.5, 0.375, 0.625}));
}

TEST(RestartingSolver, GivesTheBestAnswerAndNoProof) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 1.), drawShare, 5);
  Vector z, w;
  const SolveReport report = solver.solve(problem(), z, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_EQ(z(0), *std::max_element(starts.begin(), starts.end()));
  EXPECT_EQ(report.iterations, 5U);
}

TEST(RestartingSolver, EndsWithAnAnswerThatIsGoodEnough) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 1.), drawNext, 4);
  solver.setLeniency(0.6 / solver.tolerance());
  Vector z = makeVector({0.25}), w;
  const SolveReport report = solver.solve(problem(), z, w);
  EXPECT_EQ(starts, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(z(0), 0.5);
  EXPECT_FALSE(report.converged());
}

TEST(RestartingSolver, EndsWhereTheMethodDoesNotTakeTheProblem) {
  std::vector<double> starts;
  Restarting solver(std::make_unique<Recording>(starts, 1., SolveStatus::unsupported), drawShare, 5);
  Vector z, w;
  EXPECT_EQ(solver.solve(problem(), z, w).status, SolveStatus::unsupported);
  EXPECT_EQ(starts.size(), 1U);
}

TEST(RestartingSolver, RefusesToHaveNothingToDo) {
  std::vector<double> starts;
  EXPECT_THROW(Restarting(nullptr, drawShare, 5), Error);
  EXPECT_THROW(Restarting(std::make_unique<Recording>(starts, 1.), nullptr, 5), Error);
  EXPECT_THROW(Restarting(std::make_unique<Recording>(starts, 1.), drawShare, 0), Error);
}

TEST(RandomImpulses, AreNearAStartAndFarFromItInTurn) {
  const GenericMechanicalProblem mechanism = plantedMechanical(1).problem;
  RandomGenerator generator;
  Vector given(mechanism.size()), lambda;
  for (std::size_t i = 0; i < given.size(); ++i) given(i) = 1. + static_cast<double>(i);
  drawNearAndFar(mechanism, 0, generator, given, lambda);
  for (std::size_t p = 0; p < mechanism.parts().size(); ++p) {
    const std::size_t first = mechanism.offset(p);
    const double factor = lambda(first) / given(first);
    EXPECT_GE(factor, 0.);
    EXPECT_LE(factor, 1.5);
    for (std::size_t i = first; i < first + mechanism.parts()[p].rows; ++i) {
      EXPECT_NEAR(lambda(i), factor * given(i), 1e-15 * given(i));
    }
  }
  RandomGenerator same, other;
  Vector expected(mechanism.size());
  drawNearAndFar(mechanism, 1, same, given, lambda);
  drawImpulses(mechanism, other, expected);
  EXPECT_EQ(norm2(lambda - expected), 0.);
}

// W = Hᵀ M⁻¹ H is not made, and has no blocks that say where a contact begins.
TEST(RandomImpulses, AreScaledWithoutAMatrix) {
  Matrix H(6, 6);
  for (std::size_t i = 0; i < 6; ++i) H(i, i) = 1.;
  const auto W = std::make_shared<FactoredDelassus>(3, std::vector<Matrix>{identityMatrix(6)}, sparseFromDense(H));
  const FrictionContactProblem problem(3, W, Vector(6), makeVector({0.5, 0.5}));
  RandomGenerator generator;
  Vector lambda = makeVector({1., 1., 1., 2., 2., 2.});
  scaleImpulses(problem, generator, lambda);
  for (const std::size_t first : {0U, 3U}) {
    EXPECT_LE(lambda(first), first == 0 ? 1.5 : 3.);
    EXPECT_EQ(lambda(first), lambda(first + 1));
    EXPECT_EQ(lambda(first), lambda(first + 2));
  }
  EXPECT_NE(2. * lambda(0), lambda(3));
}

TEST(RandomImpulses, ObeyTheLaws) {
  RandomGenerator generator;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const GenericMechanicalProblem mechanism = plantedMechanical(seed).problem;
    Vector lambda(mechanism.size());
    drawImpulses(mechanism, generator, lambda);
    EXPECT_TRUE(allFinite(lambda));
    for (std::size_t p = 0; p < mechanism.parts().size(); ++p) {
      const Part& part = mechanism.parts()[p];
      const std::size_t first = mechanism.offset(p);
      if (part.set->isContact() && part.rows == 2) {
        EXPECT_LE(std::abs(lambda(first + 1)), *part.set->coulombFriction() * lambda(first) * (1. + 1e-15));
      }
      for (std::size_t i = first; part.set->isBox() && i < first + part.rows; ++i) {
        EXPECT_GE(lambda(i), mechanism.lower()(i));
        EXPECT_LE(lambda(i), mechanism.upper()(i));
      }
    }
  }
}

// What the automatic solvers gave up on before they had other starts.
template <class Automatic, class Problem>
void expectSolved(const std::vector<std::uint64_t>& seeds, Planted<Problem> (*plant)(std::uint64_t)) {
  for (const std::uint64_t seed : seeds) {
    Vector unknown, dual;
    const SolveReport report = Automatic().solve(plant(seed).problem, unknown, dual);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

TEST(AutomaticSolvers, SolveHardProblemsFromOtherStarts) {
  expectSolved<AutomaticMechanicalSolver>({3860, 47339, 48572}, plantedMechanical);
  expectSolved<AutomaticGlobalSolver>({1233, 9425, 31781, 33449, 42401}, plantedGlobalFriction);
  const auto inSpace = [](std::uint64_t seed) { return plantedFriction(3, seed); };
  expectSolved<AutomaticFrictionSolver, FrictionContactProblem>({8687, 24773, 32847, 34718, 56621}, inSpace);
}

TEST(AutomaticBoxSolver, SolvesMostProblemsWithAnyMatrixThatAreTooLargeToEnumerate) {
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const std::size_t n = 21 + seed % 5;
    const Matrix M = randomMatrix(generator, n, n);
    Vector q(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double value = 0.1 + std::abs(randomVector(generator, 1)(0));
      if (generator() % 2 == 0) {
        q(i) += value;
      } else {
        for (std::size_t k = 0; k < n; ++k) q(k) -= M(k, i) * value;
      }
    }
    Vector z, w;
    solved += AutomaticBoxSolver().solve(LinearComplementarityProblem{M, q}, z, w).converged() ? 1 : 0;
  }
  EXPECT_GE(solved, 19U);
}

TEST(MechanicalElimination, LeavesNoStiffnessOfRounding) {
  // Rows of the rest that the equalities determine: with 1e-17 in W, sweeps took seconds.
  for (const std::uint64_t seed : {43823U, 57452U}) {
    Vector lambda, w;
    const SolveReport report = MechanicalEliminationSolver().solve(plantedMechanical(seed).problem, lambda, w);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

}  // namespace
