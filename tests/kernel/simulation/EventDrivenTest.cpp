// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/functions/Automatic.hpp>
#include <delassus/kernel/hybrid/TimeEvents.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <limits>
#include <numbers>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;

std::shared_ptr<LagrangianLinearTIDS> makeMass(double q, double v) {
  return std::make_shared<LagrangianLinearTIDS>(makeVector({q}), makeVector({v}), makeMatrix({{1.}}));
}

std::shared_ptr<Interaction> makeFloor(double e) {
  return std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}})));
}

TEST(EventDriven, OutputsComeAtTheirInstantsAndTheLastAtT) {
  BouncingBall ball(1., 0., 0.9, 1.05);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  std::vector<double> times;
  simulation.run([&] { times.push_back(simulation.time()); });
  ASSERT_EQ(times.size(), 11u);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(times[k], 0.1 * static_cast<double>(k + 1));
  EXPECT_EQ(times.back(), 1.05);
  EXPECT_FALSE(simulation.hasNextStep());
  EXPECT_THROW(simulation.step(), Error);
}

TEST(EventDriven, OutputsDoNotChangeTheEvents) {
  const auto impacts = [](double spacing) {
    BouncingBall ball(1., 0., 0.9, 5.);
    EventDriven simulation(ball.model, TimeDiscretisation(0., spacing), LCP());
    simulation.run();
    return simulation.events();
  };
  const std::vector<Event> coarse = impacts(5.);
  const std::vector<Event> fine = impacts(1e-3);
  ASSERT_EQ(coarse.size(), fine.size());
  // The motion is a parabola, exact up to rounding in any step; rounding grows with the number of steps.
  for (std::size_t k = 0; k < coarse.size(); ++k) EXPECT_NEAR(coarse[k].t, fine[k].t, 1e-11);
}

TEST(EventDriven, TheSameProgramGivesTheSameBits) {
  const auto last = [] {
    ColumnOfBeads column(3, 1., 0.25, 0.5, 1.);
    EventDriven simulation(column.model, TimeDiscretisation(0., 0.1), LCP());
    simulation.run();
    return std::make_pair(simulation.events().back().t, column.beads[2]->q()(0));
  };
  EXPECT_EQ(last(), last());
}

TEST(EventDriven, TheStateAfterAnImpactHasItsImpulseAndForcesFollow) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 1.), LCP());
  const double speed = std::sqrt(2. * g);
  std::size_t seen = 0;
  simulation.setEventObserver([&](const Event& event) {
    ++seen;
    EXPECT_EQ(event.kind, EventKind::impact);
    EXPECT_NEAR(event.before(0), -speed, 1e-10);
    EXPECT_NEAR(event.after(0), 0.9 * speed, 1e-10);
    EXPECT_NEAR(event.impulse(0), 1.9 * speed, 1e-10);
    EXPECT_NEAR(ball.floor->lambda(1)(0), 1.9 * speed, 1e-10);
    EXPECT_NEAR(ball.ball->p()(0), 1.9 * speed, 1e-10);
    EXPECT_EQ(ball.ball->velocity()(0), event.after(0));
    EXPECT_EQ(simulation.time(), event.t);
  });
  simulation.run();
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(ball.floor->lambda(1)(0), 0.);
  EXPECT_EQ(ball.floor->lambda(0)(0), 0.);
}

