// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/contacts/MeshContacts.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

Vector outputOf(SecondOrderR& relation, const Vector& u) {
  Vector y(relation.size());
  relation.computeOutput(0., u, Vector(relation.size()), y);
  return y;
}

Matrix jacobianOf(SecondOrderR& relation, const Vector& u) {
  Matrix G(relation.size(), u.size());
  relation.computeJacobian(0., u, Vector(relation.size()), G);
  return G;
}

// G Gᵀ = 1: a normal and tangents, orthonormal. The gap is that of geometry.
TEST(NodeToPlane, HasTheGapAndAnOrthonormalFrame) {
  for (const Vector& normal : {makeVector({0., 2.}), makeVector({-0.6, 0.3}), makeVector({0.1, -0.4, 2.}),
                               makeVector({1., 0., 0.}), makeVector({0., 0., -3.})}) {
    const std::size_t n = normal.size();
    Vector X(n), point(n), u(n);
    for (std::size_t i = 0; i < n; ++i) {
      X(i) = 1. + static_cast<double>(i);
      point(i) = 0.5 - 0.2 * static_cast<double>(i);
      u(i) = 0.01 * static_cast<double>(i + 1);
    }
    LagrangianLinearTIR contact = nodeToPlane(X, normal, point);
    LagrangianLinearTIR gap = nodeToPlane(X, normal, point, ContactOutputs::gap);
    ASSERT_EQ(contact.size(), n);
    ASSERT_EQ(gap.size(), 1U);
    double distance = 0.;
    for (std::size_t i = 0; i < n; ++i)
      distance += normal(i) * (X(i) + u(i) - point(i)) / std::sqrt(inner_prod(normal, normal));
    EXPECT_NEAR(outputOf(contact, u)(0), distance, 1e-15);
    EXPECT_NEAR(outputOf(gap, u)(0), distance, 1e-15);
    const Matrix G = contact.H();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double product = 0.;
        for (std::size_t k = 0; k < n; ++k) product += G(i, k) * G(j, k);
        EXPECT_NEAR(product, i == j ? 1. : 0., 1e-15);
      }
    }
  }
}

TEST(NodeToPlane, RefusesWhatIsNoPlane) {
  const Vector X = makeVector({0., 0.});
  expectError([&] { nodeToPlane(Vector(1), Vector(1), Vector(1)); }, {"2 or 3", "1"});
  expectError([&] { nodeToPlane(X, makeVector({0., 0.}), X); }, {"normal", "zero"});
  expectError([&] { nodeToPlane(X, makeVector({0., 0., 1.}), X); }, {"normal", "2"});
  expectError([&] { nodeToPlane(X, makeVector({0., std::numeric_limits<double>::infinity()}), X); }, {"normal"});
}

TEST(NodeToSegment, HasTheDistanceOfThePoint) {
  // From (1, 0) to (0, 0), outside above: the segment turns and stretches with its ends.
  LagrangianContactR contact = nodeToSegment(makeVector({0.25, 0.1}), makeVector({1., 0.}), makeVector({0., 0.}));
  EXPECT_NEAR(outputOf(contact, Vector(6))(0), -0.1, 1e-15);  // the left of a → b is below
  LagrangianContactR above = nodeToSegment(makeVector({0.25, 0.1}), makeVector({0., 0.}), makeVector({1., 0.}));
  EXPECT_NEAR(outputOf(above, Vector(6))(0), 0.1, 1e-15);
  EXPECT_NEAR(outputOf(above, makeVector({0., 0.2, 0., 0.1, 0., 0.1}))(0), 0.2, 1e-15);
  EXPECT_NEAR(outputOf(above, makeVector({0., -0.3, 0., 0., 0., 0.}))(0), -0.2, 1e-15);
  // Beyond the end the distance from it, on either side.
  EXPECT_NEAR(outputOf(above, makeVector({1.05, 0.3, 0., 0., 0., 0.}))(0), 0.5, 1e-15);
  EXPECT_NEAR(outputOf(above, makeVector({1.05, -0.5, 0., 0., 0., 0.}))(0), 0.5, 1e-15);
  // A turn and shift of all places leaves it what it is.
  const double c = std::cos(0.7), s = std::sin(0.7);
  const auto turned = [&](double x, double y) { return makeVector({c * x - s * y + 3., s * x + c * y - 2.}); };
  LagrangianContactR other = nodeToSegment(turned(0.25, 0.1), turned(0., 0.), turned(1., 0.));
  EXPECT_NEAR(outputOf(other, Vector(6))(0), 0.1, 1e-15);
}

