// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/distributed/Distribution.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(Distribution, GathersWhatItSpreads) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(4, 4, 3, 0.5));
  const Distribution distribution(ranks, ranks.isFirst() ? &whole : nullptr);
  const Vector q = distribution.gather(distribution.problem().q());
  if (ranks.isFirst()) {
    expectNear(q, whole.q(), 0.);
  } else {
    EXPECT_EQ(q.size(), 0U);
  }
  for (std::size_t k = 0; k < distribution.contacts().size(); ++k) {
    EXPECT_EQ(distribution.problem().mu()(k), whole.mu()(distribution.contacts()[k]));
  }
}

// W and q of a problem in global form, against those of the elimination in one process.
TEST(Distribution, EliminatesTheVelocitiesOfAGlobalProblem) {
  const Ranks ranks;
  Generator generator(21);
  const GlobalFrictionContactProblem whole = randomGlobalFriction(generator, {.contacts = 12, .bodies = 8}).problem;
  const Distribution distribution(ranks, ranks.isFirst() ? &whole : nullptr);
  const std::size_t d = whole.dimension();
  // Columns of W, one after another.
  SparseCholeskyFactorization mass;
  ASSERT_TRUE(mass.tryFactor(whole.M()));
  for (std::size_t column = 0; column < whole.size(); ++column) {
    Vector unit(whole.size());
    unit(column) = 1.;
    Vector v(whole.degreesOfFreedom()), expected(whole.size());
    multiply(1., whole.H(), unit, 0., v);
    mass.solve(data(v));
    multiplyTransposed(1., whole.H(), v, 0., expected);
    Vector part(d * distribution.contacts().size()), u(part.size());
    for (std::size_t k = 0; k < part.size(); ++k) part(k) = unit(d * distribution.contacts()[k / d] + k % d);
    distribution.W()->multiply(data(part), data(u));
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_NEAR(u(k), expected(d * distribution.contacts()[k / d] + k % d), 1e-10);
    }
  }
  Vector free = whole.f(), q = whole.b();
  mass.solve(data(free));
  multiplyTransposed(1., whole.H(), free, 1., q);
  const Vector gathered = distribution.gather(distribution.problem().q());
  if (ranks.isFirst()) expectNear(gathered, q, 1e-10);
}

TEST(Distribution, ThrowsOnAllRanksWhatTheFirstRefuses) {
  const Ranks ranks;
  const FrictionContactProblem* const none = nullptr;
  expectError([&] { Distribution(ranks, none); }, {"the first rank has no problem"});
  FrictionContactProblem bad = assembled(sphereLattice(2, 2, 2, 0.5));
  bad.q()(3) = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { Distribution(ranks, ranks.isFirst() ? &bad : nullptr); }, {"nan"});
  const FrictionContactProblem one(3, identityMatrix(3), Vector(3, -1.), Vector(1, 0.5));
  if (ranks.size() > 1) expectError([&] { Distribution(ranks, &one); }, {"1 contacts", "Take fewer ranks"});
}

TEST(Distribution, RefusesAnMWhoseBlocksAreLarge) {
  const Ranks ranks;
  constexpr std::size_t n = Distribution::largestBlock + 1;
  Matrix M = identityMatrix(n);
  for (std::size_t i = 1; i < n; ++i) M(i, i - 1) = M(i - 1, i) = 0.1;
  Matrix H(n, 12);
  for (std::size_t i = 0; i < 12; ++i) H(i, i) = 1.;
  const GlobalFrictionContactProblem whole(3, sparseFromDense(M), sparseFromDense(H), Vector(n, -1.), Vector(12),
                                           Vector(4, 0.5));
  expectError([&] { Distribution(ranks, ranks.isFirst() ? &whole : nullptr); }, {"65 coupled", "at most 64"});
}

}  // namespace
