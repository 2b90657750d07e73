// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/PairGeometry.hpp>
#include <delassus/kernel/collision/VtkColliders.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <support/ThreadNumber.hpp>

#include "ConvexSamples.hpp"

// Obstacles of a CollisionManager that move, or whose surfaces run.

namespace delassus {
namespace {

using namespace test;
using testing::gravity;
using testing::letFall;
using testing::makeBall;
using testing::makeBox;

// Through the placement at t = 0, with a velocity and a rotation.
ObstacleMotion through(const Placement& at, const Vector3& velocity, const Vector3& rotation) {
  const Quaternion start = rotations::quaternion(at.rotation);
  const auto place = [=](double t, Vector& q) {
    const Quaternion p = rotations::product(rotations::exponential(t * rotation), start);
    for (std::size_t k = 0; k < 3; ++k) q(k) = at.position[k] + t * velocity[k];
    for (std::size_t k = 0; k < 4; ++k) q(3 + k) = p[k];
  };
  const auto rates = [=](double t, Vector& rate) {
    const Quaternion p = rotations::product(rotations::exponential(t * rotation), start);
    const Quaternion half = rotations::product({0., 0.5 * rotation[0], 0.5 * rotation[1], 0.5 * rotation[2]}, p);
    for (std::size_t k = 0; k < 3; ++k) rate(k) = velocity[k];
    for (std::size_t k = 0; k < 4; ++k) rate(3 + k) = half[k];
  };
  return ObstacleMotion(withJacobians(place, rates));
}

Vector configurationOf(const Placement& at) {
  return NewtonEulerDS::at(at.position, rotations::quaternion(at.rotation));
}

// A shape that meets a moving obstacle has the gap that it has with a body which is there, and its drift is the
// derivative of that by time (checkJacobians); both have the same place and normal.
void expectAsWithABody(const std::shared_ptr<const Shape>& shape, const Placement& at,
                       const std::shared_ptr<const Shape>& other, const Placement& place) {
  const Vector3 velocity{0.3, -0.5, 0.2}, rotation{0.4, 0.7, -0.6};
  const auto bodyAt = [](const Placement& where) {
    return std::make_shared<NewtonEulerDS>(configurationOf(where), Vector(6), 1., NewtonEulerDS::ballInertia(1., 1.));
  };
  const auto body = bodyAt(at), asBody = bodyAt(place);
  const Collider one(body, shape, {}, 0), two(asBody, other, {}, 0);
  Collider moving(other, {}, through(place, velocity, rotation), 0, "obstacle");
  moving.readState(0.);
  Manifold manifold;
  findManifold(*shape, one.placement(), *other, moving.placement(), 0.05, manifold);
  if (manifold.count == 0) return;
  const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(one, moving));
  const std::shared_ptr<PairGeometry> ofBodies = makePairGeometry(kindOf(one, two));
  const auto follow = [&](PairGeometry& pair, const Collider& second) {
    pair.beginPair(one, second);
    pair.followPair(one, second, manifold);
  };
  follow(*geometry, moving);
  follow(*ofBodies, two);
  EXPECT_TRUE(geometry->isTimeDependent());
  NewtonEuler3DR relation(geometry);
  JacobianCheck check;
  check.tolerance = 1e-4;  // rims turn fast where they cross at a small angle
  EXPECT_NO_THROW(relation.checkJacobians(0., body->q(), 6, check, "a moving obstacle"));

  // A moment later, beside the body that has moved as far.
  const double t = 1e-3;
  const Placement later = through(place, velocity, rotation).at(t).place;
  Vector q(14);
  for (std::size_t k = 0; k < 14; ++k) q(k) = k < 7 ? body->q()(k) : configurationOf(later)(k - 7);
  std::vector<ContactPoint> found(geometry->points()), expected(ofBodies->points());
  geometry->findContacts(t, body->q(), found.data());
  ofBodies->findContacts(t, q, expected.data());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].gap, expected[k].gap, 1e-11 * std::max(1., std::abs(expected[k].gap)));
    EXPECT_NEAR(norm(found[k].normal - expected[k].normal), 0., 1e-8);
    EXPECT_NEAR(norm(found[k].point - expected[k].point), 0., 1e-8);
    const Vector3 matter = velocity + cross(rotation, found[k].point - later.position);
    EXPECT_NEAR(norm(found[k].obstacleVelocity - matter), 0., 1e-12);
    EXPECT_NEAR(norm(found[k].obstacleRotation - rotation), 0., 1e-12);
  }
}

