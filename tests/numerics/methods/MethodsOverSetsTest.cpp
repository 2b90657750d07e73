// SPDX-License-Identifier: Apache-2.0
//
// Methods that take problems over any sets: each set alone and together, by the certificate, which shares no code with
// them.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <memory>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

using AnyMethod = std::unique_ptr<AnySolver<ProblemOverSets>>;

std::vector<AnyMethod> methods(double tolerance = 1e-8) {
  AdmmOptions admm;
  AcceleratedGradientOptions gradient;
  ProximalOptions proximal;
  admm.tolerance = gradient.tolerance = proximal.tolerance = tolerance;
  std::vector<AnyMethod> all;
  all.push_back(std::make_unique<AdmmSolver>(admm));
  all.push_back(std::make_unique<AcceleratedGradientSolver>(gradient));
  all.push_back(
      std::make_unique<ProximalSolver>(std::make_unique<EqualityFreeMechanicalSolver>(0.1 * tolerance), proximal));
  return all;
}

std::vector<Part> partsOfAllSets() {
  return {Part::equality(3),
          Part::box(3),
          Part::orthant(4),
          Part::secondOrderCone(3),
          Part::secondOrderCone(5, 0.4),
          Part::ball(3, 0.2),
          Part::druckerPrager(3, 0.5, 0.3),
          Part::coulomb(2, 0.4),
          Part::coulomb(3, 0.6),
          Part::coulomb(3, 2.),
          Part::rollingContact(3, 0.5, 0.2),
          Part::rollingContact(2, 0.5, 0.2)};
}

GenericMechanicalProblem problemOf(Generator& generator, const std::vector<Part>& parts, double shift) {
  std::size_t n = 0;
  for (const Part& part : parts) n += part.rows;
  return {randomSemidefinite(generator, n, n, shift), randomVector(generator, n), parts, Vector(n, -0.3),
          Vector(n, 0.2)};
}

TEST(MethodsOverSets, SolveEachSetAlone) {
  for (const Part& part : partsOfAllSets()) {
    Generator generator(41);
    for (int trial = 0; trial < 10; ++trial) {
      const GenericMechanicalProblem problem = problemOf(generator, {part, part, part}, 0.1);
      for (const AnyMethod& method : methods()) {
        Vector lambda, w;
        const SolveReport report = method->solve(problem, lambda, w);
        EXPECT_TRUE(report.converged()) << part.set->description() << ", trial " << trial << ": " << report.summary();
        EXPECT_LE(errorOf(problem, ErrorMeasure::scaled, lambda, w), 1e-8);
      }
    }
  }
}

TEST(MethodsOverSets, SolveAllSetsTogetherToAnyTolerance) {
  Generator generator(42);
  for (int trial = 0; trial < 10; ++trial) {
    const GenericMechanicalProblem problem = problemOf(generator, partsOfAllSets(), 0.1);
    for (const double tolerance : {1e-4, 1e-11}) {
      for (const AnyMethod& method : methods(tolerance)) {
        Vector lambda, w;
        const SolveReport report = method->solve(problem, lambda, w);
        EXPECT_TRUE(report.converged()) << trial << ": " << report.summary();
        // The answer is a start that is returned as it is.
        Vector again = lambda;
        EXPECT_EQ(method->solve(problem, again, w).iterations, 0U);
        EXPECT_TRUE(std::equal(again.begin(), again.end(), lambda.begin()));
      }
    }
  }
}

// Redundant rows: W of half the rank, with velocities that it can undo.
TEST(MethodsOverSets, SolveConvexProblemsOfDeficientRank) {
  Generator generator(43);
  const std::vector<Part> parts = {Part::equality(3), Part::orthant(4), Part::box(3)};
  for (int trial = 0; trial < 10; ++trial) {
    const Matrix W = randomSemidefinite(generator, 10, 5);
    Vector q(10);
    multiply(1., W, randomVector(generator, 10), 0., q);
    const GenericMechanicalProblem problem(W, q, parts, Vector(10, -0.3), Vector(10, 0.2));
    for (const AnyMethod& method : methods()) {
      Vector lambda, w;
      const SolveReport report = method->solve(problem, lambda, w);
      EXPECT_TRUE(report.converged()) << trial << ": " << report.summary();
    }
  }
}

TEST(MethodsOverSets, TakeProblemsOfAllClasses) {
  Generator generator(44);
  const Matrix W = randomSemidefinite(generator, 12, 12, 0.2);
  const Vector q = randomVector(generator, 12);
  const LinearComplementarityProblem lcp(W, q);
  const RelayProblem relay(W, q, Vector(12, -1.), Vector(12, 1.));
  const FrictionContactProblem contacts(3, W, q, Vector(4, 0.5));
  for (const ProblemOverSets* const problem :
       {static_cast<const ProblemOverSets*>(&lcp), static_cast<const ProblemOverSets*>(&relay),
        static_cast<const ProblemOverSets*>(&contacts)}) {
    for (const AnyMethod& method : methods()) {
      Vector lambda, w;
      const SolveReport report = method->solve(*problem, lambda, w);
      EXPECT_TRUE(report.converged()) << problem->traits().name << ": " << report.summary();
    }
  }
}

