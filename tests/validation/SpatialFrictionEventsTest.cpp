// SPDX-License-Identifier: Apache-2.0
//
// Event-driven motion with Coulomb friction in three dimensions against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <support/Restarts.hpp>
#include <validation/FrictionModels.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A point of mass 2 kg on z = 0 with friction; q = (x, y, z).
struct Slider {
  static constexpr double m = 2.;
  using Force = std::function<void(double t, Vector& force)>;

  Slider(double mu, const Vector& v0, double end, const Force& force) : model(0., end) {
    mass = std::make_shared<LagrangianDS>(makeVector({0., 0., 0.}), v0, diagonalMatrix({m, m, m}));
    mass->setExternalForces([=](double t, Vector& f) {
      f = makeVector({0., 0., -m * g});
      force(t, f);
    });
    LagrangianContactR relation(3, automatic([](const auto& q, auto& h) { h(0) = q(2); }),
                                [](double, const Vector&, Matrix& T) { T(0, 0) = T(1, 1) = 1.; });
    floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 3), std::move(relation));
    floor->setName("floor");
    model.insert(mass);
    model.link(floor, mass);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> mass;
  std::shared_ptr<Interaction> floor;
};

// A homogeneous sphere with contact at its lowest point.
struct Sphere {
  static constexpr double m = 3.;
  static constexpr double r = 0.2;
  static constexpr double j = 0.4 * m * r * r;

  Sphere(double mu, double en, double height, const Vector& v0, double end) : model(0., end) {
    body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., r + height}), v0, m, diagonalMatrix({j, j, j}));
    body->setExternalForces(makeVector({0., 0., -m * g}));
    floor =
        std::make_shared<Interaction>(NewtonImpactFrictionNSL(en, 0., mu, 3), NewtonEuler3DR(SpherePlane(r, Plane{})));
    floor->setName("floor");
    model.insert(body);
    model.link(floor, body);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> body;
  std::shared_ptr<Interaction> floor;
};

// On a slope of angle α, started across it: with the angle φ of the velocity from the line of slope, A = g sin α,
// k = μ / tan α, the velocity is v = v₀ tan(φ/2)ᵏ / sin φ, and the time until rest v₀ k / (A (k² − 1)).
TEST(SpatialFrictionEvents, APointThrownAcrossASlopeFollowsItsHodographToRest) {
  constexpr double alpha = 0.3;
  constexpr double v0 = 2.;
  for (const double k : {1.2, 1.5, 2., 3.}) {
    SCOPED_TRACE(k);
    const double A = g * std::sin(alpha);
    const double rest = v0 * k / (A * (k * k - 1.));
    Slider slope(k * std::tan(alpha), makeVector({0., v0, 0.}), 1.2 * rest, [=](double, Vector& f) {
      f(0) = Slider::m * A;
      f(2) = -Slider::m * g * std::cos(alpha);
    });
    EventDriven simulation(slope.model, TimeDiscretisation(0., 0.05 * rest), FrictionContact(3));
    simulation.run([&] {
      const Vector& v = slope.mass->velocity();
      if (simulation.time() > 0.99 * rest) return;
      const double phi = std::atan2(v(1), v(0));
      // The default tolerances of the integration, and what they add up to.
      EXPECT_NEAR(v(1), v0 * std::pow(std::tan(0.5 * phi), k), 1e-8) << simulation.time();
    });
    ASSERT_EQ(simulation.events().size(), 1u);
    EXPECT_EQ(simulation.events()[0].kind, EventKind::stick);
    EXPECT_NEAR(simulation.events()[0].t, rest, 1e-8);
    EXPECT_LE(std::hypot(slope.mass->velocity()(0), slope.mass->velocity()(1)), 1e-14);
    EXPECT_LT(simulation.statistics().evaluations, 8000u);
  }
}

