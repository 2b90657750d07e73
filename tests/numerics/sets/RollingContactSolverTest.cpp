// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/RollingCone.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// ‖r − P_K(r − û)‖ relative to q.
double residual(const ContactShape& part, const Matrix& W, const Vector& q, const Vector& r) {
  Vector u = q;
  multiply(1., W, r, 1., u);
  const ContactCone cone(part);
  Vector value(part.rows);
  cone.naturalMap(data(u), data(r), data(value));
  return norm2(value) / norm2(q);
}

TEST(RollingContactSolver, SolvesEveryRegularContactToRounding) {
  Generator generator(11);
  const RollingContactSolver solver;
  for (int sample = 0; sample < 3000; ++sample) {
    const std::size_t dimension = 2 + generator() % 2;
    const Vector mu = randomVector(generator, 2);
    const ContactShape part = ContactShape::rollingContact(dimension, std::abs(mu(0)), std::abs(mu(1)));
    const Matrix W = randomSemidefinite(generator, part.rows, part.rows, 0.05);
    Vector q = randomVector(generator, part.rows);
    q(0) -= 0.5;
    Vector r(part.rows);
    EXPECT_TRUE(solver.solve(part, data(W), data(q), data(r))) << sample;
    EXPECT_LE(residual(part, W, q, r), 1e-12) << sample;
  }
}

TEST(RollingContactSolver, TakesOffWhereTheFreeVelocityLeaves) {
  const ContactShape part = ContactShape::rollingContact(3, 0.5, 0.1);
  const Matrix W = identityMatrix(5);
  const Vector q = makeVector({0.1, 3., 0., 1., 0.});
  Vector r = makeVector({1., 0., 0., 0., 0.});
  EXPECT_TRUE(RollingContactSolver().solve(part, data(W), data(q), data(r)));
  EXPECT_EQ(norm2(r), 0.);
}

TEST(RollingContactSolver, WithoutRollingResistanceIsCoulombs) {
  Generator generator(12);
  const ContactShape part = ContactShape::rollingContact(3, 0.4, 0.);
  const HybridOneContactSolver coulomb;
  for (int sample = 0; sample < 100; ++sample) {
    const Matrix W = randomSemidefinite(generator, 5, 5, 0.5);
    Matrix W3(3, 3);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) W3(i, j) = W(i, j);
    }
    const Vector q = randomVector(generator, 5);
    Vector r(5);
    std::array<double, 3> expected{};
    EXPECT_TRUE(RollingContactSolver().solve(part, data(W), data(q), data(r)));
    EXPECT_TRUE(coulomb.solve(3, data(W3), data(q), 0.4, expected.data()));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r(i), expected[i], 1e-9);
    EXPECT_EQ(r(3), 0.);
    EXPECT_EQ(r(4), 0.);
  }
}

// With lengths in another unit velocities, moments and μ_R have other numbers, angular velocities and impulses the
// same.
TEST(RollingContactSolver, DoesNotDependOnUnits) {
  Generator generator(13);
  for (int sample = 0; sample < 200; ++sample) {
    const ContactShape part = ContactShape::rollingContact(3, 0.5, 0.2);
    const Matrix W = randomSemidefinite(generator, 5, 5, 0.1);
    Vector q = randomVector(generator, 5);
    q(0) -= 0.5;
    Vector r(5);
    ASSERT_TRUE(RollingContactSolver().solve(part, data(W), data(q), data(r)));
    const double length = 1e3;
    Matrix scaled = W;
    Vector qScaled = q, rScaled(5);
    const auto factor = [&](std::size_t i) { return i < 3 ? length : 1.; };
    for (std::size_t j = 0; j < 5; ++j) {
      qScaled(j) *= factor(j);
      for (std::size_t i = 0; i < 5; ++i) scaled(i, j) *= factor(i) * factor(j);
    }
    const ContactShape other = ContactShape::rollingContact(3, 0.5, 0.2 * length);
    ASSERT_TRUE(RollingContactSolver().solve(other, data(scaled), data(qScaled), data(rScaled)));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(rScaled(i) * factor(i), r(i), 1e-8 * (1. + std::abs(r(i))));
  }
}

}  // namespace