// What a method hands over as its certificate is that of the answer that it returns, whether it has converged or not.
template <class Problem>
void expectOwnCertificates(const Problem& problem, ErrorMeasure measure) {
  for (const auto& entry : solversFor<Problem>()) {
    const auto solver = entry.make({1e-8, 60});
    solver->setMeasure(measure);
    solver->setTimeLimit(0.2);
    Vector unknown, dual, fresh;
    const SolveReport report = solver->solve(problem, unknown, dual);
    if (report.status == SolveStatus::unsupported || !allFinite(unknown)) continue;
    const double error = errorOf(problem, measure, unknown, fresh, solver->tolerance());
    EXPECT_NEAR(report.error, error, 1e-6 * error + 1e-14) << entry.name << ": " << report.summary();
    ASSERT_EQ(dual.size(), fresh.size());
    expectNear(dual, fresh, 1e-10 * (1. + normInf(fresh)));
  }
}

TEST(MethodsOverSets, ReportTheErrorOfTheAnswerThatTheyReturn) {
  Generator generator(45);
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    for (int trial = 0; trial < 10; ++trial) {
      // Monotone, and of any sign.
      const Matrix W = trial % 2 == 0 ? randomSemidefinite(generator, 6, 4, 0.05) : randomMatrix(generator, 6, 6);
      const Vector q = randomVector(generator, 6);
      expectOwnCertificates(LinearComplementarityProblem(W, q), measure);
      expectOwnCertificates(RelayProblem(W, q, Vector(6, -1.), Vector(6, 1.)), measure);
      expectOwnCertificates(FrictionContactProblem(3, W, q, Vector(2, 0.5)), measure);
    }
    expectOwnCertificates(problemOf(generator, partsOfAllSets(), 0.1), measure);
    expectOwnCertificates(problemOf(generator, {Part::equality(3), Part::orthant(4), Part::box(3)}, 0.), measure);
  }
}

TEST(AcceleratedGradientSolver, NeedsNoMatrix) {
  Generator generator(46);
  const FrictionContactProblem problem = randomMovingBodies(generator, {.contacts = 30, .bodies = 20});
  ASSERT_FALSE(problem.hasMatrix());
  Vector r, u;
  const SolveReport report = AcceleratedGradientSolver().solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_FALSE(problem.hasMatrix());
}

// Eigenvalues from 1 to 10⁴: the error falls as exp(−k/100) or so with momentum, as exp(−k/10⁴) without.
TEST(AcceleratedGradientSolver, TakesTheRootOfTheStepsOfAGradientMethod) {
  constexpr std::size_t n = 200;
  Matrix W(n, n);
  Vector q(n);
  // A rotation of a diagonal matrix by a reflection, so that the diagonal does not scale it back.
  Vector axis(n);
  for (std::size_t i = 0; i < n; ++i) axis(i) = 1. / std::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    W(i, i) = std::pow(1e4, static_cast<double>(i) / (n - 1.));
    q(i) = i % 2 == 0 ? 1. : -1.;
  }
  for (const Part& part : {Part::equality(n), Part::orthant(n), Part::secondOrderCone(n)}) {
    Matrix turned = W;
    // (I − 2 a aᵀ) W (I − 2 a aᵀ)
    Vector Wa(n);
    multiply(1., W, axis, 0., Wa);
    const double aWa = dot(axis, Wa);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        turned(i, j) += 4. * aWa * axis(i) * axis(j) - 2. * (axis(i) * Wa(j) + Wa(i) * axis(j));
      }
    }
    Vector lambda, w;
    const SolveReport report =
        AcceleratedGradientSolver().solve(GenericMechanicalProblem(turned, q, {part}), lambda, w);
    EXPECT_TRUE(report.converged()) << part.set->description() << ": " << report.summary();
    EXPECT_LT(report.iterations, 4000U) << part.set->description();
  }
}

// In the larger lattice the shift must be held: a shift that follows every step oscillates for ever.
TEST(AcceleratedGradientSolver, SolvesHyperstaticContacts) {
  for (const auto& [size, tolerance] : {std::pair{4, 1e-8}, std::pair{7, 1e-4}}) {
    const auto n = static_cast<std::size_t>(size);
    const FrictionContactProblem lattice = assembled(sphereLattice(n, n, n, 0.5));
    AcceleratedGradientSolver solver({.tolerance = tolerance});
    Vector r, u;
    const SolveReport report = solver.solve(lattice, r, u);
    EXPECT_TRUE(report.converged()) << report.summary();
  }
}

TEST(ProximalSolver, RefusesWhatItCannotUse) {
  expectError([] { ProximalSolver(nullptr); }, {"inner solver"});
  expectError([] { ProximalSolver(std::make_unique<AdmmSolver>(), {.weight = 0.}); }, {"weight"});
  expectError([] { AcceleratedGradientSolver({.tolerance = 0.}); }, {"tolerance"});
  EXPECT_EQ(LcpProximalSolver().name(), "LcpProximalSolver");
}

}  // namespace