TEST(SpatialFrictionEvents, ABlockThatSlidesStraightStopsToRounding) {
  const Vector v0 = makeVector({0.6, -0.8, 0.});
  constexpr double mu = 0.3;
  Slider block(mu, v0, 1., [](double, Vector&) {});
  EventDriven simulation(block.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_NEAR(simulation.events()[0].t, 1. / (mu * g), 1e-12);
  const double way = 0.5 / (mu * g);
  EXPECT_NEAR(block.mass->q()(0), 0.6 * way, 1e-11);
  EXPECT_NEAR(block.mass->q()(1), -0.8 * way, 1e-11);
}

// With P > μ m g, circular motion: friction is against v, and P² = (μ m g)² + (m V Ω)².
TEST(SpatialFrictionEvents, ABlockThatATurningForcePullsMovesOnACircle) {
  constexpr double mu = 0.3;
  constexpr double V = 0.7;
  constexpr double omega = 4.;
  constexpr double m = Slider::m;
  const double P = std::hypot(mu * m * g, m * V * omega);
  const double ahead = std::atan2(m * V * omega, mu * m * g);
  Slider block(mu, makeVector({V, 0., 0.}), 5., [=](double t, Vector& f) {
    f(0) = P * std::cos(omega * t + ahead);
    f(1) = P * std::sin(omega * t + ahead);
  });
  EventDriven simulation(block.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  double worst = 0.;
  simulation.run([&] {
    const double angle = omega * simulation.time();
    worst = std::max(worst, std::hypot(block.mass->velocity()(0) - V * std::cos(angle),
                                       block.mass->velocity()(1) - V * std::sin(angle)));
  });
  EXPECT_LT(worst, 1e-8);
  EXPECT_TRUE(simulation.events().empty());  // that the heading is renewed is no event
}

// A force that turns and grows: |F| = μ m g at t = 1; afterwards time stepping with small steps.
TEST(SpatialFrictionEvents, ABlockBeginsToSlipInTheDirectionOfTheForce) {
  constexpr double mu = 0.3;
  const double limit = mu * Slider::m * g;
  const auto force = [=](double t, Vector& f) {
    f(0) = limit * t * std::cos(1.5 * t);
    f(1) = limit * t * std::sin(1.5 * t);
  };
  Slider block(mu, makeVector({0., 0., 0.}), 1.5, force);
  EventDriven simulation(block.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_EQ(simulation.events()[0].kind, EventKind::slip);
  EXPECT_NEAR(simulation.events()[0].t, 1., 1e-9);
  // A slip that begins is stiff: what this costs is bounded.
  EXPECT_LT(simulation.statistics().evaluations, 40000u);
  // The speed up to which the direction follows the force hardly matters.
  EventDrivenOptions options;
  options.contacts.creepSpeed = 1e-5;
  Slider coarse(mu, makeVector({0., 0., 0.}), 1.5, force);
  EventDriven other(coarse.model, TimeDiscretisation(0., 0.1), FrictionContact(3), options);
  other.run();
  Slider stepped(mu, makeVector({0., 0., 0.}), 1.5, force);
  TimeStepping steps(stepped.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(0.5), FrictionContact(3));
  steps.run();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(block.mass->velocity()(i), coarse.mass->velocity()(i), 1e-8);
    EXPECT_NEAR(block.mass->velocity()(i), stepped.mass->velocity()(i), 1e-3);  // of the order of a step's impulse
  }
}

// A sphere with any spin: the slip u = v + r ω × … keeps its direction and ends at t = 2 |u| / (7 μ g) with v − 2/7 u.
TEST(SpatialFrictionEvents, ASphereSlidesUntilItRolls) {
  constexpr double mu = 0.25;
  for (const double spin : {0., 6.}) {
    SCOPED_TRACE(spin);
    const Vector v0 = makeVector({1.2, -0.5, 0., spin, 0.5 * spin, 2.});
    const double u0 = 1.2 - Sphere::r * 0.5 * spin;
    const double u1 = -0.5 + Sphere::r * spin;
    const double rolls = 2. / 7. * std::hypot(u0, u1) / (mu * g);
    Sphere sphere(mu, 0., 0., v0, 1.5 * rolls);
    EventDriven simulation(sphere.model, TimeDiscretisation(0., 0.1 * rolls), FrictionContact(3));
    simulation.run();
    ASSERT_EQ(simulation.events().size(), 1u);
    EXPECT_EQ(simulation.events()[0].kind, EventKind::stick);
    EXPECT_NEAR(simulation.events()[0].t, rolls, 1e-9);
    EXPECT_NEAR(sphere.body->velocity()(0), 1.2 - 2. / 7. * u0, 1e-9);
    EXPECT_NEAR(sphere.body->velocity()(1), -0.5 - 2. / 7. * u1, 1e-9);
  }
}

// p_N = m (1 + e) v_n; friction stops the slip with 2/7 m |u| if it may, or else it is μ p_N.
TEST(SpatialFrictionEvents, ASphereBouncesWithStickAndWithSlip) {
  constexpr double en = 0.6;
  constexpr double height = 0.5;
  const double fall = std::sqrt(2. * g * height);
  const double normal = Sphere::m * (1. + en) * fall;
  const double speed = std::hypot(0.9, 1.2);
  for (const double mu : {0.02, 0.8}) {
    SCOPED_TRACE(mu);
    Sphere sphere(mu, en, height, makeVector({0.9, 1.2, 0., 0., 0., 0.}), 0.5);
    EventDriven simulation(sphere.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
    simulation.run();
    const std::vector<Event> impacts = eventsOf(simulation, EventKind::impact);
    ASSERT_EQ(impacts.size(), 1u);
    EXPECT_NEAR(impacts[0].t, std::sqrt(2. * height / g), 1e-11);
    EXPECT_NEAR(impacts[0].after(2), en * fall, 1e-9);
    const double impulse = std::min(mu * normal, 2. / 7. * Sphere::m * speed);
    EXPECT_NEAR(impacts[0].after(0), 0.9 * (1. - impulse / (Sphere::m * speed)), 1e-9);
    EXPECT_NEAR(impacts[0].after(1), 1.2 * (1. - impulse / (Sphere::m * speed)), 1e-9);
  }
}

// A block on three feet: what they carry differs, and they come to rest together.
TEST(SpatialFrictionEvents, ABlockOnThreeFeetStopsOnAllOfThem) {
  constexpr double mu = 0.2;
  constexpr double m = 4.;
  NonSmoothDynamicalSystem model(0., 1.);
  const auto block = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0., 0., 0.1}), makeVector({0.8, 0.6, 0., 0., 0., 0.}), m, diagonalMatrix({0.2, 0.2, 0.3}));
  block->setExternalForces(makeVector({0., 0., -m * g}));
  model.insert(block);
  for (const Vector3& foot : {Vector3{0.3, 0., -0.1}, Vector3{-0.2, 0.3, -0.1}, Vector3{-0.2, -0.25, -0.1}}) {
    const auto contact = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 3),
                                                       NewtonEuler3DR(SpherePlane(0., Plane{}, foot)));
    model.link(contact, block);
  }
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  const std::vector<Event> stops = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(stops.size(), 3u);
  for (const Event& stop : stops) EXPECT_NEAR(stop.t, 1. / (mu * g), 1e-9);
  EXPECT_EQ(simulation.events().size(), 3u);
}

