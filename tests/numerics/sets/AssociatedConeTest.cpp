// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/sets/AssociatedCone.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

double tangentOf(const Vector& x, std::size_t first, std::size_t rows) {
  double squares = 0.;
  for (std::size_t i = first + 1; i < first + rows; ++i) squares += x(i) * x(i);
  return std::sqrt(squares);
}

// The law in words: λ in K, w in K*, at right angles, to a part of their sizes.
void expectLaw(const Vector& w, const Vector& lambda, std::size_t first, std::size_t rows, double mu,
               double tolerance) {
  const double slip = tangentOf(w, first, rows), friction = tangentOf(lambda, first, rows);
  const double speed = std::abs(w(first)) + slip, size = std::abs(lambda(first)) + friction;
  EXPECT_LE(friction, mu * lambda(first) + tolerance * (1. + size));
  EXPECT_LE(mu * slip, w(first) + tolerance * (1. + speed));
  double product = 0.;
  for (std::size_t i = first; i < first + rows; ++i) product += w(i) * lambda(i);
  EXPECT_NEAR(product, 0., tolerance * (1. + size) * (1. + speed));
}

// One contact: what the closed forms give obeys the law to rounding.
TEST(AssociatedCone, SolvesOneContact) {
  Generator generator(21);
  std::size_t open = 0, stuck = 0;
  for (std::size_t trial = 0; trial < 3000; ++trial) {
    const std::size_t rows = 2 + trial % 2;
    const double mu = trial % 7 == 0 ? 3. : 0.1 * static_cast<double>(trial % 11);
    const AssociatedCone cone(mu);
    const Matrix W = randomSemidefinite(generator, rows, rows, 0.1);
    Vector q(rows);
    multiply(1., W, randomVector(generator, rows), 0., q);
    Vector lambda(rows), w = q;
    const Vector unit(rows, 1.);
    cone.solveLocal({rows, nullptr, nullptr, data(unit), data(unit)}, data(W), RankRevealingLU(), data(w),
                    data(lambda));
    w = q;
    multiply(1., W, lambda, 1., w);
    expectLaw(w, lambda, 0, rows, mu, 1e-9);
    if (lambda(0) == 0.) ++open;
    if (tangentOf(lambda, 0, rows) < 0.999 * mu * lambda(0)) ++stuck;
  }
  EXPECT_GT(open, 300U);
  EXPECT_GT(stuck, 300U);
}

// Where W has a lower rank, local solves that are repeated find a solution.
TEST(AssociatedCone, SolvesOneContactOfLowerRank) {
  Generator generator(23);
  for (std::size_t trial = 0; trial < 500; ++trial) {
    const Matrix W = randomSemidefinite(generator, 3, 1 + trial % 2);
    Vector q(3);
    multiply(1., W, randomVector(generator, 3), 0., q);
    const GenericMechanicalProblem problem(W, q, {Part::associated(3, 0.1 + 0.3 * static_cast<double>(trial % 5))});
    Vector lambda, w;
    const SolveReport report = AutomaticMechanicalSolver({.tolerance = 1e-9}).solve(problem, lambda, w);
    EXPECT_TRUE(report.converged()) << trial << ": " << report.summary();
  }
}

// Hyperstatic problems, of which λ is not unique, but w is: it minimises a strictly convex function.
TEST(AssociatedCone, HasOneVelocityWhateverTheMethod) {
  Generator generator(22);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t contacts = 6;
    const Matrix W = randomSemidefinite(generator, 3 * contacts, 10);
    // The free velocity of some bodies, and one that opens.
    Vector q(3 * contacts);
    multiply(1., W, randomVector(generator, 3 * contacts), 0., q);
    for (std::size_t contact = 0; contact < contacts; ++contact) q(3 * contact) += 0.1;
    const GenericMechanicalProblem problem(W, q, std::vector<Part>(contacts, Part::associated(3, 0.5)));
    Vector lambda, byChain, byAdmm;
    EXPECT_TRUE(AutomaticMechanicalSolver({.tolerance = 1e-11}).solve(problem, lambda, byChain).converged()) << trial;
    for (std::size_t contact = 0; contact < contacts; ++contact) expectLaw(byChain, lambda, 3 * contact, 3, 0.5, 1e-8);
    lambda = {};
    AdmmSolver admm({.tolerance = 1e-10, .maxIterations = 100000});
    EXPECT_TRUE(admm.solve(problem, lambda, byAdmm).converged()) << trial;
    expectNear(byAdmm, byChain, 1e-6 * (1. + normInf(byChain)));
  }
}

TEST(AssociatedCone, RefusesRowsAndCoefficientsThatItCannotHave) {
  expectError([] { GenericMechanicalProblem(identityMatrix(4), Vector(4), {Part::associated(4, 0.5)}); },
              {"2 or 3 rows", "4"});
  expectError([] { GenericMechanicalProblem(identityMatrix(3), Vector(3), {Part::associated(3, -0.5)}); },
              {"aperture", "-0.5"});
}

}  // namespace
