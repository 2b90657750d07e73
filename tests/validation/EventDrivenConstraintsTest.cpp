// SPDX-License-Identifier: Apache-2.0
//
// Joints and moving obstacles, event-driven, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <numbers>
#include <support/Models.hpp>

#include "EventDrivenRuns.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;
constexpr double pi = std::numbers::pi;

// A rod on a pin, let go at the horizontal.
struct Pendulum {
  explicit Pendulum(double end) : model(0., end) {
    bob->setExternalForces(makeVector({0., -g}));
    model.insert(bob);
    model.link(rod, bob);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> bob = std::make_shared<LagrangianLinearTIDS>(
      makeVector({1., 0.}), makeVector({0., 0.}), makeMatrix({{1., 0.}, {0., 1.}}));
  std::shared_ptr<Interaction> rod = std::make_shared<Interaction>(
      EqualityConditionNSL(1),
      LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) { y(0) = q(0) * q(0) + q(1) * q(1) - 1.; })));
};

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

// A mass rests on a plate that shakes with 2 g, from its middle position on: it is carried for a twelfth of a period,
// with the acceleration of the plate, which the relation leaves to differences.
TEST(EventDrivenContacts, AFastPlateCarriesAMassUntilItFallsAway) {
  for (const double frequency : {5., 50., 1e3, 2.5e3, 3.3e3, 4.1e3, 5e3, 2e4}) {
    const double omega = 2. * pi * frequency;
    const double a = 2. * g / (omega * omega);
    const LagrangianRheonomousR plate(
        1, withJacobians([=](double t, const Vector& q, Vector& y) { y(0) = q(0) - a * std::sin(omega * t); },
                         [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                         [=](double t, const Vector&, Vector& drift) { drift(0) = -a * omega * std::cos(omega * t); }));
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({a * omega}), makeMatrix({{1.}}));
    mass->setExternalForces(makeVector({-g}));
    auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.), plate);
    NonSmoothDynamicalSystem model(0., 0.1 / frequency);
    model.insert(mass);
    model.link(contact, mass);
    EventDriven simulation(model, TimeDiscretisation(0., 0.01 / frequency), LCP());
    simulation.run([&] {
      if (!contact->isActive()) return;
      // Differences of two orders agree to nine digits.
      EXPECT_NEAR(mass->acceleration()(0), -2. * g * std::sin(omega * simulation.time()), 1e-7) << frequency;
    });
    ASSERT_EQ(simulation.events().size(), 1u) << frequency;
    EXPECT_EQ(simulation.events()[0].kind, EventKind::takeOff);
    EXPECT_NEAR(simulation.events()[0].t * frequency, 1. / 12., 1e-8) << frequency;
  }
}

// A ball on a plate that shakes at 50 Hz, with outputs and flights of many periods: the motion of the ball alone, a
// parabola, would be integrated in steps that know nothing of the plate. Every flight is checked.
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

// A rod on a pin: the constraint is held to rounding for as long as one likes, and the energy to the tolerance.
TEST(EventDrivenContacts, APendulumDoesNotDrift) {
  Pendulum pendulum(200.);
  EventDriven simulation(pendulum.model, TimeDiscretisation(0., 0.5), GenericMechanical(), tight());
  double drift = 0.;
  double energyError = 0.;
  simulation.run([&] {
    const Vector& v = pendulum.bob->velocity();
    drift = std::max({drift, std::abs(pendulum.rod->y(0)(0)), std::abs(pendulum.rod->y(1)(0))});
    energyError = std::max(energyError, std::abs(0.5 * (v(0) * v(0) + v(1) * v(1)) + g * pendulum.bob->q()(1)));
  });
  EXPECT_LT(drift, 4e-15);  // rounding of q² and q v
  // Some 8000 steps, each with an error of up to 1e-12 of 10 J.
  EXPECT_LT(energyError, 8e-8);
  EXPECT_TRUE(simulation.events().empty());
}

TEST(EventDrivenContacts, APendulumSwingsInItsPeriod) {
  Pendulum pendulum(20.);
  EventDriven simulation(pendulum.model, TimeDiscretisation(0., 20.), GenericMechanical(), tight());
  simulation.addStateEvent(
      "lowest", pendulum.bob, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::falling);
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

}  // namespace
