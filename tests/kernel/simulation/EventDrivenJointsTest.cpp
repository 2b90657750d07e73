// SPDX-License-Identifier: Apache-2.0
//
// Joints whose rates the user has made other than zero during an event-driven run: of velocities set, or of joints
// linked. They are corrected once, as by an impact, and the motion that follows keeps what it has.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Of a thin rod of length 1 along x about its ends and its centre.
constexpr double inertia = 1. / 12.;

std::shared_ptr<NewtonEulerDS> rodAt(double x, const Vector& v) {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.}), v, 1.,
                                         diagonalMatrix({0.01, inertia, inertia}));
}

void runTo(EventDriven& simulation, double t) {
  while (simulation.time() < t - 1e-9) simulation.step();
}

TEST(EventDrivenJoints, CorrectAVelocityThatIsSetOnce) {
  NonSmoothDynamicalSystem model(0., 3.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), Vector(2), identityMatrix(2)));
  const auto circle =
      model.link("circle", EqualityConditionNSL(),
                 LagrangianScleronomousR(
                     1, automatic([](const auto& q, auto& y) { y(0) = 0.5 * (q(0) * q(0) + q(1) * q(1) - 1.); })),
                 mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  runTo(simulation, 0.5);
  mass->setState(mass->q(), makeVector({1., 1.}));
  simulation.step();
  ASSERT_EQ(simulation.events().size(), 1U);
  EXPECT_EQ(simulation.events()[0].kind, EventKind::impact);
  EXPECT_EQ(simulation.events()[0].source, "circle");
  EXPECT_DOUBLE_EQ(simulation.events()[0].t, 0.5);
  EXPECT_NEAR(simulation.events()[0].impulse(0), -1., 1e-12);
  EXPECT_NEAR(circle->lambda(1)(0), 0., 1e-12) << "of the output that comes later";
  simulation.run();
  EXPECT_NEAR(norm_2(mass->velocity()), 1., 1e-9);
  EXPECT_NEAR(std::atan2(mass->q()(1), mass->q()(0)), 2.5, 1e-8);
}

// A rod that flies across itself at 1 m/s and is caught at its end: about that end its angular momentum stays.
TEST(EventDrivenJoints, CatchARodAtItsEnd) {
  NonSmoothDynamicalSystem model(0., 2.);
  Vector v(6);
  v(1) = 1.;
  const auto rod = model.insert("rod", rodAt(0.5, v));
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  runTo(simulation, 0.5);
  const Vector3 end = rod->position() - Vector3{0.5, 0., 0.};
  model.link("hinge", EqualityConditionNSL(5), PivotJointR::at(end, {0., 0., 1.}, rod->q()), rod);
  simulation.run();
  const double rate = 0.5 / (inertia + 0.25);
  EXPECT_NEAR(rod->angularVelocity()[2], rate, 1e-8);
  EXPECT_NEAR(rod->kineticEnergy(), 0.5 * (inertia + 0.25) * rate * rate, 1e-8);
  EXPECT_NEAR(balance->residual(), 0., 1e-8);
  EXPECT_EQ(simulation.events().size(), 1U) << "one of all rows";
}

TEST(EventDrivenJoints, DockTwoBodiesWithoutAMomentOnThem) {
  NonSmoothDynamicalSystem model(0., 2.);
  Vector v(6);
  v(1) = 0.3;
  v(5) = 0.2;
  const auto first = model.insert("first", rodAt(0., Vector(6)));
  const auto second = model.insert("second", rodAt(1.2, v));
  const auto momentum = [&] {
    double sum = 0.;
    for (const auto& body : {first, second}) {
      const Vector3 x = body->position();
      sum += x[0] * body->velocity()(1) - x[1] * body->velocity()(0) + body->angularMomentum()[2];
    }
    return sum;
  };
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  runTo(simulation, 0.5);
  const double before = momentum();
  model.link("weld", EqualityConditionNSL(6), FixedJointR::at({0.6, 0., 0.}, first->q(), second->q()), first, second);
  simulation.run();
  EXPECT_NEAR(momentum(), before, 1e-9);
  EXPECT_NEAR(first->angularVelocity()[2], second->angularVelocity()[2], 1e-9);
}

// A door of length 2 x whose hinge has dry friction swings against its stop. After the impact all rates are rounding of
// zero, and so is what they accelerate, which friction exceeds by 27 orders of magnitude.
TEST(EventDrivenJoints, RestWithDryFrictionAgainstAStop) {
  constexpr double mass = 20.;
  constexpr double friction = 0.2;
  for (const double x : {0.4, 0.5}) {
    NonSmoothDynamicalSystem model(0., 3.);
    const auto door = model.insert(
        "door", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 1.}), makeVector({0., x, 0., 0., 0., 1.}),
                                                mass, NewtonEulerDS::boxInertia(mass, 2. * x, 0.05, 2.)));
    const auto hinge = PivotJointR::at({0., 0., 1.}, {0., 0., 1.}, door->q());
    model.link("hinge", EqualityConditionNSL(5), hinge, door);
    model.link("friction", RelayNSL(1, -friction, friction), hinge.angle(), door);
    model.link("stop", NewtonImpactNSL(0.), hinge.angle().below(0.5), door);
    EventDriven simulation(model, TimeDiscretisation(0., 0.1));
    simulation.run();
    // 0.5 = t − ½ c t².
    const double inertiaOfDoor = mass / 12. * (4. * x * x + 0.05 * 0.05) + mass * x * x;
    const double c = friction / inertiaOfDoor;
    const double hit = (1. - std::sqrt(1. - c)) / c;
    ASSERT_EQ(simulation.events().size(), 2U) << x;
    for (const Event& event : simulation.events()) {
      EXPECT_EQ(event.kind, event.source == "stop" ? EventKind::impact : EventKind::stick);
      EXPECT_NEAR(event.t, hit, 1e-9) << x;
    }
    EXPECT_NEAR(norm_2(door->velocity()), 0., 1e-12) << x;
    EXPECT_NEAR(2. * std::atan2(door->q()(6), door->q()(3)), 0.5, 1e-9) << x;
  }
}

}  // namespace