TEST(EventDriven, ABallAtRestIsCarried) {
  BouncingBall ball(0., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  simulation.initialise();
  EXPECT_TRUE(ball.floor->isActive());
  simulation.run();
  EXPECT_EQ(ball.ball->q()(0), 0.);
  EXPECT_EQ(ball.ball->velocity()(0), 0.);
  EXPECT_NEAR(ball.floor->lambda(0)(0), g, 1e-12);
  EXPECT_TRUE(simulation.events().empty());
}

// A force that jumps at a known time: constant before and after, so that the motion is exact.
TEST(EventDriven, ForcesMayJumpAtTimeEvents) {
  const double jump = 0.1 + 0.2;
  const auto run = [&](bool withEvent) {
    auto mass = makeMass(0., 0.);
    mass->setExternalForces([=](double t, Vector& f) { f(0) = t < jump ? 1. : -2.; });
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    EventDriven simulation(model, TimeDiscretisation(0., 1.), LCP());
    if (withEvent) simulation.addTimeEvents("jump", {jump});
    simulation.run();
    const double rest = 1. - jump;
    const double error = mass->q()(0) - (0.5 * jump * jump + jump * rest - rest * rest);
    return std::make_pair(std::abs(error), simulation.statistics().evaluations);
  };
  const auto with = run(true);
  const auto without = run(false);
  EXPECT_LT(with.first, 1e-14);
  EXPECT_LT(with.second, 600u);  // the first steps are short: nothing is known of the motion
  EXPECT_GT(without.second, with.second);
}

TEST(EventDriven, SamplingCallsItsActionAtEachInstant) {
  auto mass = makeMass(1., 0.);
  mass->setZ(makeVector({0.}));
  mass->setExternalForces([](double, const Vector& z, Vector& f) { f(0) = z(0); });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.25), LCP());
  std::vector<double> times;
  // A controller that holds its force for a tenth of a second. Its motion is piecewise a parabola.
  simulation.addSampling("controller", TimeDiscretisation(0., 0.1), [&] {
    times.push_back(simulation.time());
    mass->setZ(makeVector({-4. * mass->q()(0) - 2. * mass->velocity()(0)}));
  });
  simulation.run();
  ASSERT_EQ(times.size(), 11u);
  double q = 1.;
  double v = 0.;
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(times[k], 0.1 * static_cast<double>(k), 1e-15);
    const double a = -4. * q - 2. * v;
    q += 0.1 * v + 0.005 * a;
    v += 0.1 * a;
  }
  EXPECT_NEAR(mass->q()(0), q, 1e-12);
  EXPECT_NEAR(mass->velocity()(0), v, 1e-12);
  for (const Event& event : simulation.events()) EXPECT_EQ(event.kind, EventKind::sample);
}

TEST(EventDriven, StateEventsComeInTheirDirection) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                     makeMatrix({{4.}}), makeMatrix({{0.}}));
  NonSmoothDynamicalSystem model(0., 2. * std::numbers::pi);  // two periods of cos(2 t)
  model.insert(mass);
  EventDrivenOptions options;
  options.integration.relativeTolerance = options.integration.absoluteTolerance = 1e-13;
  EventDriven simulation(model, TimeDiscretisation(0., 1.), LCP(), options);
  const auto half = [](double, const Vector& q, const Vector&) { return q(0) - 0.5; };
  simulation.addStateEvent("falling", mass, half, Crossing::falling);
  simulation.addStateEvent("rising", mass, half, Crossing::rising);
  simulation.addStateEvent("both", mass, half, Crossing::both);
  simulation.run();
  std::vector<double> falling, rising, both;
  for (const Event& event : simulation.events()) {
    EXPECT_EQ(event.kind, EventKind::user);
    EXPECT_NEAR(event.q(0), 0.5, 1e-14);
    (event.source == "falling" ? falling : event.source == "rising" ? rising : both).push_back(event.t);
  }
  const double first = std::acos(0.5) / 2.;
  const double period = std::numbers::pi;
  ASSERT_EQ(falling.size(), 2u);
  ASSERT_EQ(rising.size(), 2u);
  ASSERT_EQ(both.size(), 4u);
  for (std::size_t k = 0; k < 2; ++k) {
    const double shift = period * static_cast<double>(k);
    EXPECT_NEAR(falling[k], first + shift, 1e-11);
    EXPECT_NEAR(rising[k], period - first + shift, 1e-11);
    EXPECT_EQ(both[2 * k], falling[k]);
    EXPECT_EQ(both[2 * k + 1], rising[k]);
  }
}

