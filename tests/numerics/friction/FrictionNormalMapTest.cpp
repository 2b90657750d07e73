// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/AdmmIteration.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/ContactSystem.hpp>
#include <delassus/numerics/friction/FrictionNormalMap.hpp>
#include <delassus/numerics/friction/NormalScaling.hpp>
#include <delassus/numerics/sets/NaturalMapError.hpp>

#include <cmath>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(FrictionNormalMap, IsZeroAtKnownAnswers) {
  for (const std::size_t dimension : {2U, 3U}) {
    Generator generator(21);
    const KnownContacts known = randomKnownContacts(generator, {.dimension = dimension, .contacts = 20, .bodies = 9});
    std::vector<double> penalties;
    contactScales(known.problem, penalties);
    FrictionNormalMap map;
    map.begin(known.problem, penalties);
    Vector a(known.problem.size());
    map.pointOf(known.reaction, a);
    EXPECT_LT(map.evaluate(a), 1e-12);
    expectNear(map.reaction(), known.reaction, 1e-13);
  }
}

TEST(FrictionNormalMap, JacobianAgreesWithCentralDifferences) {
  constexpr double h = 1e-6;
  for (const std::size_t dimension : {2U, 3U}) {
    Generator generator(22);
    const FrictionContactProblem problem =
        assembled(randomMovingBodies(generator, {.dimension = dimension, .contacts = 24, .bodies = 20}));
    const std::size_t n = problem.size();
    std::vector<double> penalties;
    contactScales(problem, penalties);
    FrictionNormalMap map;
    map.begin(problem, penalties);
    // Random points are off the kinks of all three cases, which 24 contacts all show.
    const Vector a = randomVector(generator, n);
    map.evaluate(a);
    std::size_t open = 0, stick = 0;
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
      std::vector<double> D(dimension * dimension);
      map.projectionJacobian(c, a, D.data());
      open += D[0] == 0. ? 1 : 0;
      stick += D[0] == 1. ? 1 : 0;
    }
    ASSERT_TRUE(open > 0 && stick > 0 && open + stick < problem.contacts());
    ContactSystem system;
    system.begin(dimension, problem.contacts());
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
      map.projectionJacobian(c, a, system.right(c));
      map.addLocalJacobian(c, system.right(c), system.local(c));
    }
    ASSERT_TRUE(system.factor(*problem.W().matrix()));
    // J⁻¹ of the differenced columns is the unit matrix.
    for (std::size_t j = 0; j < n; ++j) {
      Vector forward = a, backward = a;
      forward(j) += h;
      backward(j) -= h;
      map.evaluate(forward);
      Vector column = map.residual();
      map.evaluate(backward);
      for (std::size_t i = 0; i < n; ++i) column(i) = (column(i) - map.residual()(i)) / (2. * h);
      system.solve(data(column));
      // The differences are good to 1e-9; the inverse may add two digits.
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(column(i), i == j ? 1. : 0., 1e-6) << i << ' ' << j;
    }
  }
}

TEST(FrictionNormalMap, JacobianOfTheProjectionIsThatOfAHalfLineWithoutFriction) {
  const FrictionContactProblem problem(3, identityMatrix(3), makeVector({1., 1., 1.}), makeVector({0.}));
  FrictionNormalMap map;
  map.begin(problem, {1.});
  std::vector<double> D(9);
  const Vector pushed = makeVector({2., 0., 0.});
  map.evaluate(pushed);
  map.projectionJacobian(0, pushed, D.data());
  EXPECT_EQ(D, (std::vector<double>{1., 0., 0., 0., 0., 0., 0., 0., 0.}));
  const Vector pulled = makeVector({-2., 1., 0.});
  map.evaluate(pulled);
  map.projectionJacobian(0, pulled, D.data());
  EXPECT_EQ(D, std::vector<double>(9, 0.));
}

TEST(AdmmIteration, StaysAtAnAnswerAndComesNearerToIt) {
  Generator generator(23);
  const KnownContacts known = randomKnownContacts(generator, {.contacts = 30, .bodies = 40});
  const FrictionContactProblem problem = assembled(known.problem);
  AdmmIteration admm;
  ASSERT_TRUE(admm.begin(problem, *problem.W().matrix(), 0.5, known.reaction));
  admm.step(1.6);
  EXPECT_LT(admm.residual(), 1e-13);

  ASSERT_TRUE(admm.begin(problem, *problem.W().matrix(), 0.5, Vector(problem.size())));
  const double before = admm.residual();
  for (int k = 0; k < 50; ++k) admm.step(1.6);
  EXPECT_LT(admm.residual(), 1e-2 * before);
  // Another penalty changes a, but neither the reaction nor the velocity.
  const Vector reaction = admm.map().reaction();
  const double residual = admm.residual();
  ASSERT_TRUE(admm.setPenaltyFactor(2.));
  expectNear(admm.map().reaction(), reaction, 1e-13);
  EXPECT_NEAR(admm.residual(), residual, 1e-12);
}

TEST(NormalScaling, KeepsTheAnswersAndBoundsTheCones) {
  Generator generator(24);
  const KnownContacts known =
      randomKnownContacts(generator, {.contacts = 20, .bodies = 9, .leastFriction = 0.2, .mostFriction = 10.});
  const FrictionContactProblem problem = assembled(known.problem);
  NormalScaling scaling;
  scaling.begin(problem, *problem.W().matrix());
  Vector x(problem.size()), u, back(problem.size());
  scaling.toScaled(known.reaction, x);
  EXPECT_LT(errorOf(scaling.problem(), ErrorMeasure::scaled, x, u), 1e-13);
  for (const double mu : scaling.problem().mu()) EXPECT_LE(mu, 1.);
  scaling.toOriginal(x, back);
  expectNear(back, known.reaction, 1e-15);
  // The matrix it was made from is as it was.
  EXPECT_LT(errorOf(problem, ErrorMeasure::scaled, known.reaction, u), 1e-13);
}

}  // namespace
