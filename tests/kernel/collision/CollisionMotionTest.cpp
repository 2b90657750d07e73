// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>

#include "CollisionModels.hpp"

// Motions over contacts that a CollisionManager finds, with the default scheme, against those of contacts in closed
// form that are linked by hand.

namespace delassus {
namespace {

using testing::gravity;
using testing::letFall;
using testing::makeBall;

constexpr double placed = 1e-12;  // m below the surface, so that a body at rest is in contact from the first step on

struct Motion {
  double lowest = std::numeric_limits<double>::infinity();  // of z
  double highest = -std::numeric_limits<double>::infinity();
  Vector q, v;
};

Motion run(const std::shared_ptr<NewtonEulerDS>& body, double h, double duration,
           const std::function<void(NonSmoothDynamicalSystem&, std::shared_ptr<CollisionManager>&)>& addContacts,
           const MoreauJeanOSI& scheme = MoreauJeanOSI()) {
  NonSmoothDynamicalSystem model(0., duration);
  letFall(*body);
  model.insert(body);
  std::shared_ptr<CollisionManager> manager;
  addContacts(model, manager);
  TimeStepping simulation(model, h, scheme);
  if (manager) simulation.setInteractionManager(manager);
  Motion motion;
  simulation.run([&] {
    motion.lowest = std::min(motion.lowest, body->q()(2));
    motion.highest = std::max(motion.highest, body->q()(2));
  });
  motion.q = body->q();
  motion.v = body->velocity();
  return motion;
}

// A ball at 1 m/s that does not spin yet.
std::shared_ptr<NewtonEulerDS> slidingBall(double radius, double floor = 0.) {
  auto ball = makeBall({0., 0., floor + radius - placed}, radius);
  ball->setState(ball->q(), makeVector({1., 0., 0., 0., 0., 0.}));
  return ball;
}

void expectRolling(const Motion& motion, double radius, double floor) {
  // 5/7 of its speed is left when it rolls; tolerances are those of the solver.
  EXPECT_NEAR(motion.v(0), 5. / 7., 1e-7);
  EXPECT_NEAR(motion.v(4), 5. / 7. / radius, 1e-7 / radius);
  EXPECT_NEAR(motion.lowest, floor + radius, 1e-9);
  EXPECT_NEAR(motion.highest, floor + radius, 1e-9);
}

TEST(CollisionMotion, ABallRollsOnABoxAsOnAPlane) {
  const NewtonImpactFrictionNSL law(0., 0., 0.3);
  for (const double radius : {0.1, 0.008}) {
    SCOPED_TRACE(radius);
    const auto ball = slidingBall(radius);
    const Motion motion = run(ball, 5e-3, 1., [&](auto&, auto& manager) {
      manager = std::make_shared<CollisionManager>(1e-3, law);
      manager->insertObstacle(BoxShape(10., 10., 1.), {0., 0., -0.5});
      manager->insert(ball, SphereShape(radius));
    });
    expectRolling(motion, radius, 0.);
  }
}

TEST(CollisionMotion, ABallRollsOnABoxThatIsABody) {
  const NewtonImpactFrictionNSL law(0., 0., 0.3);
  for (const bool ballIsFirst : {true, false}) {
    const auto ball = slidingBall(0.1, 0.5);
    // So heavy that the ball does not move it.
    const auto slab = testing::makeBox({0., 0., 0.25}, {10., 10., 0.5}, 1e12);
    const Motion motion = run(ball, 5e-3, 1., [&](auto& model, auto& manager) {
      model.insert(slab);
      manager = std::make_shared<CollisionManager>(1e-3, law);
      if (ballIsFirst) manager->insert(ball, SphereShape(0.1));
      manager->insert(slab, BoxShape(10., 10., 0.5));
      if (!ballIsFirst) manager->insert(ball, SphereShape(0.1));
    });
    expectRolling(motion, 0.1, 0.5);
  }
}

// On the top of a large ball, which is at rest, as by SphereSphere with one that is held.
TEST(CollisionMotion, ABallRollsOverABallAtRestAsOverOneThatIsLinkedByHand) {
  const NewtonImpactFrictionNSL law(0., 0., 0.3);
  const auto start = [] {
    auto ball = makeBall({0., 0., 1.1 - placed}, 0.1);
    ball->setState(ball->q(), makeVector({0.2, 0., 0., 0., 2., 0.}));
    return ball;
  };
  const auto found = start(), linked = start();
  const Motion onObstacle = run(found, 2e-3, 0.3, [&](auto&, auto& manager) {
    manager = std::make_shared<CollisionManager>(1e-3, law);
    manager->insertObstacle(SphereShape(1.));
    manager->insert(found, SphereShape(0.1));
  });
  const Motion byHand = run(linked, 2e-3, 0.3, [&](auto& model, auto&) {
    // So heavy that it takes no part.
    const auto held = makeBall({}, 1., 1e15);
    model.insert(held);
    model.link("contact", law, NewtonEuler3DR(SphereSphere(0.1, 1.)), linked, held);
  });
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(onObstacle.q(k), byHand.q(k), 1e-9) << "coordinate " << k;
  EXPECT_NEAR(norm(vector3(data(onObstacle.q))), 1.1, 1e-4);  // h² v²/8r and rounding
}

// v = 6 m/s and 20 rad/s about the vertical. Pressures at the corners are not unique, and the spin depends on them by
// some percent, so that it is the height that tells.
TEST(CollisionMotion, ABoxThatSlidesAndSpinsStaysOnItsFace) {
  constexpr double edge = 0.1, depth = 1e-9, h = 1e-3;
  const NewtonImpactFrictionNSL law(0., 0., 0.3);
  const auto start = [] {
    auto box = testing::makeBox({0., 0., 0.5 * edge - depth}, {edge, edge, edge});
    box->setState(box->q(), makeVector({6., 0., 0., 0., 0., 20.}));
    return box;
  };
  const auto runOn = [&](const std::shared_ptr<NewtonEulerDS>& box, const auto& shape, const Vector3& x) {
    return run(box, h, 0.2, [&](auto&, auto& manager) {
      manager = std::make_shared<CollisionManager>(2e-3, law);
      manager->insertObstacle(shape, x);
      manager->insert(box, BoxShape(edge, edge, edge));
    });
  };
  const auto linked = start();
  const Motion byHand = run(linked, h, 0.2, [&](auto& model, auto&) {
    model.link("floor", law, NewtonEuler3DR(BoxPlane(edge, edge, edge, Plane{})), linked);
  });
  for (const Motion& motion : {runOn(start(), Plane{}, {}), runOn(start(), BoxShape(10., 10., 1.), {0., 0., -0.5})}) {
    // The tolerance of the solver, 1e-8 m/s, for the 200 steps.
    EXPECT_NEAR(motion.lowest, 0.5 * edge - depth, 2e-9);
    EXPECT_NEAR(motion.highest, 0.5 * edge - depth, 2e-9);
    EXPECT_NEAR(motion.q(0), byHand.q(0), 1e-3);  // of 1.14 m, by the pressures
    EXPECT_NEAR(motion.v(5), byHand.v(5), 0.05 * byHand.v(5));
  }
}

// Over tiles of 0.3 m: the body begins at the origin and meets a seam every 0.3 m in both directions. Those from
// x = 0.437 m on are higher by `step`. By the pure scheme, with which a body stays as deep as it is.
template <class S>
Motion runOverTiles(const std::shared_ptr<NewtonEulerDS>& body, const S& shape, double h, double mu, double step) {
  const auto addContacts = [&](auto&, auto& manager) {
    manager = std::make_shared<CollisionManager>(5e-3, NewtonImpactFrictionNSL(0., 0., mu));
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 3; ++j) {
        manager->insertObstacle(BoxShape(0.3, 0.3, 0.3), {0.3 * i - 0.013, 0.3 * j + 0.02, (i < 2 ? 0. : step) - 0.15});
      }
    }
    manager->insert(body, shape);
  };
  return run(body, h, 0.8, addContacts, MoreauJeanOSI::pure());
}

