// SPDX-License-Identifier: Apache-2.0
//
// Solvers of contacts with friction against references that share no code with them, where the answer is unique.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>

#include <support/Friction2DEnumerationSolver.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(FrictionReferences, AgreeWithEachOtherInDimension2WhereTheAnswerIsUnique) {
  Generator generator(41);
  for (int k = 0; k < 10; ++k) {
    const FrictionContactProblem problem = assembled(randomMovingBodies(
        generator, {.dimension = 2, .contacts = 5, .bodies = 12, .leastFriction = 0.05, .mostFriction = 0.2}));
    Vector reference, u;
    ASSERT_TRUE(Friction2DEnumerationSolver({.tolerance = 1e-12}).solve(problem, reference, u).converged());
    for (const char* name : {"lemke_2d", "admm_newton", "newton_alart_curnier", "nsgs_momentum"}) {
      Vector r;
      const SolveReport report = solverNamed<FrictionContactProblem>(name, {1e-11, 0})->solve(problem, r, u);
      EXPECT_TRUE(report.converged()) << report.summary();
      expectNear(r, reference, 1e-7);
    }
  }
}

// The nearest point of Coulomb's cone in three dimensions.
void projectOnCone(double mu, double* x) {
  const double length = std::hypot(x[1], x[2]);
  if (length <= mu * x[0]) return;
  const double normal = std::max(0., (x[0] + mu * length) / (1. + mu * mu));
  const double factor = length > 0. ? mu * normal / length : 0.;
  x[0] = normal;
  x[1] *= factor;
  x[2] *= factor;
}

// De Saxcé's fixed point: with s = μ‖u_T‖ held, gradient steps lead to the least ½ rᵀW r + (q + s)ᵀr in the cones; then
// s is that of r. (Cadoux, 2009; for W of full rank and little friction.)
Vector fixedPointOnTheShift(const FrictionContactProblem& problem) {
  Matrix W;
  problem.W().matrix()->toDense(W);
  const std::size_t n = problem.size();
  double largest = 0.;  // row sum, above the largest eigenvalue of W
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(W(i, j));
    largest = std::max(largest, sum);
  }
  constexpr double rounding = 1e-14;  // of reactions of some units
  Vector r(n), u(n), shift(n), before(n), beforeSteps(n);
  const auto change = [&](const Vector& from) {
    double most = 0.;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(r(i) - from(i)));
    return most;
  };
  for (int outer = 0; outer < 100; ++outer) {
    assign(r, beforeSteps);
    do {
      assign(r, before);
      assign(problem.q(), u);
      multiply(1., W, r, 1., u);
      for (std::size_t i = 0; i < n; ++i) r(i) -= (u(i) + shift(i)) / largest;
      for (std::size_t c = 0; c < problem.contacts(); ++c) projectOnCone(problem.mu()(c), data(r) + 3 * c);
    } while (change(before) > rounding);
    if (change(beforeSteps) <= 10. * rounding) break;
    assign(problem.q(), u);
    multiply(1., W, r, 1., u);
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
      shift(3 * c) = problem.mu()(c) * std::hypot(u(3 * c + 1), u(3 * c + 2));
    }
  }
  return r;
}

TEST(FrictionReferences, AgreeWithAFixedPointOnTheShiftWhereTheAnswerIsUnique) {
  Generator generator(42);
  for (int k = 0; k < 10; ++k) {
    const FrictionContactProblem problem = assembled(
        randomMovingBodies(generator, {.contacts = 8, .bodies = 20, .leastFriction = 0.05, .mostFriction = 0.2}));
    const Vector reference = fixedPointOnTheShift(problem);
    for (const char* name : {"interior_point", "admm_newton", "newton_natural_map", "nsgs_momentum"}) {
      Vector r, u;
      const SolveReport report = solverNamed<FrictionContactProblem>(name, {1e-10, 0})->solve(problem, r, u);
      EXPECT_TRUE(report.converged()) << report.summary();
      // Conditions of W are some hundreds.
      expectNear(r, reference, 1e-6);
    }
  }
}

}  // namespace
