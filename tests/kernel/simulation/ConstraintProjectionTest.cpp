// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/ConstraintProjection.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A model bound by MoreauJeanOSI, whose trial configurations a test displaces and projects.
struct Bound {
  explicit Bound(NonSmoothDynamicalSystem& model, const ProjectionOptions& options = {}) : projection(options) {
    scheme.bind(model, 0.);
    projection.bind(work());
  }
  SecondOrderWorkspace& work() { return *scheme.trialConfigurations(); }
  Vector& q(std::size_t system = 0) { return work().systems[system].q; }
  /// Moves system `system` along a displacement in velocity coordinates.
  void displace(std::size_t system, const Vector& displacement) {
    const Vector from = q(system);
    work().systems[system].system->move(from, displacement, q(system));
  }
  ConstraintProjection::Result project() { return projection.project(work(), 0.); }

  MoreauJeanOSI scheme;
  ConstraintProjection projection;
};

Vector twist(double scale) {
  return makeVector({0.3 * scale, -0.2 * scale, 0.5 * scale, 0.7 * scale, -0.4 * scale, 0.6 * scale});
}

double distance(const Vector& a, const Vector& b) {
  double sum = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a(i) - b(i)) * (a(i) - b(i));
  return std::sqrt(sum);
}

double quaternionNorm(const Vector& q) {
  return std::sqrt(q(3) * q(3) + q(4) * q(4) + q(5) * q(5) + q(6) * q(6));
}

TEST(ConstraintProjection, MovesAPointToTheNearestOneOfACircle) {
  PlanarPendulum pendulum(1.);
  Bound bound(pendulum.model, {.tolerance = 1e-14});
  bound.q() = makeVector({0.9, 0.7});
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  // The gradient is radial everywhere: one pass is exact up to the 1e-10 of the regularisation, the second takes that.
  EXPECT_LE(result.iterations, 2U);
  const double length = std::hypot(0.9, 0.7);
  EXPECT_NEAR(bound.q()(0), 0.9 / length, 4. * epsilon);
  EXPECT_NEAR(bound.q()(1), 0.7 / length, 4. * epsilon);
}

// δ = D Gᵀ Λ with D = diag(1, 1, 1, 4, 4, 4): compared with the problem solved by hand for one constraint.
TEST(ConstraintProjection, MovesABodyAlongTheMetricOfItsQuaternionRates) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., 1.));
  // The point (0, 1, 0) of the body at height z = 0: G = (0, 0, 1, 1, 0, 0) at q0.
  const auto constraint = std::make_shared<Interaction>(
      EqualityConditionNSL(1),
      NewtonEulerR(1, automatic([](const auto& q, auto& y) { y(0) = q(2) + 2. * (q(5) * q(6) + q(3) * q(4)); })));
  model.insert(body);
  model.link(constraint, body);
  Bound bound(model, {.tolerance = 1e-6, .maxIterations = 1});
  const double height = 1e-4;
  bound.q()(2) = height;
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  // G D Gᵀ = 1 + 4: a fifth by translation, and four fifths by rotation.
  EXPECT_NEAR(bound.q()(2), height * 0.8, 1e-9 * height);
  EXPECT_NEAR(2. * std::asin(bound.q()(4)), -0.8 * height, 1e-9 * height);
}

TEST(ConstraintProjection, ReachesToleranceQuadratically) {
  FourBar loop(1.);
  const double tolerance = 1e-13;
  Bound bound(loop.model, {.tolerance = tolerance});
  for (std::size_t i = 0; i < 3; ++i) bound.displace(i, twist(0.01 * (1. - static_cast<double>(i))));
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.violationBefore, 1e-3);
  EXPECT_LE(result.violation, tolerance);
  EXPECT_LE(result.iterations, 5U);  // 1e-2, 1e-4, 1e-8, 1e-16 and one for the regularisation
}