TEST(MovingObstacles, MeetAllShapesAsBodiesThatMoveDo) {
  forEachPair(20, 37,
              [](const Pair& pair) { expectAsWithABody(pair.first.shape, pair.at, pair.second.shape, pair.other); });
}

TEST(MovingObstacles, MeetBallsAsBodiesThatMoveDo) {
  const auto ball = shareShape(SphereShape(0.1));
  const auto box = shareShape(BoxShape(0.2, 0.3, 0.4));
  const Placement tilted = Placement::at({}, {0.9, 0.3, 0.2, 0.1});
  for (const Vector3& x : {Vector3{0.19, 0.02, 0.1}, Vector3{0.15, 0.2, 0.03}, Vector3{0.12, 0.17, 0.22}}) {
    const Placement at = Placement::at(tilted.place(x));
    expectAsWithABody(ball, at, box, tilted);
    expectAsWithABody(box, tilted, ball, at);
  }
}

// A plane that tilts while it rises, against the closed form.
TEST(MovingObstacles, MayBeHalfSpaces) {
  const double rate = 0.7, speed = 0.4;
  const ObstacleMotion motion = through({}, {0., 0., speed}, {0., rate, 0.});
  const auto body = makeBall({0.5, 0.2, 0.3}, 0.1);
  const Collider ball(body, shareShape(SphereShape(0.1)), {}, 0);
  const auto box = makeBox({-0.5, 0.2, 0.3}, {0.2, 0.2, 0.2});
  const Collider cube(box, shareShape(BoxShape(0.2, 0.2, 0.2)), {}, 0);
  Collider plane(shareShape(Plane{}), Placement::at({0., 0., 0.1}), motion, 0, "obstacle");
  for (const double t : {0., 0.3}) {
    plane.readState(t);
    const Vector3 up{std::sin(rate * t), 0., std::cos(rate * t)};
    const auto gapOf = [&](const Collider& collider, const NewtonEulerDS& ds) {
      Manifold manifold;
      findManifold(collider.shape(), collider.placement(), plane.shape(), plane.placement(), 1., manifold);
      const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(collider, plane));
      geometry->beginPair(collider, plane);
      geometry->followPair(collider, plane, manifold);
      std::vector<ContactPoint> contacts(geometry->points());
      geometry->findContacts(t, ds.q(), contacts.data());
      double smallest = contacts[0].gap;
      for (const ContactPoint& contact : contacts) smallest = std::min(smallest, contact.gap);
      EXPECT_NEAR(smallest, manifold.gap(), 1e-15);
      NewtonEuler3DR relation(geometry);
      EXPECT_NO_THROW(relation.checkJacobians(t, ds.q(), 6, {}, "a moving plane"));
      return smallest;
    };
    const Vector3 origin = Vector3{0., 0., speed * t} + 0.1 * up;
    EXPECT_NEAR(gapOf(ball, *body), dot(up, Vector3{0.5, 0.2, 0.3} - origin) - 0.1, 1e-14);
    const double reach = 0.1 * (std::abs(up[0]) + std::abs(up[2]));
    EXPECT_NEAR(gapOf(cube, *box), dot(up, Vector3{-0.5, 0.2, 0.3} - origin) - reach, 1e-14);
  }
}

// Bodies at rest above, at and beside what moves.
struct Yard {
  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<CollisionManager> manager =
      std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;

  template <class S>
  NewtonEulerDS& add(std::shared_ptr<NewtonEulerDS> body, const S& shape) {
    model.insert(body);
    manager->insert(body, shape);
    bodies.push_back(std::move(body));
    return *bodies.back();
  }
  void update(double t) { manager->updateInteractions(model, t, 1e-3); }
};

