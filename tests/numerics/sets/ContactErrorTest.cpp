// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/problem/NaturalMapError.hpp>

#include <cmath>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

FrictionContactProblem oneContact(double q0, double q1, double q2, double mu) {
  return {3, diagonalMatrix({2., 2., 2.}), makeVector({q0, q1, q2}), makeVector({mu})};
}

double error(const FrictionContactProblem& problem, const Vector& r, ErrorMeasure measure = ErrorMeasure::scaled) {
  Vector u;
  return errorOf(problem, measure, r, u);
}

TEST(ContactError, IsZeroAtOpenStickingAndSlidingContacts) {
  // W = 2: sticking needs r = −q/2 in the cone; sliding r_N = −q_N/2, r_T = μ r_N against u_T.
  EXPECT_EQ(error(oneContact(1., 3., 0., 0.5), makeVector({0., 0., 0.})), 0.);
  EXPECT_NEAR(error(oneContact(-2., 0.4, 0., 0.5), makeVector({1., -0.2, 0.})), 0., 1e-16);
  EXPECT_NEAR(error(oneContact(-2., 3., 0., 0.5), makeVector({1., -0.5, 0.})), 0., 1e-16);
}

TEST(ContactError, IsZeroAtKnownAnswersOfManyContactsInBothMeasures) {
  for (const std::size_t dimension : {2U, 3U}) {
    Generator generator(7);
    const KnownContacts known = randomKnownContacts(generator, {.dimension = dimension, .contacts = 40, .bodies = 8});
    Vector u;
    EXPECT_LT(errorOf(known.problem, ErrorMeasure::scaled, known.reaction, u), 1e-14);
    expectNear(u, known.velocity, 1e-13);
    EXPECT_LT(error(known.problem, known.reaction, ErrorMeasure::published), 1e-14);
  }
}

TEST(ContactError, PublishedMeasureIsTheNaturalMapOverTheNormOfQ) {
  // r = (1, 0, 0): u = (0, 3, 0), û = (1.5, 3, 0), r − û = (−0.5, −3, 0), whose projection is 0.8 (1, −0.5, 0).
  const FrictionContactProblem problem = oneContact(-2., 3., 0., 0.5);
  const double distance = std::sqrt(0.2 * 0.2 + 0.4 * 0.4);
  EXPECT_NEAR(error(problem, makeVector({1., 0., 0.}), ErrorMeasure::published), distance / std::sqrt(13.), 1e-15);
}

TEST(ContactError, ScaledMeasureDoesNotChangeWithTheUnits) {
  Generator generator(8);
  const FrictionContactProblem problem = assembled(randomMovingBodies(generator, {.contacts = 12, .bodies = 5}));
  Vector r = randomVector(generator, problem.size());
  const double before = error(problem, r);
  // Grams and millimetres: W [m/s per N s] and q [m/s] in other numbers, r in others still.
  BlockSparseMatrix W = *problem.W().matrix();
  for (std::size_t k = 0; k < W.blockCount(); ++k) {
    for (std::size_t i = 0; i < 9; ++i) W.block(k)[i] *= 1e-3;
  }
  W.touch();
  Vector q = problem.q();
  for (double& x : q.data()) x *= 1e3;
  for (double& x : r.data()) x *= 1e6;
  EXPECT_NEAR(error({3, W, q, problem.mu()}, r), before, 1e-12 * before);
}

TEST(ContactError, OfNothingToDoIsRelativeToOne) {
  const FrictionContactProblem rest = oneContact(0., 0., 0., 0.5);
  EXPECT_EQ(error(rest, makeVector({0., 0., 0.})), 0.);
  EXPECT_GT(error(rest, makeVector({1., 0., 0.})), 0.5);
}

TEST(ContactError, SeesAClosingGapBehindAHugeReaction) {
  // r − û is r in double precision; the velocity of −1 must not be lost in it.
  for (const std::size_t d : {2U, 3U}) {
    Vector q(d), r(d);
    q(0) = -1.;
    const FrictionContactProblem problem(d, Matrix(d, d), q, makeVector({0.5}));
    for (const double size : {1e8, 1e20, 1e100}) {
      r(0) = size;
      EXPECT_NEAR(error(problem, r), 1., 1e-15);
      EXPECT_NEAR(error(problem, r, ErrorMeasure::published), 1., 1e-15);
    }
  }
}

TEST(ContactError, IsInfiniteForNaNAndRefusesWrongSizes) {
  const FrictionContactProblem problem = oneContact(-1., 0., 0., 0.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < 3; ++i) {
    Vector r = makeVector({1., 0., 0.});
    r(i) = nan;
    EXPECT_EQ(error(problem, r), std::numeric_limits<double>::infinity());
  }
  expectError(
      [&] {
        error(problem, makeVector({1., 0.}));
      },
      {"FrictionContactProblem: the unknown", "size 3", "size 2"});
}

}  // namespace