TEST(ConstraintProjection, InCoordinatesKeepsUnitQuaternionsAndAgreesWithTheVelocityForm) {
  std::vector<double> differences;
  for (const double size : {1e-2, 5e-3}) {
    FourBar first(1.), second(1.);
    Bound along(first.model, {.tolerance = 1e-13});
    Bound coordinates(second.model, {.tolerance = 1e-13, .form = ProjectionForm::configuration});
    double difference = 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      for (Bound* bound : {&along, &coordinates}) bound->displace(i, twist(size * (1. - static_cast<double>(i))));
    }
    EXPECT_TRUE(along.project().converged);
    EXPECT_TRUE(coordinates.project().converged);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(quaternionNorm(coordinates.q(i)), 1., 2. * epsilon);
      difference = std::max(difference, distance(along.q(i), coordinates.q(i)));
    }
    differences.push_back(difference);
  }
  // They move on the sphere and off it: a difference of second order at most.
  EXPECT_LT(differences[0], 1e-2 * 1e-2);
  EXPECT_LT(differences[1], 0.3 * differences[0] + 1e-12);
}

TEST(ConstraintProjection, InCoordinatesIsTheSameForLagrangianSystems) {
  PlanarPendulum first(1.), second(1.);
  Bound along(first.model), coordinates(second.model, {.form = ProjectionForm::configuration});
  for (Bound* bound : {&along, &coordinates}) {
    bound->q() = makeVector({0.9, 0.7});
    EXPECT_TRUE(bound->project().converged);
  }
  EXPECT_EQ(along.q()(0), coordinates.q()(0));
  EXPECT_EQ(along.q()(1), coordinates.q()(1));
}

TEST(ConstraintProjection, OfRepeatedConstraintsIsThatOfOne) {
  SpinningPendulum once(1.), thrice(1.);
  for (int k = 0; k < 2; ++k) {
    thrice.model.link(std::make_shared<Interaction>(EqualityConditionNSL(3), sphericalJoint(SpinningPendulum::anchor)),
                      thrice.body);
  }
  Bound first(once.model, {.tolerance = 1e-12}), second(thrice.model, {.tolerance = 1e-12});
  for (Bound* bound : {&first, &second}) {
    bound->displace(0, twist(0.01));
    EXPECT_TRUE(bound->project().converged);
  }
  EXPECT_LT(distance(first.q(), second.q()), 1e-11);  // both to tolerance, along the same way
}

TEST(ConstraintProjection, OfContradictoryConstraintsSaysSoAndGivesNothingWorse) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto point = std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
  model.insert(point);
  for (const double place : {-1., 1.}) {
    model.link(std::make_shared<Interaction>(EqualityConditionNSL(),
                                             LagrangianLinearTIR(identityMatrix(1), makeVector({place}))),
               point);
  }
  Bound bound(model);
  bound.q()(0) = 5.;
  const auto result = bound.project();
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, bound.projection.options().maxIterations);
  EXPECT_DOUBLE_EQ(result.violationBefore, 6.);
  EXPECT_NEAR(result.violation, 1., 1e-4);  // in the middle, as near as the regularised problem says
  EXPECT_NEAR(bound.q()(0), 0., 1e-4);
}

TEST(ConstraintProjection, OfARowThatNothingChangesLeavesTheConfigurationAlone) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto point = std::make_shared<LagrangianLinearTIDS>(makeVector({2.}), Vector(1), identityMatrix(1));
  model.insert(point);
  model.link(std::make_shared<Interaction>(EqualityConditionNSL(), LagrangianLinearTIR(Matrix(1, 1), makeVector({1.}))),
             point);
  Bound bound(model);
  EXPECT_FALSE(bound.project().converged);
  EXPECT_EQ(bound.q()(0), 2.);
}