TEST(MovingObstacles, AreFoundWhereTheyAreAndOnTheirWay) {
  Yard yard;
  yard.add(makeBall({5., 0., 0.}, 0.1), SphereShape(0.1));
  const std::size_t paddle = yard.manager->insertObstacle(
      BoxShape(0.2, 1., 1.), ObstacleMotion(automatic([](const auto& t, auto& q) { q(0) = 10. * t; })));
  yard.update(0.);
  EXPECT_EQ(yard.manager->contactCount(), 0u);
  yard.update(0.478);  // at 4.78, its face at 4.88: it meets the ball at 4.9 in two steps
  EXPECT_EQ(yard.manager->contactCount(), 0u);
  yard.update(0.4795);  // 5 mm before, 10 mm in the step
  ASSERT_EQ(yard.manager->contactCount(), 1u);
  EXPECT_EQ(yard.manager->contacts()[0].obstacle, paddle);
  yard.update(0.6);
  EXPECT_EQ(yard.manager->contactCount(), 0u);
  yard.update(0.48);
  EXPECT_EQ(yard.manager->contactCount(), 1u);
  yard.manager->removeObstacle(paddle);
  yard.update(0.48);
  EXPECT_EQ(yard.manager->contactCount(), 0u);
}

// Far from its axis a plane that tilts moves fast, also at the end of a long body whose middle is at the axis. One that
// turns in itself does not.
TEST(MovingObstacles, AHalfSpaceThatTiltsIsFoundOnItsWay) {
  const auto contactsWith = [](const auto& body, const auto& shape, const Vector3& rotation) {
    Yard yard;
    yard.add(body, shape);
    yard.manager->insertObstacle(Plane{}, through({}, {}, rotation));
    yard.update(0.);
    return yard.manager->contactCount();
  };
  const auto ball = [] { return makeBall({10., 0., 0.103}, 0.1); };  // 3 mm above, 10 mm in the step
  EXPECT_EQ(contactsWith(ball(), SphereShape(0.1), {0., -1., 0.}), 1u);
  EXPECT_EQ(contactsWith(ball(), SphereShape(0.1), {0., 0., 20.}), 0u);
  EXPECT_EQ(contactsWith(makeBox({0., 0., 0.053}, {10., 0.1, 0.1}), BoxShape(10., 0.1, 0.1), {0., -1., 0.}), 1u);
}

// A still ball over the end of a floor that goes on in a slab, until this is taken away.
TEST(MovingObstacles, ABallFallsWhereTheNeighbourOfItsFloorHasGone) {
  for (const bool isRemoved : {false, true}) {
    Yard yard;
    NewtonEulerDS& ball = yard.add(makeBall({5e-3, 0., 0.1}, 0.1), SphereShape(0.1));
    letFall(ball);
    yard.manager->setLaw(0, 0, NewtonImpactNSL(0.));
    yard.manager->insertObstacle(BoxShape(1., 1., 0.2), {-0.5, 0., -0.1});
    const std::size_t slab =
        isRemoved ? yard.manager->insertObstacle(BoxShape(1., 1., 0.2), {0.5, 0., -0.1})
                  : yard.manager->insertObstacle(BoxShape(1., 1., 0.2),
                                                 through(Placement::at({0.5, 0., -0.1}), {1., 0., 0.}, {}));
    TimeStepping simulation(yard.model, 2e-3);
    simulation.setInteractionManager(yard.manager);
    while (simulation.time() < 0.6) {
      simulation.step();
      if (isRemoved && simulation.stepIndex() == 50) yard.manager->removeObstacle(slab);
    }
    EXPECT_LT(ball.q()(2), 0.);
  }
}

// A ball on the floor close to the end of a belt: the belt ends there.
TEST(MovingObstacles, ABeltEndsWhereTheFloorBesideItBegins) {
  Yard yard;
  NewtonEulerDS& ball = yard.add(makeBall({4e-3, 0., 0.01}, 0.01), SphereShape(0.01));
  letFall(ball);
  yard.manager->insertObstacle(BoxShape(1., 1., 0.2), {0.5, 0., -0.1});
  yard.manager->insertObstacle(BoxShape(1., 1., 0.2),
                               through(Placement::at({-0.5, 0., -0.1}), {}, {}).withSurface({0., 0.5, 0.}));
  TimeStepping simulation(yard.model, 1e-3);
  simulation.setInteractionManager(yard.manager);
  while (simulation.time() < 0.2) simulation.step();
  EXPECT_NEAR(ball.velocity()(1), 0., 1e-9);
  EXPECT_NEAR(ball.q()(1), 0., 1e-9);
}

