// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeSteppingCombinedProjection.hpp>
#include <delassus/kernel/simulation/TimeSteppingDirectProjection.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::test;
using Contacts = ConstraintProjection::Contacts;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A model bound by MoreauJeanOSI, whose trial configurations a test displaces and projects.
struct Bound {
  explicit Bound(NonSmoothDynamicalSystem& model, const ProjectionOptions& options = {}) : projection(options, "test") {
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
  ConstraintProjection::Result project(Contacts contacts = Contacts::active) {
    return projection.project(work(), 0., contacts);
  }

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
  // The gradient is radial everywhere: one pass is exact but for the 1e-10 of the regularisation, the second takes
  // that.
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
  Bound bound(column.model);
  bound.q(0)(0) = 0.05;  // 0.05 in the ground, and 0.05 from the next
  bound.q(2)(0) = 0.9;   // far off
  const auto result = bound.project(Contacts::all);
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
  Bound bound(model);
  bound.q()(0) = 1.2;
  EXPECT_TRUE(bound.project(Contacts::all).converged);
  EXPECT_NEAR(bound.q()(0), 1., 1e-8);
  EXPECT_FALSE(bound.projection.pushed(0, 0));
  EXPECT_TRUE(bound.projection.pushed(0, 1));
}

TEST(ConstraintProjection, PassesThePushOnThroughAColumn) {
  const std::size_t count = 200;
  ColumnOfBeads column(count, 0.1, 0.2, 0.5, 1.);
  Bound bound(column.model, {.maxIterations = 3});
  for (std::size_t i = 0; i < count; ++i) bound.q(i)(0) -= 1e-3;
  const auto result = bound.project(Contacts::all);
  EXPECT_TRUE(result.converged);
  for (std::size_t i = 0; i < count; ++i) {
    // All stand on the ground again; 1e-8 each is let pass.
    EXPECT_NEAR(bound.q(i)(0), 0.1 + 0.2 * static_cast<double>(i), 1e-8 * static_cast<double>(i + 1));
    EXPECT_TRUE(bound.projection.pushed(i, 0));
  }
}

TEST(ConstraintProjection, OfActiveContactsLeavesTheOthersWhereTheyAre) {
  BouncingBall ball(1., 0., 0.5, 1.);
  Bound bound(ball.model);
  bound.q()(0) = -0.1;
  const auto result = bound.project(Contacts::active);
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
  Bound bound(model);
  bound.displace(0, makeVector({0.01, 0.02, -0.03, 0.1, 0.2, 0.3}));
  const Vector before = bound.q();
  EXPECT_TRUE(bound.project(Contacts::all).converged);
  EXPECT_NEAR(bound.q()(2), 0.1, 1e-8);
  // Sideways and in its orientation the ball stays, but for the rounding of a rotation by zero.
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
  Bound bound(model);
  const auto result = bound.project(Contacts::all);
  EXPECT_EQ(result.violation, 0.);
  EXPECT_EQ(bound.q()(0), -0.5);
}

TEST(TimeSteppingDirectProjection, ChangesPositionsAndOutputsButNoVelocity) {
  BouncingBall with(1., 0., 0.5, 1.), without(1., 0., 0.5, 1.);
  const double h = 1e-2;
  TimeSteppingDirectProjection projected(with.model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
  TimeStepping plain(without.model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
  while (projected.statistics().projections == 0) {
    ASSERT_EQ(with.ball->q()(0), without.ball->q()(0));
    projected.step();
    plain.step();
  }
  EXPECT_TRUE(with.floor->isActive());
  EXPECT_LT(without.floor->y(0)(0), -1e-3);
  EXPECT_NEAR(with.floor->y(0)(0), 0., 1e-8);
  EXPECT_EQ(with.floor->y(0)(0), with.ball->q()(0));
  EXPECT_EQ(with.floor->y(1)(0), with.ball->velocity()(0));
  EXPECT_EQ(with.ball->velocity()(0), without.ball->velocity()(0));
  EXPECT_EQ(with.floor->lambda(1)(0), without.floor->lambda(1)(0));
  EXPECT_EQ(projected.lastStep().projection.violationBefore, -without.floor->y(0)(0));
  EXPECT_LE(projected.lastStep().projection.violation, 1e-8);
}

TEST(TimeSteppingDirectProjection, HoldsAJointThatMovesWithTimeWhereItIsAtTheEndOfTheStep) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto point = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), Vector(2), identityMatrix(2));
  point->setExternalForces(makeVector({0., -9.81}));
  const auto rod = std::make_shared<Interaction>(
      EqualityConditionNSL(), LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                                      using std::sin;
                                                      using std::sqrt;
                                                      const auto length = sqrt(q(0) * q(0) + q(1) * q(1));
                                                      y(0) = length - 1. - 0.1 * sin(3. * t);
                                                    })));
  model.insert(point);
  model.link(rod, point);
  TimeSteppingDirectProjection simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), MLCP(),
                                          {.tolerance = 1e-12});
  simulation.run([&] {
    const Vector& q = point->q();
    ASSERT_NEAR(std::hypot(q(0), q(1)), 1. + 0.1 * std::sin(3. * simulation.time()), 1e-12 + 2. * epsilon);
  });
}

