// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::test;

const TimeSteppingOptions directly{.projection = {.kind = Projection::direct}};
const TimeSteppingOptions combined{.projection = {.kind = Projection::combined}};
constexpr double epsilon = std::numeric_limits<double>::epsilon();

TEST(DirectProjection, ChangesPositionsAndOutputsButNoVelocity) {
  BouncingBall with(1., 0., 0.5, 1.), without(1., 0., 0.5, 1.);
  const double h = 1e-2;
  TimeStepping projected(with.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP(), directly);
  TimeStepping plain(without.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP());
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

TEST(DirectProjection, HoldsAJointThatMovesWithTimeWhereItIsAtTheEndOfTheStep) {
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
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), MLCP(),
                          {.projection = {.kind = Projection::direct, .tolerance = 1e-12}});
  simulation.run([&] {
    const Vector& q = point->q();
    ASSERT_NEAR(std::hypot(q(0), q(1)), 1. + 0.1 * std::sin(3. * simulation.time()), 1e-12 + 2. * epsilon);
  });
}

TEST(DirectProjection, TakesBothFormsForABodyWithAJoint) {
  for (const ProjectionForm form : {ProjectionForm::velocity, ProjectionForm::configuration}) {
    SpinningPendulum pendulum(0.2);
    TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(),
                            {.projection = {.kind = Projection::direct, .tolerance = 1e-10, .form = form}});
    simulation.run([&] {
      for (const double y : pendulum.joint->y(0).data()) ASSERT_LE(std::abs(y), 1e-10);
      const Vector& q = pendulum.body->q();
      ASSERT_NEAR(q(3) * q(3) + q(4) * q(4) + q(5) * q(5) + q(6) * q(6), 1., 4. * epsilon);
    });
    EXPECT_EQ(simulation.statistics().projections, simulation.steps());
    EXPECT_LE(simulation.statistics().worstViolation, 1e-10);
  }
}

TEST(DirectProjection, WorksWithFrictionAndWithRelays) {
  NonSmoothDynamicalSystem model(0., 0.5);
  const auto ball = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0., 0., 0.3}), makeVector({1., 0., 0., 0., 0., 0.}), 1., NewtonEulerDS::ballInertia(1., 0.1));
  ball->setExternalForces(makeVector({0., 0., -9.81}));
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5), NewtonEuler3DR(SpherePlane(0.1, {})));
  model.insert(ball);
  model.link(contact, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), FrictionContact(3), directly);
  simulation.run([&] {
    if (!contact->isActive()) return;
    ASSERT_GE(contact->y(0)(0), -1e-8);
  });
  EXPECT_TRUE(contact->isActive());
  EXPECT_LT(ball->velocity()(0), 0.9);
}

TEST(CombinedProjection, LetsNoContactPenetrateAndHasTheImpactInTheSameStep) {
  BouncingBall ball(1., 0., 0.9, 4.);
  const double h = 5e-3;
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP(), combined);
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

TEST(CombinedProjection, EndsEachStepOfAColumnAfterAtMostOnePassAContact) {
  ColumnOfBeads column(10, 0.5, 0.21, 0.5, 1.5);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI::pure(), LCP(), combined);
  simulation.run([&] {
    ASSERT_LE(simulation.lastStep().projection.repeatedSteps, 10U);
    for (const auto& contact : column.contacts) ASSERT_GE(contact->y(0)(0), -1e-8);
  });
  EXPECT_GT(simulation.statistics().repeatedSteps, 0U);
}

TEST(CombinedProjection, DoesNotRepeatStepsOfBeadsAtRest) {
  ColumnOfBeads column(5, 0.1, 0.2, 0.5, 1.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP(), combined);
  simulation.run();
  EXPECT_EQ(simulation.statistics().repeatedSteps, 0U);
  for (const auto& bead : column.beads) EXPECT_NEAR(bead->velocity()(0), 0., 1e-12);
}

TEST(CombinedProjection, SeesThatARestingBallWasLifted) {
  BouncingBall ball(0., 0., 0., 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI::pure(), LCP(), combined);
  simulation.step();
  EXPECT_TRUE(ball.floor->isActive());
  ball.ball->setState(makeVector({1.}), makeVector({0.}));
  simulation.step();
  EXPECT_FALSE(ball.floor->isActive());
  EXPECT_LT(ball.ball->velocity()(0), 0.);
}

TEST(CombinedProjection, ForgetsDemandsAfterTheStep) {
  BouncingBall ball(1., 0., 0.9, 4.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI::pure(), LCP(), combined);
  while (simulation.lastStep().projection.activations == 0) simulation.step();
  simulation.step();
  simulation.step();
  EXPECT_FALSE(ball.floor->isActive());  // it flies
}

TEST(ProjectedTimeStepping, FollowsChangesOfTheModel) {
  ColumnOfBeads column(2, 0.1, 0.2, 0., 1.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI::pure(), LCP(), combined);
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
  TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(), directly);
  expectError([&] { simulation.step(); },
              {"projection on constraints left a violation of 1", "tolerance 1e-08", "50 iterations"});
  EXPECT_EQ(simulation.stepIndex(), 0U);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(pendulum.body->q()(i), q(i));
}