TEST(SpatialFrictionEvents, APullThatExceedsTheWeightTakesASlidingBlockOff) {
  constexpr double mu = 0.1;
  Slider block(mu, makeVector({2., 1., 0.}), 0.6, [](double t, Vector& f) { f(2) += 2. * Slider::m * g * t; });
  EventDriven simulation(block.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_EQ(simulation.events()[0].kind, EventKind::takeOff);
  EXPECT_NEAR(simulation.events()[0].t, 0.5, 1e-10);
}

TEST(SpatialFrictionEvents, ARunGoesOnFromACheckpointWithTheSameBits) {
  const auto make = [] {
    const double limit = 0.3 * Slider::m * g;
    const auto block = std::make_shared<Slider>(0.3, makeVector({0.5, 0., 0.}), 3., [=](double t, Vector& f) {
      f(0) = 1.5 * limit * std::sin(2. * t) * std::cos(t);
      f(1) = 1.5 * limit * std::sin(2. * t) * std::sin(t);
    });
    const auto simulation =
        std::make_shared<EventDriven>(block->model, TimeDiscretisation(0., 0.05), FrictionContact(3));
    return RestartableRun{block, simulation};
  };
  expectRestarts(make, 4);
}

// While a block begins to slip, an action gives it a velocity, and the force ends that had moved it: friction, which
// could hold the block at rest, slows it down.
TEST(SpatialFrictionEvents, AVelocityGivenWhileASlipBeginsIsKept) {
  constexpr double mu = 0.3;
  constexpr double v0 = 1.;
  constexpr double onset = 1. + 1e-4;  // when the block has 1.5 percent of the creep speed
  const double limit = mu * Slider::m * g;
  Slider block(mu, makeVector({0., 0., 0.}), 1.2, [=](double t, Vector& f) { f(0) = t < onset ? limit * t : 0.; });
  EventDriven simulation(block.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.addTimeEvents("kick", {onset}, [&] { block.mass->setState(block.mass->q(), makeVector({0., v0, 0.})); });
  simulation.run();
  // Errors of the integration at its default tolerances.
  EXPECT_NEAR(block.mass->velocity()(0), 0., 1e-10);
  EXPECT_NEAR(block.mass->velocity()(1), v0 - mu * g * (1.2 - onset), 1e-10);
}

// A grain that begins to slip beside a heavy block that it does not touch.
TEST(SpatialFrictionEvents, AHeavyBlockElsewhereDoesNotOpenTheContactOfAGrain) {
  constexpr double mu = 0.3;
  constexpr double m = 1e-6;
  Slider heavy(mu, makeVector({0., 0., 0.}), 1.5, [](double, Vector& f) { f(2) -= 2e3 * g; });
  const auto grain =
      std::make_shared<LagrangianDS>(makeVector({0., 0., 0.}), makeVector({0., 0., 0.}), diagonalMatrix({m, m, m}));
  grain->setExternalForces([=](double t, Vector& f) {
    f = makeVector({0.6 * mu * m * g * t, 0.8 * mu * m * g * t, -m * g});
  });
  LagrangianContactR relation(3, automatic([](const auto& q, auto& h) { h(0) = q(2); }),
                              [](double, const Vector&, Matrix& T) { T(0, 0) = T(1, 1) = 1.; });
  heavy.model.insert(grain);
  heavy.model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 3), std::move(relation)), grain);
  EventDriven simulation(heavy.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_EQ(simulation.events()[0].kind, EventKind::slip);
  EXPECT_NEAR(simulation.events()[0].t, 1., 1e-8);
  // m v̇ = μ m g (t − 1).
  const double speed = 0.5 * mu * g * 0.25;
  EXPECT_NEAR(grain->velocity()(0), 0.6 * speed, 1e-8);
  EXPECT_NEAR(grain->velocity()(1), 0.8 * speed, 1e-8);
}