// Deeper in the tiles than the side of the next one is away, too.
TEST(CollisionMotion, ABoxDoesNotNoticeTheSeamsOfAFloor) {
  for (const double h : {1. / 60., 1e-3}) {
    for (const double depth : {1e-9, 5e-6, 1e-3}) {
      for (const double yaw : {0., 0.3}) {
        SCOPED_TRACE(::testing::Message() << "h " << h << ", depth " << depth << ", yaw " << yaw);
        const auto box = testing::makeBox({0., 0., 0.05 - depth}, {0.1, 0.1, 0.1});
        box->setState(NewtonEulerDS::at({0., 0., 0.05 - depth}, rotations::exponential({0., 0., yaw})),
                      makeVector({1., 0.4, 0., 0., 0., 0.}));
        const Motion motion = runOverTiles(box, BoxShape(0.1, 0.1, 0.1), h, 0., 0.);
        // The tolerance of the solver, in the steps of a second.
        EXPECT_NEAR(motion.v(0), 1., 1e-6);
        EXPECT_NEAR(motion.v(1), 0.4, 1e-6);
        EXPECT_NEAR(motion.lowest, 0.05 - depth, 1e-8);
        EXPECT_NEAR(motion.highest, 0.05 - depth, 1e-8);
      }
    }
  }
}

