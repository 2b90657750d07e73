// SPDX-License-Identifier: Apache-2.0
//
// Sweeps over packed contacts, against those that solve each contact by itself to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/contact/PackedContacts.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <memory>
#include <numeric>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// Sweeps of one problem.
struct Packed {
  explicit Packed(const FrictionContactProblem& of) : problem(of), r(of.size()), squares(of.contacts()) {
    std::vector<double> scales;
    contactScales(problem, scales);
    std::vector<std::size_t> order(problem.contacts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    places.assign(order.begin(), order.end());
    ContactPattern pattern;
    EXPECT_TRUE(problem.W().findPattern(pattern));
    contacts.pack(problem.W(), pattern, scales, order);
    contacts.begin(problem.q(), problem.mu(), r);
  }
  void sweep(double relaxation = 1.) {
    contacts.sweep(places, relaxation, squares.data());
    contacts.read(r);
  }
  double error() {
    Vector u;
    return errorOf(problem, ErrorMeasure::scaled, r, u);
  }

  FrictionContactProblem problem;
  PackedContacts contacts;
  Vector r;
  std::vector<double> squares;
  std::vector<std::uint32_t> places;
};

FrictionContactProblem assembledContacts(Generator& generator, const ContactSetup& setup) {
  return assembled(randomMovingBodies(generator, setup));
}

// One contact: sweeps are Newton steps on its angle, and converge at once to what solves it.
TEST(PackedContacts, SolveOneContactInAFewSweeps) {
  Generator generator(31);
  for (int trial = 0; trial < 500; ++trial) {
    const double mu = trial % 5 == 0 ? 0. : 0.2 * static_cast<double>(trial % 7);
    Packed one(
        FrictionContactProblem(3, randomSemidefinite(generator, 3, 3, 0.1), randomVector(generator, 3), Vector(1, mu)));
    for (int sweep = 0; sweep < 4; ++sweep) one.sweep();
    EXPECT_LE(one.error(), 1e-12) << trial;
    EXPECT_LE(one.squares[0], 1e-20) << trial;
  }
}

// diag(a, c, c), of balls: in closed form, in one sweep.
TEST(PackedContacts, SolveABallInOneSweep) {
  Generator generator(32);
  for (int trial = 0; trial < 200; ++trial) {
    Packed ball(FrictionContactProblem(3, diagonalMatrix({2., 3.5, 3.5}), randomVector(generator, 3), Vector(1, 0.4)));
    ball.sweep();
    EXPECT_LE(ball.error(), 1e-15) << trial;
  }
}

TEST(PackedContacts, SolveContactsWhoseBlockIsSingular) {
  Generator generator(33);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix W = randomSemidefinite(generator, 3, 2);
    Vector v = randomVector(generator, 3), q(3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) q(i) += W(i, j) * v(j);
    }
    Packed one(FrictionContactProblem(3, W, q, Vector(1, 0.5)));
    for (int sweep = 0; sweep < 6; ++sweep) one.sweep();
    EXPECT_LE(one.error(), 1e-9) << trial;
  }
}

// The same fixed point, by sweeps of about the same number.
TEST(PackedContacts, ConvergeToWhatTheOneContactSolverConvergesTo) {
  Generator generator(34);
  for (int trial = 0; trial < 20; ++trial) {
    const FrictionContactProblem problem = assembledContacts(generator, {.contacts = 12, .bodies = 30});
    NonsmoothGaussSeidelOptions options;
    options.tolerance = 1e-11;
    NonsmoothGaussSeidelSolver packed(options);
    NonsmoothGaussSeidelSolver oneByOne(options, std::make_shared<HybridOneContactSolver>());
    Vector r, u, other, ofOther;
    const SolveReport first = packed.solve(problem, r, u), second = oneByOne.solve(problem, other, ofOther);
    ASSERT_TRUE(first.converged()) << trial << ": " << first.summary();
    ASSERT_TRUE(second.converged()) << trial << ": " << second.summary();
    expectNear(u, ofOther, 1e-8 * (1. + normInf(u)));
    EXPECT_LE(first.iterations, 2 * second.iterations + 20) << trial;
  }
}

// However far they go beyond a solution.
TEST(PackedContacts, StayInTheirCones) {
  Generator generator(35);
  Packed many(assembledContacts(generator, {.contacts = 40, .bodies = 12}));
  for (int sweep = 0; sweep < 50; ++sweep) {
    many.sweep(1.9);
    for (std::size_t contact = 0; contact < many.problem.contacts(); ++contact) {
      const double normal = many.r(3 * contact);
      EXPECT_GE(normal, 0.);
      EXPECT_LE(std::hypot(many.r(3 * contact + 1), many.r(3 * contact + 2)),
                many.problem.mu()(contact) * normal * (1. + 1e-14));
    }
  }
}