TEST(EventDriven, ActionsMayResetTheState) {
  auto mass = makeMass(1., 0.);
  mass->setExternalForces(makeVector({-1.}));
  NonSmoothDynamicalSystem model(0., 10.);
  model.insert(mass);
  EventDriven simulation(model, TimeDiscretisation(0., 10.), LCP());
  // A wall of the user: turns the mass round at zero.
  simulation.addStateEvent(
      "wall", mass, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::falling,
      [&] { mass->setState(mass->q(), -mass->velocity()); });
  simulation.run();
  // Falls for √2, then bounces of 2√2 each.
  ASSERT_EQ(simulation.events().size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(simulation.events()[k].t, std::numbers::sqrt2 * (1. + 2. * static_cast<double>(k)), 1e-12);
    EXPECT_NEAR(simulation.events()[k].before(0), -std::numbers::sqrt2, 1e-12);
    EXPECT_NEAR(simulation.events()[k].after(0), std::numbers::sqrt2, 1e-12);
  }
}

TEST(EventDriven, ActionsMayChangeTheModel) {
  BouncingBall ball(0., 0., 0.9, 2.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.5), LCP());
  simulation.addTimeEvents("the floor goes", {1.}, [&] { ball.model.remove(ball.floor); });
  simulation.run();
  EXPECT_NEAR(ball.ball->q()(0), -0.5 * g, 1e-12);
  EXPECT_NEAR(ball.ball->velocity()(0), -g, 1e-12);
}

TEST(EventDriven, AModelChangedAfterAnOutputIsBoundAnew) {
  BouncingBall ball(1., 0., 0.5, 0.6);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  simulation.step();
  auto other = makeMass(0., 1.);
  ball.model.insert(other);
  simulation.run();
  EXPECT_NEAR(other->q()(0), 0.5, 1e-12);
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_NEAR(simulation.events()[0].t, std::sqrt(2. / g), 1e-12);
}

TEST(EventDriven, AStateThatWasResetAfterAnOutputIsFollowed) {
  auto mass = makeMass(0., 1.);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP());
  simulation.step();
  mass->setState(makeVector({0.}), makeVector({-3.}));
  simulation.step();
  EXPECT_NEAR(mass->q()(0), -1.5, 1e-13);
}

TEST(EventDriven, InconsistentInitialStatesAreRefusedByName) {
  const auto start = [](double q, double v) {
    auto mass = makeMass(q, v);
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    auto floor = makeFloor(0.5);
    floor->setName("floor");
    model.link(floor, mass);
    EventDriven(model, TimeDiscretisation(0., 0.1), LCP()).initialise();
  };
  expectError([&] { start(-0.01, 0.); }, {"'floor'", "gap", "y = -0.01"});
  expectError([&] { start(0., -1.); }, {"'floor'", "approached", "dy/dt = -1"});
  EXPECT_NO_THROW(start(0., 1.));
  EXPECT_NO_THROW(start(1., -1.));
}

TEST(EventDriven, JointsMustFitTheInitialState) {
  const auto start = [](double q, double v) {
    auto mass = makeMass(q, v);
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    auto pin = std::make_shared<Interaction>(EqualityConditionNSL(1), LagrangianLinearTIR(makeMatrix({{1.}})));
    pin->setName("pin");
    model.link(pin, mass);
    EventDriven(model, TimeDiscretisation(0., 0.1), GenericMechanical()).initialise();
  };
  expectError([&] { start(0.1, 0.); }, {"'pin'", "must be zero", "y = 0.1"});
  expectError([&] { start(0., 0.1); }, {"'pin'", "rate", "dy/dt = 0.1"});
  EXPECT_NO_THROW(start(0., 0.));
}

