// SPDX-License-Identifier: Apache-2.0
//
// Event-driven simulation of mechanical systems without friction, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/Plane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/functions/Automatic.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <limits>
#include <numbers>
#include <support/Models.hpp>
#include <support/PublishedTrajectory.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;
constexpr double pi = std::numbers::pi;

EventDrivenOptions tight() {
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  options.integration.absoluteTolerance = 1e-13;
  return options;
}

std::vector<Event> ofKind(const std::vector<Event>& events, EventKind kind) {
  std::vector<Event> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const Event& event) { return event.kind == kind; });
  return found;
}

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
  if (!published) GTEST_SKIP() << "the published trajectory is not here.";
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

// A plank falls flat on two supports: both are hit at once, in one problem, and it does not tilt.
TEST(EventDrivenContacts, TwoContactsAreHitAtOnce) {
  const double e = 0.6;
  auto plank = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}),
                                                      makeMatrix({{2., 0.}, {0., 1. / 6.}}));
  plank->setExternalForces(makeVector({-2. * g, 0.}));
  NonSmoothDynamicalSystem model(0., 3.);
  model.insert(plank);
  std::vector<std::shared_ptr<Interaction>> supports;
  for (const double arm : {-0.5, 0.5}) {
    supports.push_back(std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1., arm}}))));
    model.link(supports.back(), plank);
  }
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), tight());
  simulation.run();
  const std::vector<Event>& events = simulation.events();
  ASSERT_GE(events.size(), 20u);
  double t = std::sqrt(2. / g);
  double v = std::sqrt(2. * g);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(events[2 * k].t, events[2 * k + 1].t);
    EXPECT_NEAR(events[2 * k].t, t, 1e-12);
    // Half of the impulse 2 m (1 + e) v each.
    EXPECT_NEAR(events[2 * k].impulse(0), (1. + e) * v, 1e-10);
    EXPECT_NEAR(events[2 * k + 1].impulse(0), (1. + e) * v, 1e-10);
    v *= e;
    t += 2. * v / g;
  }
  EXPECT_NEAR(plank->q()(1), 0., 1e-12);
  for (const auto& support : supports) EXPECT_NEAR(support->lambda(0)(0), g, 1e-10);
}

// A mass on a plate that moves as a sin(ω t) leaves it when a ω² sin(ω t) = g, flies, lands (e = 0) and is carried on.
// Exact where the relation knows its bias, and nearly so by differences.
TEST(EventDrivenContacts, ARestingContactOpensWhenItsSupportFallsAway) {
  const double a = 0.01;
  const double omega = 50.;
  const double leave = std::asin(g / (a * omega * omega)) / omega;
  // The flight: height over the plate, solved for its end by bisection.
  const auto over = [&](double t) {
    const double s = t - leave;
    return a * std::sin(omega * leave) + a * omega * std::cos(omega * leave) * s - 0.5 * g * s * s -
           a * std::sin(omega * t);
  };
  double low = leave + 0.05;
  double high = leave + 2. * pi / omega;
  for (int k = 0; k < 200; ++k) (over(0.5 * (low + high)) > 0. ? low : high) = 0.5 * (low + high);
  for (const bool knowsBias : {true, false}) {
    LagrangianRheonomousR plate(
        1, withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = q(0) - a * std::sin(omega * t); },
                         [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                         [=](double t, const Vector&, Vector& drift) { drift(0) = -a * omega * std::cos(omega * t); }));
    if (knowsBias) {
      plate.setBias([=](double t, const Vector&, const Vector&, Vector& bias) {
        bias(0) = a * omega * omega * std::sin(omega * t);
      });
    }
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({a * omega}), makeMatrix({{1.}}));
    mass->setExternalForces(makeVector({-g}));
    auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.), plate);
    NonSmoothDynamicalSystem model(0., 0.12);
    model.insert(mass);
    model.link(contact, mass);
    EventDriven simulation(model, TimeDiscretisation(0., 0.002), LCP(), tight());
    simulation.run([&] {
      EXPECT_GE(contact->y(0)(0), -1e-15);
      if (!contact->isActive()) return;
      EXPECT_NEAR(contact->y(0)(0), 0., 1e-16);
      EXPECT_NEAR(contact->lambda(0)(0), g - a * omega * omega * std::sin(omega * simulation.time()), 1e-9);
    });
    const std::vector<Event>& events = simulation.events();
    ASSERT_EQ(events.size(), 2u) << knowsBias;
    EXPECT_EQ(events[0].kind, EventKind::takeOff);
    EXPECT_NEAR(events[0].t, leave, 1e-12);
    EXPECT_EQ(events[1].kind, EventKind::impact);
    EXPECT_NEAR(events[1].t, low, 1e-11);
    EXPECT_TRUE(contact->isActive());
  }
}