// Methods between two that sweep may build the matrix of factors.
TEST(ContactSweep, KeepsWhatItHasPackedFromFactorsWhereTheMatrixIsBuiltLater) {
  const FrictionContactProblem problem = sphereLattice(4, 4, 3, 0.5);
  ContactSweep sweep(nullptr);
  EXPECT_FALSE(sweep.has(problem));
  ASSERT_TRUE(sweep.pack(problem));
  ASSERT_EQ(problem.W().matrix(), nullptr);
  EXPECT_TRUE(sweep.has(problem));
  ASSERT_TRUE(problem.requireMatrix());
  ASSERT_NE(problem.W().matrix(), nullptr);
  EXPECT_TRUE(sweep.has(problem));
  EXPECT_FALSE(sweep.has(sphereLattice(4, 4, 3, 0.5)));
}

// What a sweep with momentum leaves is not what is given back.
TEST(NonsmoothGaussSeidelMomentum, GivesBackTheBestThatWasChecked) {
  Generator generator(36);
  const FrictionContactProblem problem = assembledContacts(generator, {.contacts = 60, .bodies = 20});
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-15;
  options.momentum = true;
  const auto errorAfter = [&](std::size_t limit) {
    options.maxIterations = limit;
    Vector r, u;
    return NonsmoothGaussSeidelSolver(options).solve(problem, r, u).error;
  };
  // Checks come every 20 sweeps and at the limit: what was checked before is checked by longer solves too.
  for (const std::size_t limit : {20U, 40U, 60U, 80U}) {
    const double error = errorAfter(limit);
    EXPECT_LE(errorAfter(limit + 1), error) << limit;
    EXPECT_LE(errorAfter(limit + 20), error) << limit;
  }
}

TEST(NonsmoothGaussSeidel, FollowsCoefficientsThatChangeUnderTheSameW) {
  FrictionContactProblem problem = assembled(sphereLattice(4, 4, 3, 0.5));
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-6;
  NonsmoothGaussSeidelSolver solver(options);
  Vector r, u;
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  problem.setFriction(Vector(problem.contacts(), 0.1));
  const SolveReport report = solver.solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
}

TEST(NonsmoothGaussSeidelMomentum, SolvesALatticeInFewerSweepsThanPlainOnes) {
  const FrictionContactProblem problem = assembled(sphereLattice(8, 8, 4, 0.5));
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-5;
  Vector r, u;
  const SolveReport plain = NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
  options.momentum = true;
  r = {};
  const SolveReport fewer = NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
  EXPECT_TRUE(fewer.converged()) << fewer.summary();
  EXPECT_LT(fewer.iterations, plain.iterations);
}

// Packed, and contact by contact: packed sweeps solve a contact that slides by Newton steps, up to an error that
// vanishes in the end, so that the numbers of sweeps differ a little, and checks come every 20.
TEST(NonsmoothGaussSeidelMomentum, IsTheSameForAnyLayout) {
  Generator generator(37);
  const FrictionContactProblem problem = assembledContacts(generator, {.contacts = 30, .bodies = 20});
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-10;
  options.maxIterations = 50000;
  options.momentum = true;
  Vector packed, plain, u;
  const SolveReport first = NonsmoothGaussSeidelSolver(options).solve(problem, packed, u);
  const SolveReport second =
      NonsmoothGaussSeidelSolver(options, std::make_shared<HybridOneContactSolver>()).solve(problem, plain, u);
  EXPECT_TRUE(first.converged() && second.converged()) << first.summary() << second.summary();
  EXPECT_NEAR(static_cast<double>(first.iterations), static_cast<double>(second.iterations),
              0.1 * static_cast<double>(second.iterations) + 20.);
}

// Where a solve ends without a certificate, too: here the time is up after a sweep.
TEST(NonsmoothGaussSeidel, HandsBackWhereTheLastSweepHasLed) {
  const FrictionContactProblem factors = sphereLattice(6, 6, 3, 0.5), matrix = assembled(factors);
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-12;
  for (const bool momentum : {false, true}) {
    for (const FrictionContactProblem* const problem : {&factors, &matrix}) {
      options.momentum = momentum;
      options.maxIterations = 1;
      Vector once, r, u;
      EXPECT_EQ(NonsmoothGaussSeidelSolver(options).solve(*problem, once, u).status, SolveStatus::iterationLimit);
      options.maxIterations = 1000;
      options.errorInterval = 1000;
      NonsmoothGaussSeidelSolver hasty(options);
      hasty.setTimeLimit(1e-9);
      EXPECT_EQ(hasty.solve(*problem, r, u).status, SolveStatus::timeLimit);
      EXPECT_GT(norm2(r), 0.);
      expectNear(r, once, 1e-15 * norm2(once));
    }
  }
}

// Factors at first, packed where they have not sufficed: as from a matrix, which is never made.
TEST(NonsmoothGaussSeidel, PacksFactorsInALongSolve) {
  const FrictionContactProblem problem = sphereLattice(6, 6, 3, 0.5);
  ASSERT_EQ(problem.W().matrix(), nullptr);
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-9;
  options.maxIterations = 3;
  Vector r, u;
  NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
  EXPECT_EQ(problem.W().matrix(), nullptr);
  options.maxIterations = 20000;
  r = {};
  const SolveReport report = NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_EQ(problem.W().matrix(), nullptr);
}

}  // namespace