TEST(TimeSteppingDirectProjection, TakesBothFormsForABodyWithAJoint) {
  for (const ProjectionForm form : {ProjectionForm::velocity, ProjectionForm::configuration}) {
    SpinningPendulum pendulum(0.2);
    TimeSteppingDirectProjection simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(),
                                            {.tolerance = 1e-10, .form = form});
    simulation.run([&] {
      for (const double y : pendulum.joint->y(0).data()) ASSERT_LE(std::abs(y), 1e-10);
      ASSERT_NEAR(quaternionNorm(pendulum.body->q()), 1., 2. * epsilon);
    });
    EXPECT_EQ(simulation.statistics().projections, simulation.steps());
    EXPECT_LE(simulation.statistics().worstViolation, 1e-10);
  }
}

TEST(TimeSteppingDirectProjection, WorksWithFrictionAndWithRelays) {
  NonSmoothDynamicalSystem model(0., 0.5);
  const auto ball = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0., 0., 0.3}), makeVector({1., 0., 0., 0., 0., 0.}), 1., NewtonEulerDS::ballInertia(1., 0.1));
  ball->setExternalForces(makeVector({0., 0., -9.81}));
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5), NewtonEuler3DR(SpherePlane(0.1, {})));
  model.insert(ball);
  model.link(contact, ball);
  TimeSteppingDirectProjection simulation(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), FrictionContact(3));
  simulation.run([&] {
    if (!contact->isActive()) return;
    ASSERT_GE(contact->y(0)(0), -1e-8);
  });
  EXPECT_TRUE(contact->isActive());
  EXPECT_LT(ball->velocity()(0), 0.9);
}

TEST(TimeSteppingCombinedProjection, LetsNoContactPenetrateAndHasTheImpactInTheSameStep) {
  BouncingBall ball(1., 0., 0.9, 4.);
  const double h = 5e-3;
  TimeSteppingCombinedProjection simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
  std::size_t activations = 0;
  simulation.run([&] {
    ASSERT_GE(ball.floor->y(0)(0), -1e-8);
    const ProjectionReport& report = simulation.lastStep().projection;
    activations += report.activations;
    ASSERT_LE(report.repeatedSteps, 1U);  // there is one contact
    if (report.activations == 0) return;
    ASSERT_GT(ball.floor->lambda(1)(0), 0.);
    ASSERT_TRUE(ball.floor->isActive());
  });
  EXPECT_GT(activations, 0U);
  EXPECT_EQ(simulation.statistics().repeatedSteps, activations);
}

TEST(TimeSteppingCombinedProjection, EndsEachStepOfAColumnAfterAtMostOnePassAContact) {
  ColumnOfBeads column(10, 0.5, 0.21, 0.5, 1.5);
  TimeSteppingCombinedProjection simulation(column.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), LCP());
  simulation.run([&] {
    ASSERT_LE(simulation.lastStep().projection.repeatedSteps, 10U);
    for (const auto& contact : column.contacts) ASSERT_GE(contact->y(0)(0), -1e-8);
  });
  EXPECT_GT(simulation.statistics().repeatedSteps, 0U);
}

TEST(TimeSteppingCombinedProjection, DoesNotRepeatStepsOfBeadsAtRest) {
  ColumnOfBeads column(5, 0.1, 0.2, 0.5, 1.);
  TimeSteppingCombinedProjection simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.run();
  EXPECT_EQ(simulation.statistics().repeatedSteps, 0U);
  for (const auto& bead : column.beads) EXPECT_NEAR(bead->velocity()(0), 0., 1e-12);
}

TEST(TimeSteppingCombinedProjection, SeesThatARestingBallWasLifted) {
  BouncingBall ball(0., 0., 0., 1.);
  TimeSteppingCombinedProjection simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  simulation.step();
  EXPECT_TRUE(ball.floor->isActive());
  ball.ball->setState(makeVector({1.}), makeVector({0.}));
  simulation.step();
  EXPECT_FALSE(ball.floor->isActive());
  EXPECT_LT(ball.ball->velocity()(0), 0.);
}

TEST(TimeSteppingCombinedProjection, ForgetsDemandsAfterTheStep) {
  BouncingBall ball(1., 0., 0.9, 4.);
  TimeSteppingCombinedProjection simulation(ball.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), LCP());
  while (simulation.lastStep().projection.activations == 0) simulation.step();
  simulation.step();
  simulation.step();
  EXPECT_FALSE(ball.floor->isActive());  // it flies
}