// ½ m v² of the block, and as much that the belt loses in sliding, come from the belt: μ m g v t.
TEST(MovingObstacles, PutInTheWorkThatEnergyBalanceTells) {
  Yard yard;
  NewtonEulerDS& block = yard.add(makeBox({0., 0., 0.05}, {0.1, 0.1, 0.1}), BoxShape(0.1, 0.1, 0.1));
  letFall(block);
  const double v = 0.7;
  yard.manager->insertObstacle(Plane{}, ObstacleMotion().withSurface({v, 0., 0.}));
  TimeStepping simulation(yard.model, 1e-3);
  simulation.setInteractionManager(yard.manager);
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_NEAR(balance->interactionWork(), 0.5 * block.scalarMass() * v * v, 1e-6);
  EXPECT_NEAR(balance->residual(), 0., 1e-9);
}

TEST(MovingObstacles, KeepWhatLiesOnThemAwake) {
  for (const bool runs : {true, false}) {
    Yard yard;
    letFall(yard.add(makeBox({0., 0., 0.05}, {0.1, 0.1, 0.1}), BoxShape(0.1, 0.1, 0.1)));
    const ObstacleMotion motion = runs ? ObstacleMotion().withSurface({0.2, 0., 0.}) : ObstacleMotion();
    yard.manager->insertObstacle(Plane{}, motion);
    MoreauJeanOptions scheme;
    scheme.sleep = SleepOptions{.speed = 1e-3, .time = 0.1};
    TimeStepping simulation(yard.model, 2e-3, MoreauJeanOSI(scheme));
    simulation.setInteractionManager(yard.manager);
    simulation.run();
    EXPECT_EQ(simulation.scheme().sleepingSystems(), runs ? 0u : 1u);
  }
}

TEST(MovingObstacles, NameThemselvesWhereTheirMotionFailsAndGoOnAfterIt) {
  Yard yard;
  yard.add(makeBall({0., 0., 0.1}, 0.1), SphereShape(0.1));
  yard.manager->insertObstacle(BoxShape(1., 1., 0.2), {0., 0., -0.1});
  yard.manager->insertObstacle(
      BoxShape(1., 1., 1.),
      ObstacleMotion(differenced([](double t, Vector& q) { q(0) = 5. + (t > 0.5 && t < 0.6 ? std::nan("") : 0.); })));
  yard.update(0.);
  try {
    yard.update(0.55);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("obstacle 2"), std::string::npos) << error.what();
  }
  yard.update(0.7);
  EXPECT_EQ(yard.manager->contactCount(), 1u);
}

std::size_t framesOf(const std::filesystem::path& list) {
  std::ifstream file(list);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::size_t count = 0;
  for (std::size_t at = text.find("<DataSet"); at != std::string::npos; at = text.find("<DataSet", at + 1)) ++count;
  return count;
}

// Those that move in each frame, and those whose surface alone runs once.
TEST(MovingObstacles, AreDrawnWhereTheyAre) {
  for (const bool moves : {false, true}) {
    const auto folder = std::filesystem::temp_directory_path() / "delassus_moving_obstacles_vtk";
    std::filesystem::remove_all(folder);
    Yard yard;
    letFall(yard.add(makeBall({0., 0., 0.1}, 0.1), SphereShape(0.1)));
    const ObstacleMotion motion = moves ? through({}, {0.1, 0., 0.}, {0., 0., 1.}) : ObstacleMotion();
    yard.manager->insertObstacle(Plane{}, motion.withSurface({0.5, 0., 0.}));
    TimeStepping simulation(yard.model, 0.1);
    simulation.setInteractionManager(yard.manager);
    const auto vtk = std::make_shared<VtkWriter>(folder, VtkOptions{.every = 1});
    addColliders(*vtk, *yard.manager, {.planeSize = 1.});
    simulation.addObserver(vtk);
    simulation.run();
    EXPECT_EQ(framesOf(folder / "obstacles.pvd"), moves ? vtk->frames() : 1u);
    std::filesystem::remove_all(folder);
  }
}

