// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
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
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
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
  expectError([&] { start(EqualityConditionNSL(1), LagrangianLinearTIR(makeMatrix({{1.}})), LCP()); },
              {"'contact'", "LCP", "EqualityConditionNSL"});
  const LagrangianCompliantR spring(
      1, automatic([](const auto& q, const auto& lambda, auto& y) { y(0) = q(0) + 1e-3 * lambda(0); }));
  expectError([&] { start(NewtonImpactNSL(0.), spring, LCP()); }, {"'contact'", "compliant"});
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

// ẋ = 1 + λ with −x in N_[l,u](λ): it slides at 0 where the relay can hold it.
TEST(EventDriven, ARelayBetweenFirstOrderSystemsHasTheBoundsThatItIsTold) {
  NonSmoothDynamicalSystem model(0., 4.);
  const auto x = model.insert("x", std::make_shared<FirstOrderLinearTIDS>(Vector{0.}, Matrix(1, 1), Vector{1.}));
  const auto law = std::make_shared<RelayNSL>(1, -2., 2.);
  model.link("switch", law, FirstOrderLinearTIR(identityMatrix(1), identityMatrix(1)), x);
  EventDriven simulation(model, TimeDiscretisation(0., 1.), LCP());
  simulation.step();
  EXPECT_NEAR(x->x()(0), 0., 1e-12);
  law->setBounds(Vector{0.}, Vector{0.});
  simulation.step();
  EXPECT_NEAR(x->x()(0), 1., 1e-9);
  law->setBounds(Vector{-1.5}, Vector{1.5});
  simulation.step();
  EXPECT_NEAR(x->x()(0), 0.5, 1e-9);
}

// A motor of limited torque against no load, in its direction; then it is switched off, then holds what runs.
TEST(EventDriven, AMotorHasTheTorqueThatItIsTold) {
  NonSmoothDynamicalSystem model(0., 4.);
  const auto wheel = model.insert("wheel", makeMass(0., 0.));
  const auto law = std::make_shared<RelayNSL>(1, -1., 1.);
  const auto motor =
      model.link("motor", law, PrescribedMotionR::ofVelocity(0, Motion([](double) { return 100.; })), wheel);
  EventDriven simulation(model, TimeDiscretisation(0., 1.), GenericMechanical());
  simulation.step();
  EXPECT_NEAR(wheel->velocity()(0), 1., 1e-9);
  law->setBounds(Vector{-5.}, Vector{5.});
  simulation.step();
  EXPECT_NEAR(wheel->velocity()(0), 6., 1e-9);
  law->setBounds(Vector{0.}, Vector{0.});
  simulation.step();
  EXPECT_NEAR(wheel->velocity()(0), 6., 1e-9);
  law->setBounds(Vector{-200.}, Vector{200.});
  simulation.step();
  EXPECT_NEAR(wheel->velocity()(0), 100., 1e-9);
  EXPECT_NEAR(motor->lambda(0)(0), 0., 1e-9);
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

}  // namespace