TEST(NodeToSegment, HasTheJacobianOfItsGapAndTheSlipOfPointsThatTouch) {
  const Vector X = makeVector({0.3, 0.2});
  LagrangianContactR contact = nodeToSegment(X, makeVector({0., 0.1}), makeVector({1., -0.2}));
  for (const Vector& u : {Vector(6), makeVector({0.1, -0.2, 0.03, 0.05, -0.1, 0.2})}) {
    EXPECT_NO_THROW(contact.checkJacobians(0., u, 6, {}, "node"));
    const Matrix G = jacobianOf(contact, u);
    // Neither row sees a motion of all three points together, and both are orthonormal for the node.
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(G(i, d) + G(i, 2 + d) + G(i, 4 + d), 0., 1e-15);
      EXPECT_NEAR(std::hypot(G(i, 0), G(i, 1)), 1., 1e-15);
    }
    EXPECT_NEAR(G(0, 0) * G(1, 0) + G(0, 1) * G(1, 1), 0., 1e-15);
  }
}

// The force on the node and those on the ends balance, and their moments too: no contact turns the bodies by itself.
TEST(NodeToSegment, ActsWithForcesThatBalanceWhereItTouches) {
  const Vector X = makeVector({0.3, 0.01}), a = makeVector({0., 0.1}), b = makeVector({1., -0.2});
  LagrangianContactR contact = nodeToSegment(X, a, b);
  const Matrix G = jacobianOf(contact, Vector(6));
  for (std::size_t i = 0; i < 2; ++i) {
    double moment = 0.;
    std::size_t k = 0;
    for (const Vector* const place : {&X, &a, &b}) {
      moment += (*place)(0) * G(i, 2 * k + 1) - (*place)(1) * G(i, 2 * k);
      ++k;
    }
    // A tangential force has the gap for its lever.
    EXPECT_NEAR(std::abs(moment), i == 0 ? 0. : std::abs(outputOf(contact, Vector(6))(0)), 1e-15);
  }
}

// A mass that slides without friction along a flat rail of four segments, at different phases of the grid: it keeps its
// speed where it goes from one segment to the next.
TEST(NodeToSegment, LetsANodeSlideOverTheEnds) {
  for (const double phase : {0., 0.1, 0.3, 0.55, 0.7, 0.9, 0.99}) {
    NonSmoothDynamicalSystem model(0., 0.7);
    const auto mass =
        model.insert("mass", std::make_shared<LagrangianLinearTIDS>(makeVector({0.1 + 1e-3 * phase, 0.}),
                                                                    makeVector({1., 0.}), identityMatrix(2)));
    mass->setExternalForces(makeVector({0., -9.81}));
    const auto rail = model.insert(
        "rail", std::make_shared<LagrangianLinearTIDS>(Vector(10), Vector(10), Matrix(1e12 * identityMatrix(10))));
    for (std::size_t k = 0; k < 4; ++k) {
      const double x = 0.25 * static_cast<double>(k);
      model.link("segment " + std::to_string(k), NewtonImpactNSL(0.),
                 nodeToSegment(Vector(2), makeVector({x, 0.}), makeVector({x + 0.25, 0.}), ContactOutputs::gap), mass,
                 SystemPart(rail, 2 * k, 4));
    }
    TimeStepping simulation(model, 1e-3);
    simulation.run();
    EXPECT_NEAR(mass->velocity()(0), 1., 1e-9) << phase;
    EXPECT_NEAR(mass->q()(1), 0., 1e-5) << phase;  // h² g: a segment takes over within a step
  }
}

TEST(NodeToSegment, RefusesWhatIsNoSegment) {
  const Vector X = makeVector({0., 1.});
  expectError([&] { nodeToSegment(X, X, X); }, {"ends", "one point"});
  expectError([&] { nodeToSegment(Vector(3), X, Vector(2)); }, {"place of the node", "2"});
  EXPECT_EQ(nodeToSegment(X, Vector(2), makeVector({1., 0.}), ContactOutputs::gap).size(), 1U);
}

}  // namespace
