// SPDX-License-Identifier: Apache-2.0
//
// A bouncing ball, event-driven, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <support/Models.hpp>
#include <support/PublishedTrajectory.hpp>

#include "EventDrivenRuns.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;

// The first impact after a fall of √(2/g), the k-th flight lasts 2 eᵏ √(2/g).
TEST(EventDrivenBall, TwentyImpactsComeAtTheirInstants) {
  for (const double e : {0.5, 0.9, 0.99}) {
    BouncingBall ball(1., 0., e, 20.);
    EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), tight());
    simulation.run();
    const std::vector<Event> impacts = ofKind(simulation.events(), EventKind::impact);
    ASSERT_GE(impacts.size(), 20u) << e;
    double t = std::sqrt(2. / g);
    double v = std::sqrt(2. * g);
    for (std::size_t k = 0; k < 20; ++k) {
      EXPECT_NEAR(impacts[k].t, t, 1e-12) << "impact " << k << ", e = " << e;
      EXPECT_NEAR(impacts[k].before(0), -v, 1e-11);
      EXPECT_NEAR(impacts[k].after(0), e * v, 1e-11);
      v *= e;
      t += 2. * v / g;
    }
  }
}

// The series ends at √(2/g) (1 + e)/(1 − e): the accumulation says when.
TEST(EventDrivenBall, TheSeriesOfBouncesEndsInTime) {
  for (const double e : {0.1, 0.5, 0.9, 0.97}) {
    const double rest = std::sqrt(2. / g) * (1. + e) / (1. - e);
    BouncingBall ball(1., 0., e, rest + 1.);
    EventDriven simulation(ball.model, TimeDiscretisation(0., 0.5), LCP(), tight());
    simulation.run();
    const Event& last = simulation.events().back();
    EXPECT_EQ(last.kind, EventKind::accumulation) << e;
    EXPECT_NEAR(last.t + last.duration, rest, 1e-9) << e;
    EXPECT_EQ(ball.ball->q()(0), 0.);
    EXPECT_EQ(ball.ball->velocity()(0), 0.);
    EXPECT_NEAR(ball.floor->lambda(0)(0), g, 1e-12);
  }
}

// The floor is nowhere near zero in the coordinate of the ball, whose gap then has rounding errors of 1e-13 or so.
TEST(EventDrivenBall, TheSeriesEndsWhereGapsAreRoundedToo) {
  const double e = 0.6;
  const double level = 1000.;
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({level + 1.}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-g}));
  auto floor =
      std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({-level})));
  NonSmoothDynamicalSystem model(0., 4.);
  model.insert(ball);
  model.link(floor, ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP(), tight());
  simulation.run();
  const Event& last = simulation.events().back();
  EXPECT_EQ(last.kind, EventKind::accumulation);
  // A gap of δ = 4 ε 1000 = 1e-12 m is not seen: flights end up to √(2δ/g) = 4e-7 s away.
  EXPECT_NEAR(last.t + last.duration, std::sqrt(2. / g) * (1. + e) / (1. - e), 2e-6);
  EXPECT_NEAR(ball->q()(0), level, 1e-12);
  EXPECT_EQ(ball->velocity()(0), 0.);
}

TEST(EventDrivenBall, EnergyChangesByTheLawAtImpactsAndNotBetween) {
  const double e = 0.8;
  BouncingBall ball(1., 0.5, e, 5.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.01), LCP(), tight());
  const auto energy = [&] { return 0.5 * std::pow(ball.ball->velocity()(0), 2) + g * ball.ball->q()(0); };
  double expected = 0.125 + g;
  simulation.setEventObserver([&](const Event& event) {
    expected -= 0.5 * (1. - e * e) * event.before(0) * event.before(0);
    // The potential energy of an impact is zero, and what is left is (e v)²/2.
    EXPECT_NEAR(energy(), 0.5 * std::pow(event.after(0), 2), 1e-13);
    EXPECT_NEAR(energy(), expected, 1e-10);
  });
  simulation.run([&] { EXPECT_NEAR(energy(), expected, 1e-10); });
}

TEST(EventDrivenBall, AgreesWithAPublishedTrajectory) {
  const auto published = publishedTrajectory("bouncing_ball_event_driven.txt");
  if (!published) GTEST_SKIP() << noTestData();
  BouncingBall ball(1., 0., 0.9, 8.5, 3);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.005), LCP(), tight());
  // Rows of outputs, and two at each impact.
  std::vector<std::vector<double>> rows;
  simulation.setEventObserver([&](const Event& event) {
    rows.push_back({event.t, event.q(0), event.before(0)});
    rows.push_back({event.t, event.q(0), event.after(0)});
  });
  simulation.run([&] { rows.push_back({simulation.time(), ball.ball->q()(0), ball.ball->velocity()(0)}); });
  std::size_t compared = 0;
  std::size_t row = 0;
  for (const std::vector<double>& theirs : *published) {
    if (theirs[0] > 7.) break;  // later, flights are shorter than an output step and rows are told apart by digits
    while (row < rows.size() && rows[row][0] < theirs[0] - 1e-6) ++row;
    ASSERT_LT(row, rows.size());
    // Theirs is as exact as the tolerances of its integration let impact times be, some 1e-8 s.
    EXPECT_NEAR(rows[row][0], theirs[0], 1e-7);
    EXPECT_NEAR(rows[row][1], theirs[1], 1e-6) << "t = " << theirs[0];
    EXPECT_NEAR(rows[row][2], theirs[2], 1e-6) << "t = " << theirs[0];
    ++row;
    ++compared;
  }
  EXPECT_GT(compared, 1400u);
}

// Backward differentiation restarts with order one after each impact: its errors are hundreds of tolerances, and add
// up.
TEST(EventDrivenBall, BackwardDifferentiationFollowsItsTolerance) {
  for (const double tolerance : {1e-6, 1e-8}) {
    BouncingBall ball(1., 0., 0.5, 1.3);
    EventDrivenOptions options;
    options.integration.method = OdeMethod::bdf;
    options.integration.relativeTolerance = tolerance;
    options.integration.absoluteTolerance = 0.1 * tolerance;
    EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), options);
    simulation.run();
    double t = std::sqrt(2. / g);
    double v = std::sqrt(2. * g);
    ASSERT_GE(simulation.events().size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(simulation.events()[k].t, t, 3000. * tolerance);
      v *= 0.5;
      t += 2. * v / g;
    }
  }
}

// At t = 1e9 s a time is known to 1e-7 s, and shorter flights are none.
TEST(EventDrivenBall, ComesToRestFarFromTimeZero) {
  const double t0 = 1e9;
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-g}));
  auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}})));
  NonSmoothDynamicalSystem model(t0, t0 + 3.);
  model.insert(ball);
  model.link(floor, ball);
  EventDriven simulation(model, TimeDiscretisation(t0, 0.5), LCP(), tight());
  simulation.run();
  EXPECT_EQ(ball->velocity()(0), 0.);
  const Event& last = simulation.events().back();
  EXPECT_EQ(last.kind, EventKind::accumulation);
  // Each of some twenty impacts is off by up to 1.2e-7 s, in time and, times g, in the speed that it gives.
  EXPECT_NEAR(last.t + last.duration - t0, 3. * std::sqrt(2. / g), 2e-5);
}

}  // namespace