// A ball on a plate that shakes at 50 Hz, with outputs and flights of many periods: the motion of the ball alone, a
// parabola, would be integrated in steps that know nothing of the plate. Every flight is looked at closely.
TEST(EventDrivenContacts, AFastObstacleIsNotMissed) {
  const double a = 0.002;
  const double omega = 2. * pi * 50.;
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-g}));
  auto plate = std::make_shared<Interaction>(
      NewtonImpactNSL(0.5),
      LagrangianRheonomousR(
          1,
          withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = q(0) - a * std::sin(omega * t); },
                        [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                        [=](double t, const Vector&, Vector& drift) { drift(0) = -a * omega * std::cos(omega * t); })));
  NonSmoothDynamicalSystem model(0., 5.);
  model.insert(ball);
  model.link(plate, ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.05), LCP());
  simulation.run();
  const std::vector<Event>& events = simulation.events();
  ASSERT_GT(events.size(), 40u);
  double deepest = 0.;
  for (std::size_t k = 0; k + 1 < events.size(); ++k) {
    if (events[k].kind != EventKind::impact && events[k].kind != EventKind::takeOff) continue;
    const double flight = events[k + 1].t - events[k].t;
    for (int i = 1; i < 400; ++i) {
      const double s = flight * i / 400.;
      const double q = events[k].q(0) + events[k].after(0) * s - 0.5 * g * s * s;
      deepest = std::min(deepest, q - a * std::sin(omega * (events[k].t + s)));
    }
  }
  EXPECT_GT(deepest, -1e-9);
}

// A point on a small circle, turning fast: the direction of its constraint changes in a ten thousandth of a second.
TEST(EventDrivenContacts, FastTurnsNeedNoBias) {
  const double radius = 0.01;
  for (const double omega : {20., 2000.}) {
    auto point = std::make_shared<LagrangianLinearTIDS>(makeVector({radius, 0.}), makeVector({0., radius * omega}),
                                                        makeMatrix({{1., 0.}, {0., 1.}}));
    auto circle = std::make_shared<Interaction>(EqualityConditionNSL(1),
                                                LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                          using std::sqrt;
                                                                          y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - 0.01;
                                                                        })));
    const double end = 10. * 2. * pi / omega;
    NonSmoothDynamicalSystem model(0., end);
    model.insert(point);
    model.link(circle, point);
    EventDriven simulation(model, TimeDiscretisation(0., end), GenericMechanical(), tight());
    simulation.run();
    EXPECT_NEAR(circle->lambda(0)(0), -radius * omega * omega, 1e-7 * radius * omega * omega) << omega;
    EXPECT_NEAR(point->q()(0), radius, 1e-9 * radius) << omega;
    EXPECT_NEAR(point->q()(1), 0., 1e-7 * radius) << omega;
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
  EXPECT_NEAR(last.t + last.duration - t0, 3. * std::sqrt(2. / g), 1e-5);
}

// The plate of a mass is let down with 20 m/s² from a time event on. A difference across that instant would see the
// fall before it begins.
TEST(EventDrivenContacts, ObstaclesMayJerkAtTimeEvents) {
  for (const bool knowsBias : {true, false}) {
    const auto fall = [](double t) { return t < 1. ? 0. : 10. * (t - 1.) * (t - 1.); };
    const auto fallRate = [](double t) { return t < 1. ? 0. : 20. * (t - 1.); };
    LagrangianRheonomousR plate(1,
                                withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = q(0) + fall(t); },
                                              [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                                              [=](double t, const Vector&, Vector& drift) { drift(0) = fallRate(t); }));
    if (knowsBias) plate.setBias([](double t, const Vector&, const Vector&, Vector& b) { b(0) = t < 1. ? 0. : 20.; });
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
    mass->setExternalForces(makeVector({-g}));
    auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.5), plate);
    NonSmoothDynamicalSystem model(0., 1.5);
    model.insert(mass);
    model.link(contact, mass);
    EventDriven simulation(model, TimeDiscretisation(0., 0.01), LCP(), tight());
    simulation.addTimeEvents("let down", {1.});
    simulation.run([&] { EXPECT_TRUE(simulation.time() >= 1. || std::abs(contact->lambda(0)(0) - g) < 1e-9); });
    ASSERT_EQ(simulation.events().size(), 2u) << knowsBias;
    EXPECT_EQ(simulation.events()[1].kind, EventKind::takeOff);
    EXPECT_EQ(simulation.events()[1].t, 1.);
    EXPECT_NEAR(mass->q()(0), -0.5 * g * 0.25, 1e-11);
  }
}

