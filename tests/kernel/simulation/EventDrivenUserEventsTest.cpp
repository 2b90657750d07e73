// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeEvents.hpp>
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

// A force that jumps at a known time: constant before and after, so that the motion is exact.
TEST(EventDrivenUserEvents, ForcesMayJumpAtTimeEvents) {
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

TEST(EventDrivenUserEvents, SamplingCallsItsActionAtEachInstant) {
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

// A sampling at t0 changes what the first mode depends on: x is held at a t, so that λ = ẋ = a.
TEST(EventDrivenUserEvents, ASamplingAtTheStartMayChangeAFunctionOfTime) {
  auto ramp = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{0.}}));
  auto relation = std::make_shared<FirstOrderLinearR>(makeMatrix({{1.}}), makeMatrix({{1.}}));
  double a = 1.;
  relation->setE([&a](double t, Vector& e) { e(0) = -a * t; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ramp);
  auto held = model.link("held", EqualityConditionNSL(1), relation, ramp);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5));
  simulation.addSampling("controller", TimeDiscretisation(0., 10.), [&] {
    EXPECT_NEAR(held->lambda(0)(0), 1., 1e-9);  // as differences give it
    a = -2.;
    relation->parametersChanged();
  });
  simulation.run([&] { EXPECT_NEAR(held->lambda(0)(0), -2., 1e-9); });
  EXPECT_NEAR(ramp->x()(0), -2., 1e-14);
}

// A buck converter whose comparator looks at t/T − duty, with a duty that a sampling at t0 sets: with 0 the ramp begins
// at its threshold, and nothing conducts; with 0.1 the current rises for 0.1 T.
TEST(EventDrivenUserEvents, ADutyThatASamplingAtTheStartSetsMayBeZero) {
  const double source = 12., L = 68e-6, C = 100e-6, R = 2., period = 5e-6, resistance = 1e-3, blocked = 100.;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wanted : {0., 0.1}) {
    auto filter = std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.}),
                                                         makeMatrix({{0., -1. / L}, {1. / C, -1. / (R * C)}}));
    auto relation = std::make_shared<FirstOrderLinearR>(makeMatrix({{1., 0.}, {0., 0.}, {0., 0.}, {0., 0.}}),
                                                        makeMatrix({{1. / L, 0., 0., 0.}, {0., 0., 0., 0.}}));
    relation->setD(
        makeMatrix({{0., -1., -1., 0.}, {1., resistance, 0., 0.}, {1., 0., resistance, -blocked}, {0., 0., 0., 0.}}));
    double duty = 0.;
    relation->setE([&duty, source, period, blocked](double t, Vector& e) {
      e(2) = blocked - source;
      e(3) = t / period - duty;
    });
    NonSmoothDynamicalSystem model(0., 2e-6);
    model.insert(filter);
    model.link("switch", RelayNSL(makeVector({-infinity, 0., 0., 0.}), makeVector({infinity, infinity, infinity, 1.})),
               relation, filter);
    EventDriven simulation(model, TimeDiscretisation(0., 1e-6));
    simulation.addSampling("controller", TimeDiscretisation(0., period), [&] {
      duty = wanted;
      relation->parametersChanged();
    });
    simulation.run();
    // Resistances of 1 mΩ and the voltage of the output take less than 10⁻³ of the current.
    EXPECT_NEAR(filter->x()(0), source * wanted * period / L, 1e-3 * source * wanted * period / L) << wanted;
  }
}

TEST(EventDrivenUserEvents, StateEventsComeInTheirDirection) {
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

// Between both switches of an instant the tank is closed, and its level would jump to that of the pipe.
TEST(EventDrivenUserEvents, SwitchingsOfOneInstantAreOneEvent) {
  auto tank = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{0.}}));
  tank->setB(makeVector({1.}));
  auto relation = std::make_shared<FirstOrderLinearTIR>(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation->setE(makeVector({10.}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("tank", tank);
  model.link("wall", std::make_shared<ComplementarityConditionNSL>(1), relation, tank);
  EventDriven simulation(model, 0.1);
  const auto half = [](double, const Vector& x) { return x(0) - 0.5; };
  simulation.addStateSwitching("first", tank, half, Crossing::rising, [&] { relation->setE(makeVector({-10.})); });
  simulation.addStateSwitching("second", tank, half, Crossing::rising, [&] {
    relation->setE(makeVector({10.}));
    tank->setB(makeVector({-1.}));
  });
  simulation.run();
  EXPECT_NEAR(tank->x()(0), 0., 1e-9);
  for (const Event& event : simulation.events()) EXPECT_EQ(event.kind, EventKind::user);
  EXPECT_EQ(simulation.events().size(), 2U);
}

TEST(EventDrivenUserEvents, ActionsMayResetTheState) {
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

TEST(EventDrivenUserEvents, ActionsMayChangeTheModel) {
  BouncingBall ball(0., 0., 0.9, 2.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.5), LCP());
  simulation.addTimeEvents("the floor goes", {1.}, [&] { ball.model.remove(ball.floor); });
  simulation.run();
  EXPECT_NEAR(ball.ball->q()(0), -0.5 * g, 1e-12);
  EXPECT_NEAR(ball.ball->velocity()(0), -g, 1e-12);
}

TEST(EventDrivenUserEvents, EventFunctionsThatMarkNoInstantAreErrors) {
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
TEST(EventDrivenUserEvents, FunctionsMayBecomeZeroAndStaySo) {
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

TEST(EventDrivenUserEvents, EventsCloserThanTheMinimalStepAreErrors) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDrivenOptions options;
  options.integration.minimalStep = 1e-6;
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), options);
  simulation.addTimeEvents("one", {0.2, 0.3});
  simulation.addTimeEvents("two", {0.2 + 1e-9});
  expectError([&] { simulation.run(); }, {"'one'", "'two'", "minimal step"});
}

TEST(EventDrivenUserEvents, TimesThatAgreeToRoundingAreOneInstant) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDrivenOptions options;
  options.integration.minimalStep = 1e-6;
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP(), options);
  simulation.addTimeEvents("one", {0.3});
  simulation.addTimeEvents("two", {0.1 + 0.2});
  EXPECT_NO_THROW(simulation.run());
  EXPECT_EQ(simulation.events().size(), 3u);  // with one impact
}