// A box that is tilted and lies deep touches the next tile with crossing edges first.
TEST(CollisionMotion, ATiltedBoxDoesNotNoticeTheSeamsOfAFloor) {
  for (const double tilt : {1e-4, 2e-3, -2e-3}) {
    const auto box = testing::makeBox({0., 0., 0.049}, {0.1, 0.1, 0.1});
    box->setState(NewtonEulerDS::at({0., 0., 0.049}, rotations::exponential({0.3 * tilt, tilt, 0.2})),
                  makeVector({1., 0.4, 0., 0., 0., 0.}));
    const Motion motion = runOverTiles(box, BoxShape(0.1, 0.1, 0.1), 5e-3, 0., 0.);
    // Where edges of tiles carry it, it is on a slope of at most the tilt: g t tilt in 0.8 s.
    EXPECT_NEAR(motion.v(0), 1., 8. * std::abs(tilt)) << tilt;
    EXPECT_NEAR(motion.v(1), 0.4, 8. * std::abs(tilt)) << tilt;
  }
}

// So deep that its centre is in the tiles, nearer to their sides than to their top.
TEST(CollisionMotion, ABallThatLiesDeepDoesNotNoticeTheSeamsOfAFloor) {
  const auto ball = makeBall({0., 0., -0.02}, 0.01);
  ball->setState(ball->q(), makeVector({1., 0.4, 0., 0., 0., 0.}));
  const Motion motion = runOverTiles(ball, SphereShape(0.01), 1e-3, 0., 0.);
  EXPECT_NEAR(motion.v(0), 1., 1e-9);
  EXPECT_NEAR(motion.v(1), 0.4, 1e-9);
  EXPECT_NEAR(motion.lowest, -0.02, 1e-9);
}

TEST(CollisionMotion, ABallDoesNotNoticeTheSeamsOfAFloor) {
  constexpr double radius = 0.05;
  for (const double h : {1. / 60., 1e-3}) {
    for (const double depth : {1e-9, 1e-3}) {
      SCOPED_TRACE(::testing::Message() << "h " << h << ", depth " << depth);
      const auto ball = makeBall({0., 0., radius - depth}, radius);
      // Its contact is halfway between both surfaces, so that it rolls on a slightly smaller radius.
      const double lever = radius - 0.5 * depth;
      ball->setState(ball->q(), makeVector({1., 0.4, 0., -0.4 / lever, 1. / lever, 0.}));
      const Motion motion = runOverTiles(ball, SphereShape(radius), h, 0.3, 0.);
      EXPECT_NEAR(motion.v(0), 1., 1e-9);
      EXPECT_NEAR(motion.v(1), 0.4, 1e-9);
      EXPECT_NEAR(motion.lowest, radius - depth, 1e-9);
      EXPECT_NEAR(motion.highest, radius - depth, 1e-9);
    }
  }
}