TEST(ConstraintProjection, PushesContactsOpenButDoesNotPullThem) {
  ColumnOfBeads column(3, 0.1, 0.2, 0.5, 1.);  // all gaps zero
  Bound bound(column.model, {.kind = Projection::combined});
  bound.q(0)(0) = 0.05;  // 0.05 in the ground, and 0.05 from the next
  bound.q(2)(0) = 0.9;   // far off
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(bound.q(0)(0), 0.1, 1e-11);
  EXPECT_EQ(bound.q(1)(0), 0.1 + 0.2);
  EXPECT_EQ(bound.q(2)(0), 0.9);
  EXPECT_TRUE(bound.projection.pushed(0, 0));
  EXPECT_FALSE(bound.projection.pushed(1, 0));
  EXPECT_FALSE(bound.projection.pushed(2, 0));
}

TEST(ConstraintProjection, TakesTheBlocksOfAnInteractionOneByOne) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto point = std::make_shared<LagrangianLinearTIDS>(makeVector({0.5}), Vector(1), identityMatrix(1));
  model.insert(point);
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.),
                                           LagrangianLinearTIR(makeMatrix({{1.}, {-1.}}), makeVector({0., 1.}))),
             point);
  Bound bound(model, {.kind = Projection::combined});
  bound.q()(0) = 1.2;
  EXPECT_TRUE(bound.project().converged);
  EXPECT_NEAR(bound.q()(0), 1., 1e-8);
  EXPECT_FALSE(bound.projection.pushed(0, 0));
  EXPECT_TRUE(bound.projection.pushed(0, 1));
}

TEST(ConstraintProjection, PassesThePushOnThroughAColumn) {
  const std::size_t count = 200;
  ColumnOfBeads column(count, 0.1, 0.2, 0.5, 1.);
  Bound bound(column.model, {.kind = Projection::combined, .maxIterations = 3});
  for (std::size_t i = 0; i < count; ++i) bound.q(i)(0) -= 1e-3;
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  for (std::size_t i = 0; i < count; ++i) {
    // All stand on the ground again, to the tolerance of 1e-8 each.
    EXPECT_NEAR(bound.q(i)(0), 0.1 + 0.2 * static_cast<double>(i), 1e-8 * static_cast<double>(i + 1));
    EXPECT_TRUE(bound.projection.pushed(i, 0));
  }
}

TEST(ConstraintProjection, OfActiveContactsLeavesTheOthersWhereTheyAre) {
  BouncingBall ball(1., 0., 0.5, 1.);
  Bound bound(ball.model);
  bound.q()(0) = -0.1;
  const auto result = bound.project();
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_EQ(bound.q()(0), -0.1);
}

TEST(ConstraintProjection, TakesTheGapOfAContactWithFrictionAlone) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.3, 0.2, 0.1}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., 0.1));
  model.insert(ball);
  model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5), NewtonEuler3DR(SpherePlane(0.1, {}))),
             ball);
  Bound bound(model, {.kind = Projection::combined});
  bound.displace(0, makeVector({0.01, 0.02, -0.03, 0.1, 0.2, 0.3}));
  const Vector before = bound.q();
  EXPECT_TRUE(bound.project().converged);
  EXPECT_NEAR(bound.q()(2), 0.1, 1e-8);
  // Sideways and in its orientation the ball stays, up to the rounding of a rotation by zero.
  for (const std::size_t i : {0U, 1U, 3U, 4U, 5U, 6U}) EXPECT_NEAR(bound.q()(i), before(i), 2. * epsilon);
}

TEST(ConstraintProjection, LeavesBoxesAndCompliantRelationsAlone) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto point = std::make_shared<LagrangianLinearTIDS>(makeVector({-0.5}), Vector(1), identityMatrix(1));
  model.insert(point);
  model.link(std::make_shared<Interaction>(RelayNSL(1, -1., 1.), LagrangianLinearTIR(identityMatrix(1))), point);
  LagrangianLinearTIR spring(identityMatrix(1));
  spring.setD(identityMatrix(1));
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), spring), point);
  Bound bound(model, {.kind = Projection::combined});
  const auto result = bound.project();
  EXPECT_EQ(result.violation, 0.);
  EXPECT_EQ(bound.q()(0), -0.5);
}

}  // namespace