TEST(MovingObstacles, AreNotMixedUpWithThoseAtRestWhenInteractionsAreUsedAgain) {
  Yard yard;
  NewtonEulerDS& box = yard.add(makeBox({0., 0., 0.1}, {0.2, 0.2, 0.2}), BoxShape(0.2, 0.2, 0.2));
  const std::size_t rest = yard.manager->insertObstacle(BoxShape(1., 1., 0.2), {0., 0., -0.1});
  yard.update(0.);
  ASSERT_EQ(yard.manager->contactCount(), 1u);
  const auto& relation = [&]() -> SecondOrderR& {
    return *yard.manager->contacts()[0].interaction->relation().secondOrder();
  };
  EXPECT_FALSE(relation().isTimeDependent());
  yard.manager->removeObstacle(rest);
  yard.update(0.);
  yard.manager->insertObstacle(BoxShape(1., 1., 0.2),
                               through(Placement::at({0., 0., -0.1}), {}, {}).withSurface({1., 0., 0.}));
  yard.update(0.);
  ASSERT_EQ(yard.manager->contactCount(), 1u);
  EXPECT_TRUE(relation().isTimeDependent());
  Vector drift(12);
  relation().computeDrift(0., box.q(), drift);
  EXPECT_NEAR(norm({drift(0), drift(1), drift(2)}), 1., 1e-15);
}

// Balls and boxes on a belt and in the way of a turning bar.
std::vector<double> statesAfter(std::size_t steps, const std::filesystem::path& file = {}, std::size_t savedAt = 0) {
  Yard yard;
  for (int k = 0; k < 40; ++k) {
    const Vector3 x{0.25 * (k % 5), 0.25 * (k / 5 % 4), 0.15 + 0.25 * (k / 20)};
    if (k % 2 == 0) {
      letFall(yard.add(makeBox(x, {0.15, 0.2, 0.1}), BoxShape(0.15, 0.2, 0.1)));
    } else {
      letFall(yard.add(makeBall(x, 0.1), SphereShape(0.1)));
    }
  }
  yard.manager->insertObstacle(BoxShape(3., 3., 0.2),
                               through(Placement::at({0., 0., -0.1}), {}, {}).withSurface({0.5, 0.2, 0.}));
  yard.manager->insertObstacle(BoxShape(2., 0.1, 0.3), through(Placement::at({0.5, -0.9, 0.2}), {}, {0., 0., 3.}));
  yard.manager->insertObstacle(Plane::through({-0.3, 0., 0.}, {1., 0., 0.}), through({}, {0.2, 0., 0.}, {0., 0.3, 0.}));
  TimeStepping simulation(yard.model, 2e-3);
  simulation.setInteractionManager(yard.manager);
  const bool isRestarted = !file.empty() && savedAt == 0;
  if (isRestarted) restoreCheckpoint(simulation, file);
  while (simulation.stepIndex() < steps) {
    simulation.step();
    if (savedAt > 0 && simulation.stepIndex() == savedAt) saveCheckpoint(simulation, file);
  }
  std::vector<double> states;
  for (const auto& body : yard.bodies) {
    states.insert(states.end(), body->q().begin(), body->q().end());
    states.insert(states.end(), body->velocity().begin(), body->velocity().end());
  }
  return states;
}

TEST(MovingObstacles, RunOnFromACheckpointToTheLastBit) {
  const auto file = std::filesystem::temp_directory_path() / "delassus_moving_obstacles.checkpoint";
  const std::vector<double> expected = statesAfter(120, file, 60);
  EXPECT_EQ(statesAfter(120, file), expected);
  std::filesystem::remove(file);
}

TEST(MovingObstacles, RunOnAnyNumberOfThreadsToTheLastBit) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const std::vector<double> expected = statesAfter(60);
  const ThreadNumber several(3);
  EXPECT_EQ(statesAfter(60), expected);
}

TEST(MovingObstacles, AreTold) {
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  manager.insertObstacle(BoxShape(1., 1., 1.));
  manager.insertObstacle(BoxShape(1., 1., 1.), ObstacleMotion().withSurface({0.5, 0., 0.}));
  std::size_t belts = 0;
  const Settings settings = manager.settings();
  for (const Setting& entry : settings.list()) belts += entry.name.ends_with("surfaceVelocity") ? 1 : 0;
  EXPECT_EQ(belts, 1u);
}

TEST(MovingObstacles, AreRefusedWithoutAShape) {
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  EXPECT_THROW(manager.insertObstacle(std::shared_ptr<const Shape>(), ObstacleMotion()), Error);
  EXPECT_THROW(manager.insertObstacle(CompoundShape(), ObstacleMotion()), Error);
  EXPECT_TRUE(manager.colliders().empty());
}

}  // namespace
}  // namespace delassus
