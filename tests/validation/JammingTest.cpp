// SPDX-License-Identifier: Apache-2.0
//
// Bodies that jam: friction lets no contact open, whatever pushes.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <memory>
#include <numbers>

namespace {

using namespace delassus;

constexpr double gravity = 9.81;

// What jams is at rest to 1e-6 m/s or rad/s, of speeds of 0.1 to 20 that it came with, and its depths and drifts are a
// thousandth of its size, which is a tenth of what warns.
constexpr double rest = 1e-6, part = 1e-3;

struct Jam {
  double angle = 0.;  // from the vertical
  double rate = 0.;   // at the end
  StepStatistics statistics;
};

// A strut hinged above a floor falls from level on it. Where tan(angle) < μ the line to the hinge is within the cone of
// friction: the strut can neither slide nor come up, and stops at once.
Jam dropStrut(const std::shared_ptr<const Shape>& shape, double length, double hinge, double mu, double restitution,
              double h) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity({0., 0., -gravity});
  const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(restitution, 0., mu));
  contacts->insertObstacle(Plane{});
  const Quaternion level = rotations::exponential({0., -0.5 * std::numbers::pi, 0.});
  const auto strut = NewtonEulerDS::ofShape(*shape, 1000., {0.5 * length, 0., hinge}, level);
  model.insert("strut", strut);
  contacts->insert(strut, shape);
  model.link("hinge", EqualityConditionNSL(5), PivotJointR::at({0., 0., hinge}, {0., 1., 0.}, strut->q()), strut);
  TimeStepping simulation(model, h);
  simulation.setInteractionManager(contacts);
  simulation.run();
  const double angle = std::atan2(strut->position()[0], hinge - strut->position()[2]);
  return {angle, norm(strut->angularVelocity()), simulation.statistics()};
}

// The end of a capsule is a ball of radius r, whose middle is length − r from the hinge.
TEST(Jamming, HoldsAStrutThatFallsWithinTheConeOfFriction) {
  constexpr double length = 0.4, radius = 0.02, hinge = 0.392;
  const auto capsule = std::make_shared<const CapsuleShape>(radius, length - 2. * radius);
  const double meets = std::acos((hinge - radius) / (length - radius));
  const double speed = std::sqrt(3. * gravity / length);  // of a falling rod, less than it at this angle
  struct Case {
    double mu, restitution, h;
  };
  for (const Case& one : {Case{0.25, 0., 5e-3}, {0.5, 0., 5e-3}, {0.5, 0.5, 5e-3}, {0.5, 0., 1e-3}}) {
    const Jam jam = dropStrut(capsule, length, hinge, one.mu, one.restitution, one.h);
    EXPECT_NEAR(jam.angle, meets, speed * one.h) << one.mu << ' ' << one.restitution << ' ' << one.h;
    EXPECT_LT(jam.rate, rest);
    EXPECT_LT(jam.statistics.motion.depth.relative, part);
    EXPECT_LT(jam.statistics.motion.drift.relative, part);
  }
}

// The lower edge of the end of a box meets the floor first, half its width w beside the axis.
TEST(Jamming, HoldsABoxOnItsEdge) {
  constexpr double length = 0.4, width = 0.05, hinge = 0.392;
  const auto box = std::make_shared<const BoxShape>(width, width, length);
  const double meets = std::acos(hinge / std::hypot(length, 0.5 * width)) + std::atan(0.5 * width / length);
  const double speed = std::sqrt(3. * gravity / length);
  for (const double h : {5e-3, 1. / 60.}) {
    const Jam jam = dropStrut(box, length, hinge, 0.5, 0., h);
    EXPECT_NEAR(jam.angle, meets, speed * h) << h;
    EXPECT_LT(jam.rate, rest);
    EXPECT_LT(jam.statistics.motion.depth.relative, part);
  }
}