// Bricks of a wall in bond just after a ball has hit it: a step before they were flush, and then they part and turn.
TEST(CollisionMotion, ABallMeetsTheFrontOfBricksThatPart) {
  constexpr double radius = 0.15;
  const double bricks[][5] = {{0.00408, -0.15163, 0.14998, 0.00194, -0.02699},
                              {0.00405, 0.15154, 0.14998, 0.00194, 0.02719},
                              {0.00824, 0.00065, 0.25046, -0.00647, 0.00786},
                              {0.00203, -0.15134, 0.35143, -0.02214, -0.02565},
                              {0.00246, 0.15123, 0.35148, -0.02281, 0.02232}};
  CollisionManager wall(2e-3, NewtonImpactFrictionNSL(0., 0., 0.6));
  NonSmoothDynamicalSystem scene(0., 1.);
  const auto ball = makeBall({-0.2067, 0., 0.2401}, radius);
  scene.insert("ball", ball);
  wall.insert(ball, SphereShape(radius));
  for (const auto& [x, y, z, pitch, yaw] : bricks) {
    wall.insertObstacle(BoxShape(0.15, 0.298, 0.1),
                        NewtonEulerDS::at({x, y, z}, rotations::exponential({0., pitch, yaw})));
  }
  wall.updateInteractions(scene, 0., 2.5e-3);
  EXPECT_EQ(wall.contacts().size(), std::size(bricks));
  for (const auto& contact : wall.contacts()) {
    Vector gaps(contact.interaction->size());
    contact.interaction->relation().secondOrder()->computeOutput(0., ball->q(), Vector(gaps.size()), gaps);
    // The ball is a centimetre deep; the sides of the bricks are ten away.
    EXPECT_GE(gaps(0), -0.015) << contact.interaction->name();
  }
}

TEST(CollisionMotion, AStepOfAFloorStopsABox) {
  for (const double depth : {1e-9, 1e-3}) {
    const auto box = testing::makeBox({0., 0., 0.05 - depth}, {0.1, 0.1, 0.1});
    box->setState(box->q(), makeVector({1., 0., 0., 0., 0., 0.}));
    const Motion motion = runOverTiles(box, BoxShape(0.1, 0.1, 0.1), 1e-3, 0., 5e-3);
    EXPECT_LT(motion.q(0), 0.4);  // its front would be at 0.437
    EXPECT_LT(motion.v(0), 0.1);
  }
}

// Each needs friction of about half the tangent of its angle at its foot, and none at the top.
TEST(CollisionMotion, TwoCardsLeanOnEachOther) {
  constexpr double mu = 0.5;
  for (const double angle : {0.3, 0.5, 0.7, std::acos(0.) / 2.}) {
    NonSmoothDynamicalSystem model(0., 0.4);
    auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., mu));
    manager->insertObstacle(Plane{});
    std::vector<std::shared_ptr<NewtonEulerDS>> cards;
    for (const double side : {1., -1.}) {
      const Quaternion p = rotations::exponential({0., side * angle, 0.});
      const Vector3 top = rotations::rotate(p, {side * 0.0025, 0., 0.05});
      const Vector3 foot = rotations::rotate(p, {side * 0.0025, 0., -0.05});
      cards.push_back(testing::makeBox({side * 1e-9 - top[0], 0., -foot[2] - 1e-9}, {0.005, 0.1, 0.1}, 1000., p));
      letFall(*cards.back());
      model.insert(cards.back());
      manager->insert(cards.back(), BoxShape(0.005, 0.1, 0.1));
    }
    const Vector start = cards[0]->q();
    TimeStepping simulation(model, 2e-3);
    simulation.setInteractionManager(manager);
    simulation.run();
    // 200 steps at the tolerance of the solver.
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(cards[0]->q()(k), start(k), 1e-7) << angle << ' ' << k;
  }
}

}  // namespace
}  // namespace delassus