// The kinetic energy that an impact takes is ½ p (ẏ⁻ + ẏ⁺) summed over its contacts; other events take none.
TEST(EventDrivenContacts, EveryEventBalancesItsEnergy) {
  ColumnOfBeads column(3, 1., 0.25, 0.6, 2.);
  EventDriven simulation(column.model, TimeDiscretisation(0., 0.05), LCP(), tight());
  simulation.run();
  const std::vector<Event>& events = simulation.events();
  std::size_t impacts = 0;
  for (std::size_t k = 0; k < events.size();) {
    // All entries of one instant. Each has the velocities of its own beads: contact 0 of bead 0, contact i of i − 1, i.
    double work = 0.;
    std::vector<double> change(3, 0.);
    const double t = events[k].t;
    for (; k < events.size() && events[k].t == t; ++k) {
      const Event& event = events[k];
      const std::size_t contact = static_cast<std::size_t>(event.source.back() - '0');
      const bool ground = event.before.size() == 3;
      const auto rate = [&](const Vector& v) { return ground ? v(0) : v(3) - v(0); };
      work += 0.5 * event.impulse(0) * (rate(event.before) + rate(event.after));
      for (std::size_t i = 0; i < (ground ? 1u : 2u); ++i) {
        change[contact + i - (ground ? 0 : 1)] =
            0.5 * (std::pow(event.after(3 * i), 2) - std::pow(event.before(3 * i), 2));
      }
      impacts += event.impulse(0) > 0. ? 1 : 0;
    }
    EXPECT_NEAR(change[0] + change[1] + change[2], work, 1e-12) << "t = " << t;
  }
  EXPECT_GT(impacts, 20u);
}

// A rod on a pin: the constraint is held to rounding for as long as one likes, and the energy to the tolerance.
TEST(EventDrivenContacts, APendulumDoesNotDrift) {
  auto bob = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}),
                                                    makeMatrix({{1., 0.}, {0., 1.}}));
  bob->setExternalForces(makeVector({0., -g}));
  auto rod = std::make_shared<Interaction>(
      EqualityConditionNSL(1),
      LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) { y(0) = q(0) * q(0) + q(1) * q(1) - 1.; })));
  NonSmoothDynamicalSystem model(0., 200.);
  model.insert(bob);
  model.link(rod, bob);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), GenericMechanical(), tight());
  double drift = 0.;
  double energyError = 0.;
  simulation.run([&] {
    const Vector& v = bob->velocity();
    drift = std::max({drift, std::abs(rod->y(0)(0)), std::abs(rod->y(1)(0))});
    energyError = std::max(energyError, std::abs(0.5 * (v(0) * v(0) + v(1) * v(1)) + g * bob->q()(1)));
  });
  EXPECT_LT(drift, 4e-15);  // rounding of q² and q v
  // Some 8000 steps, each with an error of up to 1e-12 of 10 J.
  EXPECT_LT(energyError, 8e-8);
  EXPECT_TRUE(simulation.events().empty());
}

TEST(EventDrivenContacts, APendulumSwingsInItsPeriod) {
  auto bob = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}),
                                                    makeMatrix({{1., 0.}, {0., 1.}}));
  bob->setExternalForces(makeVector({0., -g}));
  auto rod = std::make_shared<Interaction>(
      EqualityConditionNSL(1),
      LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) { y(0) = q(0) * q(0) + q(1) * q(1) - 1.; })));
  NonSmoothDynamicalSystem model(0., 20.);
  model.insert(bob);
  model.link(rod, bob);
  EventDriven simulation(model, TimeDiscretisation(0., 20.), GenericMechanical(), tight());
  simulation.addStateEvent(
      "lowest", bob, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::falling);
  simulation.run();
  // T = 4 √(l/g) K, K = π / (2 agm(1, √(1 − ½))); the lowest point is passed leftwards after T/4, then once a period.
  double x = 1.;
  double y = std::sqrt(0.5);
  for (int k = 0; k < 10; ++k) {
    const double mean = 0.5 * (x + y);
    y = std::sqrt(x * y);
    x = mean;
  }
  const double period = 4. * std::sqrt(1. / g) * pi / (2. * x);
  const std::vector<Event>& events = simulation.events();
  ASSERT_EQ(events.size(), static_cast<std::size_t>(20. / period + 0.75));
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_NEAR(events[k].t, period * (0.25 + static_cast<double>(k)), 1e-9);
  }
}