TEST(EventDrivenUserEvents, EventsAreCheckedWhenTheyAreGiven) {
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

TEST(EventDrivenUserEvents, LateEventsAreRefused) {
  BouncingBall ball(1., 0., 0.9, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  simulation.step();
  expectError([&] { simulation.addTimeEvents("late", {0.5}); }, {"'late'", "too late"});
}

TEST(EventDrivenUserEvents, AnActionThatThrowsLeavesTheOthersDue) {
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

TEST(EventDrivenUserEvents, ARemovedSystemTakesItsEventsAlong) {
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
  EXPECT_EQ(events.nextAfter(0.4), 0.5);
  EXPECT_EQ(events.nextAfter(0.5), 1.);
  std::vector<std::size_t> due;
  events.pop(due);
  EXPECT_EQ(due.size(), 2u);
  EXPECT_EQ(events.next(), 1.);
  events.pop(due);
  EXPECT_EQ(events.series(due.front()).name, "b");
  events.pop(due);
  EXPECT_EQ(events.series(due.front()).name, "a");
  EXPECT_TRUE(std::isinf(events.next()));
}

// A pulse whose controller makes its width zero, or zero but for rounding, from t = 0 to the very end: its two edges
// are one instant beside the length of the run, and after the last one nothing moves. An output that is held while it
// varies in time needs differences in time at each of them.
TEST(EventDrivenUserEvents, PulsesOfNoWidthLeaveRoomForDifferencesInTime) {
  const double period = 20e-6, omega = 6e3;
  for (const double before : {0., 0.5}) {
    for (const double width : {0., 1e-25, 1e-17, 1e-15, 1e-13}) {
      auto follower = std::make_shared<FirstOrderLinearTIDS>(Vector(1), makeMatrix({{0.}}));
      FirstOrderLinearR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
      relation.setE([=](double t, Vector& e) { e(0) = -std::sin(omega * t); });
      NonSmoothDynamicalSystem model(0., 10. * period);
      model.insert(follower);
      const auto held = model.link("held", EqualityConditionNSL(1), relation, follower);
      EventDriven simulation(model, TimeDiscretisation(0., 0.5 * period));
      double duty = before;
      simulation.addSampling("controller", TimeDiscretisation(0., period), [&] { duty = width; });
      simulation.addSwitching(
          "edge", [&](std::size_t k) { return (static_cast<double>(k) + duty) * period; },
          [&] { follower->parametersChanged(); });
      simulation.run([&] {
        EXPECT_NEAR(follower->x()(0), std::sin(omega * simulation.time()), 1e-9);
        EXPECT_NEAR(held->lambda(0)(0), omega * std::cos(omega * simulation.time()), 1e-5 * omega);
      });
      EXPECT_EQ(simulation.time(), model.T());
    }
  }
}

// An observer of an event may move a switching to now: it comes before the motion goes on.
TEST(EventDrivenUserEvents, ObserversMoveSwitchingsToTheInstantOfTheirEvent) {
  auto falling = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{0.}}), makeVector({-1.}));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(falling);
  EventDriven simulation(model, TimeDiscretisation(0., 2.));
  constexpr double never = std::numeric_limits<double>::infinity();
  double due = never, fired = never;
  simulation.addStateEvent(
      "half", falling, [](double, const Vector& x) { return x(0) - 0.5; }, Crossing::falling);
  simulation.addSwitching(
      "stop", [&](std::size_t k) { return k == 0 ? due : never; },
      [&] {
        fired = simulation.time();
        falling->setB(makeVector({0.}));
      });
  simulation.setEventObserver([&](const Event& event) {
    if (event.source == "half") due = event.t;
  });
  simulation.run();
  EXPECT_NEAR(fired, 0.5, 1e-12);
  EXPECT_NEAR(falling->x()(0), 0.5, 1e-12);
}

}  // namespace
