// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/AdmmIteration.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

#include <cmath>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(NormalMap, IsZeroAtKnownAnswers) {
  for (const std::size_t dimension : {2U, 3U}) {
    for (const double most : {0.9, 5.}) {
      Generator generator(21);
      const KnownContacts known =
          randomKnownContacts(generator, {.dimension = dimension, .contacts = 20, .bodies = 9, .mostFriction = most});
      NormalMap map;
      map.begin(known.problem, 1.);
      Vector a(known.problem.size());
      map.pointOf(known.reaction, a);
      EXPECT_LT(map.evaluate(a), 1e-12);
      expectNear(map.reaction(), known.reaction, 1e-12);
    }
  }
}

TEST(NormalMap, HasTheJacobianOfItsProjection) {
  constexpr double h = 1e-6;
  const std::vector<Part> parts = {Part::coulomb(2, 0.4),
                                   Part::coulomb(3, 0.7),
                                   Part::coulomb(3, 3.),
                                   Part::rollingContact(3, 0.5, 0.3),
                                   Part::rollingContact(3, 2., 0.3),
                                   Part::secondOrderCone(4, 0.8),
                                   Part::ball(2, 0.6),
                                   Part::druckerPrager(3, 0.5, 0.3)};
  std::size_t n = 0;
  for (const Part& part : parts) n += part.rows;
  Generator generator(22);
  for (int trial = 0; trial < 20; ++trial) {
    const GenericMechanicalProblem problem(randomSemidefinite(generator, n, n, 0.5), randomVector(generator, n), parts);
    NormalMap map;
    map.begin(problem, 0.3);
    const Vector a = randomVector(generator, n);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::size_t first = problem.offset(part), m = parts[part].rows;
      std::vector<double> jacobian(m * m);
      map.projectionJacobian(part, first, a, jacobian.data());
      for (std::size_t j = 0; j < m; ++j) {
        Vector forward = a, backward = a;
        forward(first + j) += h;
        backward(first + j) -= h;
        map.evaluate(forward);
        const Vector above = map.reaction();
        map.evaluate(backward);
        // Random points are off the kinks; the differences are good to 1e-9.
        for (std::size_t i = 0; i < m; ++i) {
          EXPECT_NEAR(jacobian[i + m * j], (above(first + i) - map.reaction()(first + i)) / (2. * h), 1e-6) << part;
        }
      }
    }
  }
}

TEST(NormalMap, HasTheJacobianOfAHalfLineWithoutFriction) {
  const FrictionContactProblem problem(3, identityMatrix(3), makeVector({1., 1., 1.}), makeVector({0.}));
  NormalMap map;
  map.begin(problem, 1.);
  std::vector<double> D(9);
  for (const double tangential : {0., 1.}) {
    map.projectionJacobian(0, 0, makeVector({2., tangential, 0.}), D.data());
    EXPECT_EQ(D, (std::vector<double>{1., 0., 0., 0., 0., 0., 0., 0., 0.}));
    map.projectionJacobian(0, 0, makeVector({-2., tangential, 0.}), D.data());
    EXPECT_EQ(D, std::vector<double>(9, 0.));
  }
}

TEST(AdmmIteration, StaysAtAnAnswerAndComesNearerToIt) {
  Generator generator(23);
  const KnownContacts known = randomKnownContacts(generator, {.contacts = 30, .bodies = 40});
  const FrictionContactProblem problem = assembled(known.problem);
  AdmmIteration admm;
  ASSERT_TRUE(admm.begin(problem, 0.5, known.reaction));
  admm.step(1.6);
  EXPECT_LT(admm.residual(), 1e-13);

  ASSERT_TRUE(admm.begin(problem, 0.5, Vector(problem.size())));
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

TEST(PenaltyBalance, ChangesLessAndLessOftenAndWithinItsRange) {
  PenaltyBalance balance({.threshold = 5., .power = 0.5, .largest = 1e3});
  double factor = 1.;
  std::vector<int> changes;
  for (int step = 1; step <= 40; ++step) {
    const double next = balance.next(4, factor, 16., 1.);
    if (next != factor) changes.push_back(step);
    factor = next;
  }
  EXPECT_EQ(changes, (std::vector<int>{4, 10, 19, 32}));
  EXPECT_DOUBLE_EQ(factor, 256.);
  balance.restart();
  EXPECT_EQ(balance.next(1, 1., 4., 1.), 1.);
  EXPECT_DOUBLE_EQ(balance.next(1, 1., 1., 1e8), 0.1);
  EXPECT_DOUBLE_EQ(balance.next(1, 500., 1e8, 1.), 1e3);
  EXPECT_EQ(balance.next(1, 500., 0., 1.), 500.);
  EXPECT_EQ(balance.next(0, 500., 1e8, 1.), 500.);
}

}  // namespace
