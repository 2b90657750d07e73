// SPDX-License-Identifier: Apache-2.0
//
// Several contacts, event-driven, against closed forms and balances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <string>
#include <support/Models.hpp>

#include "EventDrivenRuns.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;

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

// Five balls on rods of 1 m that touch, the first let go at an angle: without friction a motion always exists.
TEST(EventDrivenContacts, ARowOfHangingBallsGoesOn) {
  const double radius = 0.1;
  const double angle = 0.71;
  const double e = 0.3;
  NonSmoothDynamicalSystem model(0., 0.53);
  model.setGravity({0., 0., -g});
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  for (int i = 0; i < 5; ++i) {
    const double x = 2. * radius * i;
    const double a = i == 0 ? angle : 0.;
    balls.push_back(
        model.insert("ball " + std::to_string(i),
                     std::make_shared<NewtonEulerDS>(
                         NewtonEulerDS::at({x - std::sin(a), 0., -std::cos(a)}, rotations::exponential({0., a, 0.})),
                         Vector(6), 1., NewtonEulerDS::ballInertia(1., radius))));
    model.link("pivot " + std::to_string(i), EqualityConditionNSL(5),
               PivotJointR::at({x, 0., 0.}, {0., 1., 0.}, balls.back()->q()), balls.back());
  }
  for (std::size_t i = 0; i < 4; ++i) {
    model.link("hit " + std::to_string(i), NewtonImpactNSL(e), NewtonEuler1DR(SphereSphere(radius, radius)), balls[i],
               balls[i + 1]);
  }
  const auto energy = [&] {
    double sum = 0.;
    for (const auto& ball : balls) {
      const double inertia = 1. + 0.4 * radius * radius;  // about the pivot
      sum += 0.5 * inertia * ball->velocity()(4) * ball->velocity()(4) + g * ball->q()(2);
    }
    return sum;
  };
  EventDriven simulation(model, 0.05);
  double last = energy();
  ASSERT_NO_THROW(simulation.run([&] {
    EXPECT_LE(energy(), last + 1e-8);  // the tolerance of the integration
    last = energy();
  }));
  EXPECT_FALSE(simulation.events().empty());
}

// Three pendulums whose gaps are not linear in their angles. They hang straight down when they are hit, so that forces
// are rounding there and grow from zero.
TEST(EventDrivenContacts, PendulumsThatAreHitWhereNoForceActsGoOn) {
  const double radius = 0.1;
  const double inertia = 1. + 0.4 * radius * radius;
  for (const double angle : {0.23, 0.26, 0.29, 0.32}) {
    for (const double e : {0., 1.}) {
      NonSmoothDynamicalSystem model(0., 0.7);
      std::vector<std::shared_ptr<LagrangianDS>> pendulums;
      for (int i = 0; i < 3; ++i) {
        auto pendulum = std::make_shared<LagrangianDS>(makeVector({i == 0 ? angle : 0.}), makeVector({0.}),
                                                       makeMatrix({{inertia}}));
        pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
          using std::sin;
          F(0) = g * sin(q(0));
        }));
        pendulums.push_back(model.insert("pendulum " + std::to_string(i), pendulum));
      }
      for (std::size_t i = 0; i < 2; ++i) {
        model.link("hit " + std::to_string(i), NewtonImpactNSL(e),
                   LagrangianScleronomousR(1, automatic([=](const auto& q, auto& y) {
                                             using std::cos, std::sin, std::sqrt;
                                             const auto dx = 2. * radius - sin(q(1)) + sin(q(0));
                                             const auto dz = cos(q(0)) - cos(q(1));
                                             y(0) = sqrt(dx * dx + dz * dz) - 2. * radius;
                                           })),
                   pendulums[i], pendulums[i + 1]);
      }
      const auto energy = [&] {
        double sum = 0.;
        for (const auto& p : pendulums)
          sum += 0.5 * inertia * p->velocity()(0) * p->velocity()(0) - g * std::cos(p->q()(0));
        return sum;
      };
      EventDriven simulation(model, 0.05);
      double last = energy();
      ASSERT_NO_THROW(simulation.run([&] {
        EXPECT_LE(energy(), last + 1e-8) << angle << ' ' << e;  // the tolerance of the integration
        last = energy();
      })) << angle
          << ' ' << e;
      EXPECT_FALSE(simulation.events().empty());
    }
  }
}

}  // namespace