TEST(EventDriven, WhatItDoesNotTakeIsRefusedByName) {
  const auto start = [](auto law, auto relation, auto problem) {
    auto mass = makeMass(1., 0.);
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    auto contact = std::make_shared<Interaction>(law, relation);
    contact->setName("contact");
    model.link(contact, mass);
    EventDriven(model, TimeDiscretisation(0., 0.1), std::move(problem)).initialise();
  };
  const LagrangianContactR spatial(3,
                                   LagrangianContactR::Function(automatic([](const auto& q, auto& h) { h(0) = q(0); })),
                                   [](double, const Vector&, Matrix&) {});
  expectError([&] { start(NewtonImpactFrictionNSL(0., 0., 0.3, 3), spatial, FrictionContact(3)); },
              {"'contact'", "NewtonImpactFrictionNSL", "size 3", "event-driven"});
  expectError([&] { start(EqualityConditionNSL(1), LagrangianLinearTIR(makeMatrix({{1.}})), LCP()); },
              {"'contact'", "LCP", "EqualityConditionNSL"});
  const LagrangianCompliantR spring(
      1, automatic([](const auto& q, const auto& lambda, auto& y) { y(0) = q(0) + 1e-3 * lambda(0); }));
  expectError([&] { start(NewtonImpactNSL(0.), spring, LCP()); }, {"'contact'", "compliant"});
}

TEST(EventDriven, EventFunctionsThatMarkNoInstantAreErrors) {
  const auto run = [](auto f) {
    BouncingBall ball(1., 0., 0.9, 1.);
    EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
    simulation.addStateEvent("mark", ball.ball, f, Crossing::both);
    simulation.run();
  };
  expectError([&] { run([](double, const Vector&, const Vector&) { return 0.; }); }, {"'mark'", "is zero from"});
  expectError([&] { run([](double, const Vector&, const Vector&) { return std::nan(""); }); },
              {"'mark'", "not finite"});
  expectError(
      [&] {
        run([](double, const Vector& q, const Vector&) {
          return q(0) < 0.5 ? std::numeric_limits<double>::infinity() : 1.;
        });
      },
      {"'mark'", "not finite"});
}

// The apex of a bouncing ball: its velocity is zero for good once it rests, and no event any more.
TEST(EventDriven, FunctionsMayBecomeZeroAndStaySo) {
  BouncingBall ball(1., 0., 0.5, 3.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  std::size_t apexes = 0;
  simulation.addStateEvent(
      "apex", ball.ball, [](double, const Vector&, const Vector& v) { return v(0); }, Crossing::falling,
      [&] { ++apexes; });
  EXPECT_NO_THROW(simulation.run());
  EXPECT_GT(apexes, 15u);
  EXPECT_EQ(ball.ball->velocity()(0), 0.);
  EXPECT_FALSE(simulation.events().empty());
  simulation.clearEvents();
  EXPECT_TRUE(simulation.events().empty());
}

TEST(EventDriven, ABiasThatDoesNotFitIsRefusedByName) {
  const auto start = [](LagrangianScleronomousR::BiasFunction bias) {
    auto mass = makeMass(0., 0.);
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    LagrangianScleronomousR relation(1, automatic([](const auto& q, auto& y) { y(0) = q(0) + q(0) * q(0); }));
    relation.setBias(std::move(bias));
    auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.), relation);
    contact->setName("contact");
    model.link(contact, mass);
    EventDriven(model, TimeDiscretisation(0., 0.1), LCP()).initialise();
  };
  expectError([&] { start([](const Vector&, const Vector&, Vector& b) { b.resize(2); }); }, {"'contact'", "bias", "2"});
  expectError([&] { start([](const Vector&, const Vector&, Vector& b) { b(0) = std::nan(""); }); },
              {"'contact'", "bias", "nan"});
  EXPECT_NO_THROW(start([](const Vector&, const Vector& v, Vector& b) { b(0) = 2. * v(0) * v(0); }));
}

TEST(EventDriven, EventsCloserThanTheMinimalStepAreErrors) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDrivenOptions options;
  options.integration.minimalStep = 1e-6;
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), options);
  simulation.addTimeEvents("one", {0.2, 0.3});
  simulation.addTimeEvents("two", {0.2 + 1e-9});
  expectError([&] { simulation.run(); }, {"'one'", "'two'", "minimal step"});
}

