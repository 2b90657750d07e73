// SPDX-License-Identifier: Apache-2.0
//
// Joints whose rates the user has made other than zero during an event-driven run: of velocities set, or of joints
// linked. They are corrected once, as by an impact, and the motion that follows keeps what it has.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
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

}  // namespace