TEST(SpatialFrictionEvents, ABlockOnFourFeetIsLetGoByAPullAtTheLimit) {
  constexpr double mu = 0.2;
  constexpr double m = 4.;
  constexpr double weight = m * g;
  NonSmoothDynamicalSystem model(0., 1.5);
  const auto block =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), m, diagonalMatrix({0.2, 0.2, 0.3}));
  block->setExternalForces([=](double t, Vector& f) {
    f = makeVector({0.8 * mu * weight * t, 0.6 * mu * weight * t, -weight});
  });
  model.insert(block);
  for (const Vector3& foot :
       {Vector3{0.3, 0.2, 0.}, Vector3{-0.3, 0.2, 0.}, Vector3{-0.3, -0.2, 0.}, Vector3{0.3, -0.2, 0.}}) {
    const auto contact = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 3),
                                                       NewtonEuler3DR(SpherePlane(0., Plane{}, foot)));
    model.link(contact, block);
  }
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  simulation.run();
  const std::vector<Event> slips = eventsOf(simulation, EventKind::slip);
  ASSERT_EQ(slips.size(), 4u);
  for (const Event& slip : slips) EXPECT_NEAR(slip.t, 1., 1e-8);
  // m v̇ = μ m g (t − 1) from then on.
  const double speed = 0.5 * mu * g * 0.25;
  EXPECT_NEAR(block->velocity()(0), 0.8 * speed, 1e-8);
  EXPECT_NEAR(block->velocity()(1), 0.6 * speed, 1e-8);
  EXPECT_LE(std::abs(block->velocity()(5)), 1e-10);
}

TEST(SpatialFrictionEvents, RollingFrictionIsRefusedByName) {
  const auto body =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 1.}), Vector(6), 1., diagonalMatrix({1., 1., 1.}));
  const auto floor = std::make_shared<Interaction>(NewtonImpactRollingFrictionNSL(0., 0., 0.3, 0.1),
                                                   NewtonEuler5DR(SpherePlane(0.5, Plane{})));
  floor->setName("floor");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  model.link(floor, body);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), FrictionContact(3));
  try {
    simulation.run();
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'floor'"), std::string::npos) << message;
    EXPECT_NE(message.find("NewtonImpactRollingFrictionNSL"), std::string::npos) << message;
  }
}

}  // namespace