TEST(EventDriven, TimesThatAgreeToRoundingAreOneInstant) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDrivenOptions options;
  options.integration.minimalStep = 1e-6;
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), options);
  simulation.addTimeEvents("one", {0.3});
  simulation.addTimeEvents("two", {0.1 + 0.2});
  EXPECT_NO_THROW(simulation.run());
  EXPECT_EQ(simulation.events().size(), 3u);  // with one impact
}

TEST(EventDriven, EventsAreCheckedWhenTheyAreGiven) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  expectError([&] { simulation.addTimeEvents("times", {0.2, 0.1}); }, {"'times'", "ascend", "number 1"});
  expectError([&] { simulation.addTimeEvents("times", {std::nan("")}); }, {"'times'", "finite"});
  expectError([&] { simulation.addSampling("sensor", TimeDiscretisation(0., 0.1), {}); }, {"'sensor'", "no action"});
  expectError([&] { simulation.addStateEvent("mark", ball.ball, nullptr, Crossing::both); }, {"'mark'", "null"});
  auto stranger = makeMass(0., 0.);
  simulation.addStateEvent(
      "stranger", stranger, [](double, const Vector& q, const Vector&) { return q(0) - 7.; }, Crossing::both);
  expectError([&] { simulation.initialise(); }, {"'stranger'", "not in the model"});
}

TEST(EventDriven, LateEventsAreRefused) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  simulation.step();
  expectError([&] { simulation.addTimeEvents("late", {0.5}); }, {"'late'", "too late"});
}

TEST(EventDriven, OptionsThatMakeNoSenseAreRefused) {
  const auto make = [](auto change) {
    BouncingBall ball(1., 0., 0.9, 1.);
    EventDrivenOptions options;
    change(options);
    EventDriven(ball.model, TimeDiscretisation(0., 0.1), LCP(), options).initialise();
  };
  EXPECT_THROW(make([](EventDrivenOptions& o) { o.contacts.minimalFlight = 0.; }), Error);
  EXPECT_THROW(make([](EventDrivenOptions& o) { o.contacts.gapTolerance = std::nan(""); }), Error);
  EXPECT_THROW(make([](EventDrivenOptions& o) { o.integration.relativeTolerance = -1.; }), Error);
  BouncingBall ball(1., 0., 0.9, 1.);
  expectError([&] { EventDriven(ball.model, TimeDiscretisation(0.5, 0.1), LCP()); }, {"starts at 0.5", "t0 = 0"});
}

// Two plates that close in on a block leave it no motion.
TEST(EventDriven, ObstaclesThatCloseInAreAnError) {
  auto mass = makeMass(0., 0.);
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(mass);
  const auto plate = [](double side) {
    return std::make_shared<Interaction>(
        NewtonImpactNSL(0.5),
        LagrangianRheonomousR(1,
                              withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = 1. - t + side * q(0); },
                                            [=](double, const Vector&, Matrix& G) { G(0, 0) = side; },
                                            [](double, const Vector&, Vector& drift) { drift(0) = -1.; })));
  };
  model.link(plate(1.), mass);
  model.link(plate(-1.), mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP());
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_NEAR(simulation.time(), 0.5, 1e-15);  // the state of the last output or event
}