// Three beads fall on the ground and on each other. Impacts of beads that are hit from two sides accumulate without an
// acceleration between them; in the end all rest, and carry what is above them.
TEST(EventDrivenContacts, AColumnOfBeadsComesToRest) {
  for (const double e : {0., 0.3, 0.5, 0.7}) {
    ColumnOfBeads column(3, 1., 0.25, e, 6.);
    EventDriven simulation(column.model, TimeDiscretisation(0., 0.05), LCP(), tight());
    const auto energy = [&] {
      double sum = 0.;
      for (const auto& bead : column.beads) {
        sum += g * bead->q()(0) + 0.5 * std::pow(bead->velocity()(0), 2);
      }
      return sum;
    };
    double last = std::numeric_limits<double>::infinity();
    simulation.run([&] {
      for (const auto& contact : column.contacts) EXPECT_GE(contact->y(0)(0), -1e-12);
      EXPECT_LE(energy(), last + 1e-9);
      last = energy();
    });
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(column.contacts[i]->y(0)(0), 0., 1e-13) << e;
      EXPECT_NEAR(column.beads[i]->velocity()(0), 0., 1e-20) << e;
      EXPECT_NEAR(column.contacts[i]->lambda(0)(0), static_cast<double>(3 - i) * g, 1e-10) << e;
    }
  }
}

// Backlash: a mass between two walls under an alternating force, against a search for roots in the closed form.
TEST(EventDrivenContacts, BacklashIsCrossedBackAndForth) {
  const double gap = 0.1;
  const double e = 0.2;
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  mass->setExternalForces([](double t, Vector& f) { f(0) = 5. * std::cos(3. * t); });
  NonSmoothDynamicalSystem model(0., 10.);
  model.insert(mass);
  for (const double side : {-1., 1.}) {
    model.link(
        std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{side}}), makeVector({gap}))),
        mass);
  }
  EventDriven simulation(model, TimeDiscretisation(0., 0.01), LCP(), tight());
  simulation.run([&] { EXPECT_LE(std::abs(mass->q()(0)), gap + 1e-15); });
  // From an event (t0, q0, v0) in flight: q0 + v0 s + 5/9 (cos 3t0 − cos 3t) − 5/3 sin(3t0) s.
  const std::vector<Event>& events = simulation.events();
  std::size_t flights = 0;
  for (std::size_t k = 0; k + 1 < events.size(); ++k) {
    if (events[k].kind != EventKind::impact || events[k + 1].kind == EventKind::takeOff) continue;
    const double t0 = events[k].t;
    const double t1 = events[k + 1].t;
    const double s = t1 - t0;
    const double q1 = events[k].q(0) + events[k].after(0) * s + 5. / 9. * (std::cos(3. * t0) - std::cos(3. * t1)) -
                      5. / 3. * std::sin(3. * t0) * s;
    EXPECT_NEAR(q1, events[k + 1].q(0), 1e-11);
    ++flights;
  }
  EXPECT_GT(flights, 20u);
  // Bounces at a wall accumulate while the force presses; then the mass rests there.
  const std::vector<Event> settled = ofKind(events, EventKind::accumulation);
  EXPECT_GE(settled.size(), 5u);
  for (const Event& event : settled) {
    EXPECT_NEAR(std::abs(event.q(0)), gap, 1e-14);  // 64 times the rounding of the gap, at most
    EXPECT_EQ(event.after(0), 0.);
    EXPECT_LT(event.duration, 1e-6);  // of flights no higher than rounding, under a force of 0.01 or more
  }
  // Pressed to a wall, the mass leaves it when the force changes its sign.
  const std::vector<Event> takeOffs = ofKind(events, EventKind::takeOff);
  EXPECT_GE(takeOffs.size(), 5u);
  for (const Event& event : takeOffs) EXPECT_NEAR(std::cos(3. * event.t), 0., 1e-11);
}