TEST(ProjectedTimeStepping, FollowsChangesOfTheModel) {
  ColumnOfBeads column(2, 0.1, 0.2, 0., 1.);
  TimeSteppingCombinedProjection simulation(column.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  for (int k = 0; k < 20; ++k) simulation.step();
  column.model.remove(column.contacts[1]);
  for (int k = 0; k < 20; ++k) simulation.step();
  EXPECT_NEAR(column.contacts[0]->y(0)(0), 0., 1e-8);
  EXPECT_LT(column.beads[1]->q()(0), 0.2);  // nothing holds it any more
}

TEST(ProjectedTimeStepping, LeavesModelAndSimulationAsTheyWereWhenAStepFails) {
  SpinningPendulum pendulum(1.);
  const auto other =
      std::make_shared<Interaction>(EqualityConditionNSL(), NewtonEulerR(1, automatic([](const auto&, auto& y) {
                                                                           y(0) = 1.;  // never satisfied
                                                                         })));
  pendulum.model.link(other, pendulum.body);
  const Vector q = pendulum.body->q();
  TimeSteppingDirectProjection simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP());
  expectError([&] { simulation.step(); },
              {"projection on constraints left a violation of 1", "tolerance 1e-08", "50 iterations"});
  EXPECT_EQ(simulation.stepIndex(), 0U);
  EXPECT_EQ(distance(pendulum.body->q(), q), 0.);
}

TEST(ProjectedTimeStepping, AsksTheFailurePolicy) {
  PlanarPendulum pendulum(1.);
  pendulum.ball->setState(makeVector({3., 0.}), Vector(2));
  TimeSteppingDirectProjection simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(),
                                          {.tolerance = 1e-15, .maxIterations = 1});
  simulation.setFailurePolicy(FailureAction::accept);
  simulation.step();
  EXPECT_EQ(simulation.statistics().acceptedFailures, 1U);
  EXPECT_GT(simulation.statistics().worstViolation, 1e-15);
  EXPECT_NEAR(pendulum.rod->y(0)(0), 0., 1e-9);  // better than before, so it is kept
}

TEST(ProjectedTimeStepping, SaysInItsStatisticsWhatWasProjected) {
  BouncingBall ball(1., 0., 0.5, 1.);
  TimeSteppingDirectProjection simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  simulation.run();
  EXPECT_NE(simulation.statistics().summary().find("steps projected in"), std::string::npos);
}

TEST(ProjectedTimeStepping, RefusesBadOptions) {
  BouncingBall ball(1., 0., 0.5, 1.);
  const auto make = [&](const ProjectionOptions& options) {
    TimeSteppingDirectProjection(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(), options);
  };
  for (const double tolerance : {0., -1., std::nan(""), std::numeric_limits<double>::infinity()}) {
    expectError([&] { make({.tolerance = tolerance}); },
                {"TimeSteppingDirectProjection", "tolerance of the projection must be positive and finite"});
  }
  expectError([&] { make({.maxIterations = 0}); },
              {"TimeSteppingDirectProjection", "iteration limit of the projection must be at least 1"});
  expectError(
      [&] {
        TimeSteppingCombinedProjection(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP(),
                                       {.tolerance = 0.});
      },
      {"TimeSteppingCombinedProjection", "tolerance"});
}

TEST(ProjectedTimeStepping, RefusesSchemesThatHaveNoConfigurationsByName) {
  NonSmoothDynamicalSystem model(0., 1.);
  expectError([&] { TimeSteppingDirectProjection(model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(), LCP()); },
              {"TimeSteppingDirectProjection", "EulerMoreauOSI", "MoreauJeanOSI"});
  expectError([&] { TimeSteppingCombinedProjection(model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(), LCP()); },
              {"TimeSteppingCombinedProjection", "EulerMoreauOSI"});
}

// T, its metric and the constraint that a projection in coordinates uses.
TEST(NewtonEulerDS, GivesItsRatesAndTheConstraintOfItsQuaternion) {
  const NewtonEulerDS body(NewtonEulerDS::at({1., 2., 3.}, {1., -2., 0.5, 0.3}), Vector(6), 1.,
                           NewtonEulerDS::ballInertia(1., 1.));
  Matrix T;
  body.rates(body.q(), T);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0.;
      for (std::size_t k = 0; k < 7; ++k) sum += T(k, i) * T(k, j);
      EXPECT_NEAR(sum * body.inverseRateMetric(i), i == j ? 1. : 0., 4. * epsilon);
    }
  }
  // T v is the derivative of the motion along v.
  const double small = 1e-6;
  Vector moved = body.q();
  body.move(body.q(), twist(small), moved);
  for (std::size_t k = 0; k < 7; ++k) {
    double rate = 0.;
    for (std::size_t i = 0; i < 6; ++i) rate += T(k, i) * twist(1.)(i);
    EXPECT_NEAR((moved(k) - body.q()(k)) / small, rate, 1e-6);  // differences of that step are known to that
  }
  Vector q = body.q();
  for (std::size_t i = 3; i < 7; ++i) q(i) *= 1.5;
  Vector gradient;
  EXPECT_NEAR(body.configurationConstraint(q, gradient), 0.5, 4. * epsilon);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(gradient(i), 0.);
  for (std::size_t i = 3; i < 7; ++i) EXPECT_NEAR(gradient(i), body.q()(i), 2. * epsilon);
  body.normalise(q);
  EXPECT_LT(distance(q, body.q()), 4. * epsilon);
}

}  // namespace
