// SPDX-License-Identifier: Apache-2.0
//
// Bodies on joints that carry others: contacts that last do not damp the motion that joints leave free.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <memory>
#include <numbers>

namespace {

using namespace delassus;

constexpr double gravity = 9.81;

std::shared_ptr<NewtonEulerDS> makeBox(const Vector3& x, double mass, double width, double height) {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), Vector(6), mass,
                                         NewtonEulerDS::boxInertia(mass, width, width, height));
}

// A sled on a rail and a spring of 4 Hz, with a box that sticks to it: the part of the amplitude that is left after
// 4.7 s.
double amplitudeLeft(double h) {
  constexpr double amplitude = 0.01, mass = 3., load = 1., omega = 2. * std::numbers::pi * 4.;
  NonSmoothDynamicalSystem model(0., 5.);
  model.setGravity({0., 0., -gravity});
  const auto sled = makeBox({amplitude, 0., 0.05}, mass, 0.5, 0.1);
  const auto box = makeBox({amplitude, 0., 0.15}, load, 0.1, 0.1);
  model.insert("sled", sled);
  model.insert("box", box);
  model.link("rail", EqualityConditionNSL(5), PrismaticJointR::at({amplitude, 0., 0.05}, {1., 0., 0.}, sled->q()),
             sled);
  const PrismaticJointR along(JointFrame({0., 0., 0.}, {1., 0., 0.}), JointFrame({0., 0., 0.05}, {1., 0., 0.}));
  model.link("spring", SpringDamperLaw((mass + load) * omega * omega), along.displacement(), sled);
  const auto manager = std::make_shared<CollisionManager>(1e-2, NewtonImpactFrictionNSL(0., 0., 2.));
  manager->insert(box, BoxShape(0.1, 0.1, 0.1));
  manager->insert(sled, BoxShape(0.5, 0.5, 0.1));
  TimeStepping simulation(model, h);
  simulation.setInteractionManager(manager);
  double largest = 0.;
  simulation.run([&] {
    if (simulation.time() > 4.7) largest = std::max(largest, std::abs(sled->q()(0)));
  });
  return largest / amplitude;
}

// The largest that a grid of h sees within a period is 1 − (ω h)²/8 or more.
TEST(LoadedJoints, LeaveASledWithABoxTheAmplitudeThatItHas) {
  EXPECT_NEAR(amplitudeLeft(4e-3), 1., 2e-3);
  EXPECT_NEAR(amplitudeLeft(1e-3), 1., 2e-4);
}

// A table that is driven up and down, z = A (1 − cos ωt), on a slide of no drift: the audit tells by how much the drive
// has lagged, which is what the table is off by, and of joints nothing but rounding.
TEST(LoadedJoints, TellTheLagOfADriveBesideTheDriftOfJoints) {
  constexpr double amplitude = 0.01, omega = 40.;
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity({0., 0., -gravity});
  const auto table = makeBox({0., 0., 0.5}, 3., 0.5, 0.1);
  model.insert("table", table);
  const PrismaticJointR slide = PrismaticJointR::at({0., 0., 0.5}, {0., 0., 1.}, table->q());
  model.link("slide", EqualityConditionNSL(5), slide, table);
  const auto place = [](double t) { return amplitude * (1. - std::cos(omega * t)); };
  const auto rate = [](double t) { return amplitude * omega * std::sin(omega * t); };
  const auto drive =
      model.link("drive", EqualityConditionNSL(1), slide.displacement().following(Motion(place, rate)), table);
  TimeStepping simulation(model, 4e-3);
  double largest = 0.;
  simulation.run([&] { largest = std::max(largest, std::abs(drive->y(0)(0))); });
  const MotionAudit::Report& motion = simulation.statistics().motion;
  EXPECT_GT(largest, 1e-7);
  EXPECT_DOUBLE_EQ(motion.lag.value, largest);
  EXPECT_EQ(motion.lag.where, "drive");
  EXPECT_LE(motion.drift.value, 1e-12);
}

// A box that rides on a thin plank, which a drive turns to and fro: its place moves by several thicknesses in a step,
// but not where they touch. Friction and its weight hold it there.
TEST(LoadedJoints, LetABoxRideOnAThinPlankThatTurns) {
  const double amplitude = 0.5, omega = 2.7;  // rad, rad/s
  constexpr double arm = 0.9, side = 0.1;
  for (const double thickness : {0.003, 0.02}) {
    for (const double h : {1. / 60., 5e-3}) {
      NonSmoothDynamicalSystem model(0., 2.);
      model.setGravity({0., 0., -gravity});
      const Quaternion start = rotations::exponential({0., amplitude, 0.});
      const auto at = [&](double along, double above) { return rotations::rotate(start, Vector3{along, 0., above}); };
      const BoxShape plankShape(1.2, 0.3, thickness), boxShape(side, side, side);
      const auto plank = NewtonEulerDS::ofShape(plankShape, 1000., at(0.5, 0.), start);
      const auto box = NewtonEulerDS::ofShape(boxShape, 1000., at(arm, 0.5 * (thickness + side)), start);
      model.insert("plank", plank);
      model.insert("box", box);
      const auto pivot = PivotJointR::at({0., 0., 0.}, {0., -1., 0.}, plank->q());
      model.link("pivot", EqualityConditionNSL(5), pivot, plank);
      const auto angle = [=](const auto& t) {
        using std::cos;
        return amplitude - amplitude * cos(omega * t);
      };
      model.link("drive", EqualityConditionNSL(1), pivot.angle().following(automatic(angle)), plank);
      const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 1.));
      manager->insert(plank, plankShape);
      manager->insert(box, boxShape);
      TimeStepping simulation(model, h);
      simulation.setInteractionManager(manager);
      simulation.run();
      const Vector3 place = rotations::rotateBack(plank->orientation(), box->position() - plank->position());
      EXPECT_NEAR(place[0], arm - 0.5, 0.1 * h * h) << thickness << ' ' << h;
      EXPECT_LT(simulation.statistics().motion.depth.value, 0.1 * h * h) << thickness << ' ' << h;
    }
  }
}

}  // namespace