// A mass that swings over a plate it only just touches, or misses, or hits by 1e-9 m: nothing hangs, and what is deeper
// than the tolerance is hit.
TEST(EventDrivenContacts, GrazingContactsDoNotHang) {
  for (const double depth : {-1e-9, -1e-12, 0., 1e-14, 1e-12, 1e-9, 1e-6}) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{4.}}), makeMatrix({{0.}}));
    auto plate = std::make_shared<Interaction>(NewtonImpactNSL(0.7),
                                               LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({1. - depth})));
    NonSmoothDynamicalSystem model(0., 20.);
    model.insert(mass);
    model.link(plate, mass);
    EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), tight());
    ASSERT_NO_THROW(simulation.run([&] { EXPECT_GE(plate->y(0)(0), -1e-10); })) << depth;
    const std::size_t impacts = ofKind(simulation.events(), EventKind::impact).size();
    EXPECT_TRUE(depth > -1e-11 || impacts == 0u) << depth;
    EXPECT_TRUE(depth < 1e-10 || impacts >= 1u) << depth;
    // Seven swings; the impacts of one graze follow each other only where the plate is deep enough.
    EXPECT_LT(simulation.events().size(), 400u) << depth;
  }
}

// A dip of the gap that is over within one step of the integration: the signs at its ends do not show it.
TEST(EventDrivenContacts, AShortDipBelowZeroIsNotMissed) {
  // A bump of height 0.02 and half width 1e-3 s passes under a mass that flies 0.01 above.
  const double width = 1e-3;
  const auto bump = [=](double t) { return 0.02 * std::exp(-std::pow((t - 0.5) / width, 2)); };
  const auto bumpRate = [=](double t) { return -2. * (t - 0.5) / (width * width) * bump(t); };
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.01}), makeVector({0.}), makeMatrix({{1.}}));
  auto contact = std::make_shared<Interaction>(
      NewtonImpactNSL(1.),
      LagrangianRheonomousR(1,
                            withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = q(0) - bump(t); },
                                          [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                                          [=](double t, const Vector&, Vector& drift) { drift(0) = -bumpRate(t); })));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(contact, mass);
  EventDrivenOptions options = tight();
  options.integration.maximalStep = 2. * width;  // the motion itself knows nothing of the bump
  EventDriven simulation(model, TimeDiscretisation(0., 1.), LCP(), options);
  simulation.run();
  ASSERT_EQ(simulation.events().size(), 1u);
  const double hit = 0.5 - width * std::sqrt(std::log(2.));
  EXPECT_NEAR(simulation.events()[0].t, hit, 1e-12);
  EXPECT_NEAR(simulation.events()[0].after(0), 2. * bumpRate(hit), 1e-8);
}

// A rigid body: the intermediate axis turns over while the ball bounces; momentum and energy hold between impacts.
TEST(EventDrivenBodies, ARigidBodyBouncesAndTurns) {
  const Vector inertia = makeVector({1., 2., 3.});
  Matrix I(3, 3);
  for (std::size_t i = 0; i < 3; ++i) I(i, i) = inertia(i);
  const double mass = 2.;
  auto body = std::make_shared<NewtonEulerDS>(makeVector({0., 0., 1., 1., 0., 0., 0.}),
                                              makeVector({0.3, 0., 0., 0.05, 5., 0.05}), mass, I);
  body->setExternalForces([=](double, Vector& f) { f(2) = -mass * g; });
  NonSmoothDynamicalSystem model(0., 4.);
  model.insert(body);
  auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.8), NewtonEuler1DR(SpherePlane(0.1, Plane())));
  model.link(contact, body);
  EventDriven simulation(model, TimeDiscretisation(0., 0.05), LCP(), tight());
  const auto spin = [&] {
    double sum = 0.;
    for (std::size_t i = 0; i < 3; ++i) sum += 0.5 * inertia(i) * std::pow(body->velocity()(3 + i), 2);
    return sum;
  };
  const double spinAtStart = spin();
  double smallest = 5.;
  simulation.run([&] {
    double norm = 0.;
    for (std::size_t i = 3; i < 7; ++i) norm += body->q()(i) * body->q()(i);
    EXPECT_NEAR(norm, 1., 1e-9);
    EXPECT_NEAR(spin(), spinAtStart, 1e-8);
    smallest = std::min(smallest, body->velocity()(4));
  });
  EXPECT_LT(smallest, -4.9);  // it has turned over
  const std::vector<Event> impacts = ofKind(simulation.events(), EventKind::impact);
  ASSERT_GE(impacts.size(), 5u);
  double t = std::sqrt(2. * 0.9 / g);
  double v = std::sqrt(2. * 0.9 * g);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(impacts[k].t, t, 1e-10);
    v *= 0.8;
    t += 2. * v / g;
  }
  EXPECT_NEAR(body->q()(0), 0.3 * 4., 1e-10);
}

}  // namespace