// A cam that a motor of limited torque turns onto a block, within the cone of friction: the clamp locks itself, and
// pressure in it may be anything. What has come into it is the angular momentum of the cam, at the arm of its axis;
// friction in the wedge multiplies that, and a problem that is nearly without a solution by tens.
TEST(Jamming, BoundsThePressureOfACamThatLocksItself) {
  constexpr double radius = 0.05, eccentricity = 0.005, clearance = 0.002, height = 0.1, mass = 0.1;
  constexpr double torque = 0.05, axis = height + radius + clearance;
  for (const double h : {1e-3, 5e-3, 1. / 60.}) {
    NonSmoothDynamicalSystem model(0., 0.3);
    model.setGravity({0., 0., -gravity});
    const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.15));
    contacts->insertObstacle(BoxShape(0.2, 0.1, height), {0., 0., 0.5 * height});
    const CylinderShape shape(radius, 0.08);
    const double density = mass / (std::numbers::pi * radius * radius * 0.08);
    const Quaternion lying = rotations::exponential({0.5 * std::numbers::pi, 0., 0.});
    const auto cam = NewtonEulerDS::ofShape(shape, density, {eccentricity, 0., axis}, lying);
    model.insert("cam", cam);
    contacts->insert(cam, shape);
    const auto pivot = PivotJointR::at({0., 0., axis}, {0., 1., 0.}, cam->q());
    model.link("pivot", EqualityConditionNSL(5), pivot, cam);
    const Motion fast(automatic([](const auto& t) { return 50. * t; }));
    model.link("motor", RelayNSL(1, -torque, torque), pivot.angle().following(fast), cam);
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(contacts);
    double pressed = 0., spin = 0.;
    simulation.run([&] {
      double impulse = 0.;
      for (const auto& contact : contacts->contacts()) {
        const Vector& p = contact.interaction->lambda(1);
        for (std::size_t row = 0; row < p.size(); row += 3) impulse += p(row);
      }
      pressed = std::max(pressed, impulse);
      spin = std::max(spin, norm(cam->angularVelocity()));
    });
    const double momentum = 0.5 * mass * radius * radius * spin + h * torque;
    EXPECT_GT(pressed, 0.1 * momentum / eccentricity) << h;
    EXPECT_LT(pressed, 100. * momentum / eccentricity) << h;
    EXPECT_LT(norm(cam->angularVelocity()), rest) << h;
    EXPECT_EQ(simulation.statistics().relaxed, 0U) << h;
  }
}

// A hinged door that a moment closes on a wedge on the floor, within the cones of friction of both sides: it pushes the
// wedge before it until that jams. Door and wedge have more points of contact than hold them, at rest and while they
// slide. Jams have more than one motion: which one comes, and whether an answer stays just above the tolerance on its
// way, depends on rounding.
TEST(Jamming, HoldsADoorOnAWedge) {
  constexpr double mass = 0.1, slope = 10. * std::numbers::pi / 180., length = 0.15, half = 0.03;
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity({0., 0., -gravity});
  const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  contacts->insertObstacle(Plane{});
  const auto insert = [&](const char* name, const auto& shape, double of, const Vector3& place) {
    const auto body = NewtonEulerDS::ofShape(shape, of / shape.massProperties(1.).mass, place);
    model.insert(name, body);
    contacts->insert(body, shape, placementInBody(shape));
    return body;
  };
  const auto door = insert("door", BoxShape(0.8, 0.04, 2.), mass, {0.4, 0., 1.01});
  door->setExternalMoments(makeVector({0., 0., mass}));
  model.link("hinge", EqualityConditionNSL(5), PivotJointR::at({0., 0., 0.}, {0., 0., 1.}, door->q()), door);
  const double top = length * std::tan(slope);
  const ConvexHull shape({{-half, 0., 0.},
                          {half, 0., 0.},
                          {-half, length, 0.},
                          {half, length, 0.},
                          {-half, length, top},
                          {half, length, top}});
  const auto wedge = insert("wedge", shape, 0.02 * mass, {0.7, 0.05, 0.});
  const double start = wedge->position()[1];
  TimeStepping simulation(model, 1. / 60.);
  simulation.setInteractionManager(contacts);
  simulation.run();
  EXPECT_GT(wedge->position()[1], start + 0.01);
  EXPECT_LT(norm(door->angularVelocity()), rest);
  EXPECT_LT(std::abs(wedge->velocity()(1)), rest);
  EXPECT_LE(simulation.statistics().relaxed, 2U);
  EXPECT_LT(simulation.statistics().worstError, 1e-6);
  EXPECT_LT(simulation.statistics().motion.depth.relative, part);
}

// A cube on a floor between two walls that are too near to each other by d on either side.
TEST(Jamming, LetsACubeStandBetweenWallsThatOverlapIt) {
  for (const double overlap : {1e-12, 1e-10, 1e-7, 1e-4}) {
    NonSmoothDynamicalSystem model(0., 0.5);
    model.setGravity({0., 0., -gravity});
    const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.4));
    contacts->insertObstacle(Plane{});
    for (const double side : {-1., 1.}) {
      contacts->insertObstacle(Plane::through({side * (0.05 - overlap), 0., 0.}, {-side, 0., 0.}));
    }
    const auto cube = NewtonEulerDS::ofShape(BoxShape(0.1, 0.1, 0.1), 1000., {0., 0., 0.05});
    model.insert("cube", cube);
    contacts->insert(cube, BoxShape(0.1, 0.1, 0.1));
    TimeStepping simulation(model, 5e-3);
    simulation.setInteractionManager(contacts);
    simulation.run();
    EXPECT_NEAR(cube->position()[2], 0.05, 1e-11) << overlap;  // the solver's tolerance times h² g
    EXPECT_NEAR(cube->position()[0], 0., 1e-11) << overlap;
    EXPECT_EQ(simulation.statistics().relaxed, 0U) << overlap;
  }
}

}  // namespace