TEST(ProjectedTimeStepping, AsksTheFailurePolicy) {
  PlanarPendulum pendulum(1.);
  pendulum.ball->setState(makeVector({3., 0.}), Vector(2));
  TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(),
                          {.projection = {.kind = Projection::direct, .tolerance = 1e-15, .maxIterations = 1}});
  simulation.setFailurePolicy(FailureAction::accept);
  simulation.step();
  EXPECT_EQ(simulation.statistics().acceptedFailures, 1U);
  EXPECT_GT(simulation.statistics().worstViolation, 1e-15);
  EXPECT_NEAR(pendulum.rod->y(0)(0), 0., 1e-9);  // better than before, so it is kept
}

TEST(ProjectedTimeStepping, SaysInItsStatisticsWhatWasProjected) {
  BouncingBall ball(1., 0., 0.5, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI::pure(), LCP(), directly);
  simulation.run();
  EXPECT_NE(simulation.statistics().summary().find("steps projected in"), std::string::npos);
}

TEST(ProjectedTimeStepping, RefusesBadOptions) {
  BouncingBall ball(1., 0., 0.5, 1.);
  const auto make = [&](const ProjectionOptions& options) {
    TimeStepping(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI::pure(), LCP(), {.projection = options});
  };
  for (const Projection kind : {Projection::direct, Projection::combined}) {
    for (const double tolerance : {0., -1., std::nan(""), std::numeric_limits<double>::infinity()}) {
      expectError([&] { make({.kind = kind, .tolerance = tolerance}); },
                  {"TimeStepping", "tolerance of the projection must be positive and finite"});
    }
    expectError([&] { make({.kind = kind, .maxIterations = 0}); },
                {"TimeStepping", "iteration limit of the projection must be at least 1"});
  }
}

TEST(ProjectedTimeStepping, RefusesSchemesThatHaveNoConfigurationsByName) {
  NonSmoothDynamicalSystem model(0., 1.);
  for (const TimeSteppingOptions& options : {directly, combined}) {
    expectError([&] { TimeStepping(model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(), LCP(), options); },
                {"TimeStepping", "EulerMoreauOSI", "MoreauJeanOSI"});
  }
}

TEST(ProjectedTimeStepping, RefusesFirstOrderSystemsAsSoonAsTheSchemeFollowsFromThem) {
  NonSmoothDynamicalSystem model(0., 1.);
  TimeStepping early(model, 1e-2, directly);
  model.insert(std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})));
  expectError([&] { early.step(); }, {"TimeStepping", "EulerMoreauOSI", "first-order systems", "MoreauJeanOSI"});
  expectError([&] { TimeStepping(model, 1e-2, directly); }, {"TimeStepping", "EulerMoreauOSI"});
  model.insert(std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), Vector(1), identityMatrix(1)));
  expectError([&] { TimeStepping(model, 1e-2, combined); }, {"TimeStepping", "MixedOSI", "first-order systems"});
}

TEST(ProjectedTimeStepping, RefusesOptionsOfAProjectionThatIsNotAskedFor) {
  BouncingBall ball(1., 0., 0.5, 1.);
  expectError([&] { TimeStepping(ball.model, 1e-2, {.projection = {.tolerance = 1e-10}}); },
              {"TimeStepping", "Projection::direct", "Projection::combined"});
}

TEST(ProjectedTimeStepping, IsPartOfTheSettingsAndOfTheMethod) {
  const auto settingsWith = [](const ProjectionOptions& projection) {
    BouncingBall ball(1., 0., 0.5, 1.);
    return TimeStepping(ball.model, 1e-2, {.projection = projection}).settings();
  };
  const auto isNamed = [](const Setting& setting) { return setting.name == "projection"; };
  const Settings without = settingsWith({}), with = settingsWith({.kind = Projection::direct});
  EXPECT_TRUE(std::none_of(without.list().begin(), without.list().end(), isNamed));
  EXPECT_TRUE(std::any_of(with.list().begin(), with.list().end(), isNamed));
  for (const ProjectionOptions& other :
       {ProjectionOptions{.kind = Projection::combined},
        ProjectionOptions{.kind = Projection::direct, .tolerance = 1e-6},
        ProjectionOptions{.kind = Projection::direct, .maxIterations = 3},
        ProjectionOptions{.kind = Projection::direct, .form = ProjectionForm::configuration}}) {
    EXPECT_FALSE(settingsWith(other) == with);
  }
  BouncingBall ball(1., 0., 0.5, 1.);
  EXPECT_NE(TimeStepping(ball.model, 1e-2, combined).method().find("combined projection"), std::string::npos);
}

TEST(ProjectedTimeStepping, TakesSchemeAndProblemFromTheModel) {
  SpinningPendulum pendulum(0.2);
  TimeStepping simulation(pendulum.model, 1e-3, directly);
  simulation.run();
  EXPECT_GT(simulation.statistics().projections, 0U);
  for (const double y : pendulum.joint->y(0).data()) EXPECT_LE(std::abs(y), 1e-8);
}

}  // namespace