TEST(EventDriven, AnErrorLeavesTheLastStateAndMayBeMended) {
  auto mass = makeMass(0., 1.);
  bool broken = true;
  mass->setExternalForces([&](double t, Vector& f) { f(0) = broken && t > 0.75 ? std::nan("") : 0.; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP());
  expectError([&] { simulation.run(); }, {"external", "t = 0.7", "nan"});
  EXPECT_EQ(simulation.time(), 0.5);
  EXPECT_NEAR(mass->q()(0), 0.5, 1e-14);
  broken = false;
  simulation.run();
  EXPECT_NEAR(mass->q()(0), 1., 1e-14);
}

// A ball that falls beside a relay that switches: each as it does by itself.
TEST(EventDriven, MechanicsAndFirstOrderSystemsMayBeInOneModel) {
  const auto run = [](bool withBall, bool withRelay) {
    auto ball = makeMass(1., 0.);
    ball->setExternalForces(makeVector({-g}));
    auto tank = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
    NonSmoothDynamicalSystem model(0., 1.5);
    if (withRelay) {
      model.insert(tank);
      model.link(std::make_shared<Interaction>(RelayNSL(1, -1., 1.),
                                               FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}}))),
                 tank);
    }
    if (withBall) {
      model.insert(ball);
      model.link(makeFloor(0.5), ball);
    }
    EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
    simulation.run();
    std::vector<double> times;
    for (const Event& event : simulation.events()) times.push_back(event.t);
    return std::make_pair(times, makeVector({ball->q()(0), tank->x()(0)}));
  };
  const auto both = run(true, true);
  const auto ball = run(true, false);
  const auto relay = run(false, true);
  ASSERT_EQ(relay.first.size(), 1u);
  // x' = −x − 1 from 1 reaches zero at log 2, and stays there.
  EXPECT_NEAR(relay.first[0], std::log(2.), 1e-9);
  EXPECT_NEAR(both.second(1), 0., 1e-12);
  EXPECT_NEAR(both.second(0), ball.second(0), 1e-9);
  EXPECT_EQ(both.first.size(), ball.first.size() + 1);
}

TEST(EventDriven, AnActionThatThrowsLeavesTheOthersDue) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.5), LCP());
  bool broken = true;
  bool called = false;
  simulation.addTimeEvents("first", {0.25}, [&] {
    if (std::exchange(broken, false)) throw Error("first", "it is broken.");
  });
  simulation.addTimeEvents("second", {0.25}, [&] { called = true; });
  expectError([&] { simulation.run(); }, {"first", "broken"});
  EXPECT_EQ(simulation.time(), 0.25);
  EXPECT_FALSE(called);
  simulation.run();
  EXPECT_TRUE(called);
  EXPECT_EQ(simulation.time(), 1.);
}

TEST(EventDriven, ARemovedSystemTakesItsEventsAlong) {
  BouncingBall ball(1., 0., 0.9, 1.);
  auto other = makeMass(0., 1.);
  ball.model.insert(other);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.5), LCP());
  simulation.addStateEvent(
      "late", other, [](double t, const Vector&, const Vector&) { return t - 0.9; }, Crossing::rising);
  simulation.addTimeEvents("remove", {0.3}, [&] { ball.model.remove(other); });
  EXPECT_NO_THROW(simulation.run());
  EXPECT_EQ(simulation.events().size(), 2u);  // the removal and one impact
}

TEST(EventDriven, EventsNeedNotBeKept) {
  BouncingBall ball(1., 0., 0.9, 2.);
  EventDrivenOptions options;
  options.keepEvents = false;
  EventDriven simulation(ball.model, TimeDiscretisation(0., 1.), LCP(), options);
  std::size_t seen = 0;
  simulation.setEventObserver([&](const Event&) { ++seen; });
  simulation.run();
  EXPECT_TRUE(simulation.events().empty());
  EXPECT_EQ(seen, 3u);
  EXPECT_NE(simulation.statistics().summary().find("3 events, 3 of them impacts"), std::string::npos);
}

TEST(TimeEvents, SeriesAreMergedInOrder) {
  TimeEvents events;
  const auto series = [](std::string name, std::vector<double> times) {
    return TimeEvents::Series{
        std::move(name),
        EventKind::user,
        [times](std::size_t k) { return k < times.size() ? times[k] : std::numeric_limits<double>::infinity(); },
        {},
        0};
  };
  events.add(series("a", {-1., 0.5, 2.}));
  events.add(series("b", {0.5, 1.}));
  events.begin(0.);
  EXPECT_EQ(events.next(), 0.5);
  EXPECT_EQ(events.pop().size(), 2u);
  EXPECT_EQ(events.next(), 1.);
  EXPECT_EQ(events.pop().front().name, "b");
  EXPECT_EQ(events.pop().front().name, "a");
  EXPECT_TRUE(std::isinf(events.next()));
}

}  // namespace
