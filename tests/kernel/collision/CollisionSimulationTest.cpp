// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/Config.hpp>
#include <functional>
#include <map>
#include <set>
#include <support/ThreadNumber.hpp>
#include <thread>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

using testing::gravity;
using testing::letFall;
using testing::makeBall;
using testing::makeBox;
using testing::randomRotation;

constexpr double h = 5e-3;

// A model with a manager, stepped semi-explicitly.
struct World {
  NonSmoothDynamicalSystem model{0., 1e3};
  std::shared_ptr<CollisionManager> manager;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
  std::unique_ptr<TimeStepping> simulation;

  explicit World(double margin, double mu = 0.5, double e = 0.)
      : manager(std::make_shared<CollisionManager>(margin, NewtonImpactFrictionNSL(e, 0., mu))) {}

  template <class S>
  NewtonEulerDS& add(std::shared_ptr<NewtonEulerDS> body, S shape) {
    model.insert(body);
    manager->insert(body, shape);
    bodies.push_back(std::move(body));
    return *bodies.back();
  }
  void run(std::size_t steps, FrictionContact problem = FrictionContact(3, AutomaticFrictionSolver(1e-10))) {
    if (!simulation) {
      simulation = std::make_unique<TimeStepping>(model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                                                  std::move(problem));
      simulation->setInteractionManager(manager);
    }
    for (std::size_t k = 0; k < steps; ++k) simulation->step();
  }
};

TEST(CollisionSimulation, AColumnOfSpheresComesToRestWithItsWeightOnTheContacts) {
  World world(1e-3);
  constexpr double radius = 0.1;
  world.manager->insertObstacle(Plane{});
  for (int k = 0; k < 5; ++k) {
    letFall(world.add(makeBall({0., 0., radius * (1. + 2. * k) + 1e-4 * (k + 1)}, radius), SphereShape(radius)));
  }
  world.run(100);
  const double weight = gravity * world.bodies[0]->scalarMass();
  for (const auto& contact : world.manager->contacts()) {
    // Contacts are in the order of pairs: each ball with the next, then with the plane.
    if (!contact.second) {
      EXPECT_NEAR(contact.interaction->lambda(1)(0), 5. * weight * h, 1e-6 * weight * h);
    }
  }
  EXPECT_EQ(world.manager->contactCount(), 5u);
  for (const auto& body : world.bodies) EXPECT_NEAR(norm(vector3(data(body->velocity()))), 0., 1e-8);
}

TEST(CollisionSimulation, ABoxFallsOnABoxAndRests) {
  World world(2e-3);
  world.manager->insertObstacle(Plane{});
  letFall(world.add(makeBox({0., 0., 0.25}, {1., 1., 0.5}), BoxShape(1., 1., 0.5)));
  letFall(world.add(makeBox({0.2, 0.1, 0.9}, {0.6, 0.4, 0.4}, 1000., rotations::exponential({0., 0., 0.5})),
                    BoxShape(0.6, 0.4, 0.4)));
  world.run(200);
  const NewtonEulerDS& upper = *world.bodies[1];
  // It hits at 1.4 m/s, so a step may take it 1.4 h into the other.
  EXPECT_NEAR(upper.position()[2], 0.7, 1.5 * h);
  EXPECT_NEAR(upper.rotation()[8], 1., 1e-4);  // stays level up to the depth of the corners
  double force = 0.;
  for (const auto& contact : world.manager->contacts()) {
    if (!contact.second) continue;
    ASSERT_EQ(contact.interaction->blocks(), 4u);
    for (std::size_t k = 0; k < 4; ++k) force += contact.interaction->lambda(1)(3 * k);
  }
  const double weight = gravity * upper.scalarMass();
  // One corner sticks out, so that its place is taken by crossing edges. Normals of points differ by up to the angle
  // between the faces, 3e-4, times the friction that is locked in between the points, a tenth of the weight.
  EXPECT_NEAR(force, weight * h, 3e-5 * weight * h);
  EXPECT_NEAR(normInf(upper.velocity()), 0., 1e-7);
}

TEST(CollisionSimulation, ABallLiesOnABoxObstacle) {
  World world(1e-3);
  world.manager->insertObstacle(BoxShape(1., 1., 0.2), {0., 0., -0.1});
  letFall(world.add(makeBall({0.1, 0., 0.12}, 0.1), SphereShape(0.1)));
  world.run(100);
  EXPECT_NEAR(world.bodies[0]->position()[2], 0.1, 0.7 * h);
  EXPECT_NEAR(normInf(world.bodies[0]->velocity()), 0., 1e-8);
}

// A body's contribution to linear and angular momentum about the origin, with the velocities of now and a
// configuration.
struct Momenta {
  Vector3 linear{}, angular{};

  void add(const NewtonEulerDS& body, const Vector& q) {
    const Vector3 p = body.scalarMass() * vector3(data(body.velocity()));
    const Vector3 spin = body.inertia()(0, 0) * body.angularVelocity();  // all axes have the same inertia
    linear += p;
    angular += cross(vector3(data(q)), p);
    angular += rotations::rotate({q(3), q(4), q(5), q(6)}, spin);
  }
};

Momenta momentaOf(const World& world, const std::vector<Vector>& at) {
  Momenta sum;
  for (std::size_t k = 0; k < at.size(); ++k) sum.add(*world.bodies[k], at[k]);
  return sum;
}

TEST(CollisionSimulation, ImpulsesWithFrictionKeepLinearAndAngularMomentum) {
  World world(1e-2, 0.3, 0.4);
  std::mt19937 random(11);
  for (int k = 0; k < 27; ++k) {
    const Vector3 x = 0.25 * Vector3{double(k % 3), double(k / 3 % 3), double(k / 9)};
    auto body = k % 2 == 0 ? makeBall(x, 0.1) : makeBox(x, {0.15, 0.15, 0.15}, 1000., randomRotation(random));
    Vector v(6);
    for (std::size_t i = 0; i < 3; ++i) v(i) = -2. * (x[i] - 0.25);
    v(3 + static_cast<std::size_t>(k % 3)) = 3.;
    body->setState(body->q(), v);
    world.add(body, k % 2 == 0 ? shareShape(SphereShape(0.1)) : shareShape(BoxShape(0.15, 0.15, 0.15)));
  }
  std::size_t mostContacts = 0;
  for (int step = 0; step < 60; ++step) {
    // Impulses act at the configuration of the beginning of the step, at which both bodies have the same point.
    std::vector<Vector> at;
    for (const auto& body : world.bodies) at.push_back(body->q());
    const Momenta before = momentaOf(world, at);
    world.run(1);
    const Momenta after = momentaOf(world, at);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.linear[k], before.linear[k], 1e-12);  // rounding of sums of some N s
      EXPECT_NEAR(after.angular[k], before.angular[k], 1e-12);
    }
    mostContacts = std::max(mostContacts, world.simulation->problem().size() / 3);
  }
  EXPECT_GT(mostContacts, 10u);
}

// Between two steps, something of the number of the step.
using BetweenSteps = std::function<void(World&, std::size_t)>;

// Boxes and balls on a grid of so many to a side that fall onto a plane.
std::vector<double> statesAfter(std::size_t steps, int across = 3, int bodies = 40, const BetweenSteps& between = {}) {
  World world(5e-3);
  world.manager->insertObstacle(Plane{});
  for (int k = 0; k < bodies; ++k) {
    const Vector3 x{0.2 * (k % across) + 0.01 * (k % 7), 0.2 * (k / across % across) + 0.013 * (k % 5),
                    0.15 + 0.25 * (k / (across * across))};
    if (k % 3 == 0) {
      letFall(world.add(makeBox(x, {0.15, 0.2, 0.1}), BoxShape(0.15, 0.2, 0.1)));
    } else {
      letFall(world.add(makeBall(x, 0.1), SphereShape(0.1)));
    }
  }
  for (std::size_t step = 0; step < steps; ++step) {
    if (between) between(world, step);
    world.run(1, FrictionContact(3, NonsmoothGaussSeidelSolver{}));
  }
  std::vector<double> states;
  for (const auto& body : world.bodies) {
    states.insert(states.end(), body->q().begin(), body->q().end());
    states.insert(states.end(), body->velocity().begin(), body->velocity().end());
  }
  return states;
}

TEST(CollisionSimulation, EqualRunsAreEqualToTheLastBit) {
  EXPECT_EQ(statesAfter(120), statesAfter(120));
}

// A broad phase that is built again has other trees, and finds pairs in another order.
TEST(CollisionSimulation, RunsWithOtherTreesAreEqualToTheLastBit) {
  std::size_t obstacle = 0;
  const auto rebuild = [&](World& world, std::size_t step) {
    if (step % 10 == 3) obstacle = world.manager->insertObstacle(SphereShape(0.1), {50., 0., 0.});
    if (step % 10 == 4) world.manager->removeObstacle(obstacle);
    if (step % 10 == 5) {
      const std::size_t before = world.manager->colliders().size();
      world.manager->forgetRemoved();
      EXPECT_EQ(world.manager->colliders().size(), before - 1);
    }
  };
  EXPECT_EQ(statesAfter(120, 3, 40, rebuild), statesAfter(120));
}

TEST(CollisionSimulation, ContactsKeepTheirMultipliersForTheNextStep) {
  World world(2e-3);
  world.manager->insertObstacle(Plane{});
  for (int k = 0; k < 5; ++k) {
    const Vector3 x{0.02 * k, 0., 0.05 + 0.1 * k};
    letFall(world.add(makeBox(x, {0.2, 0.2, 0.1}), BoxShape(0.2, 0.2, 0.1)));
  }
  // Others come and go beside them.
  NewtonEulerDS& guest = world.add(makeBall({0.5, 0., 0.1}, 0.1), SphereShape(0.1));
  world.run(300);
  std::map<const Interaction*, std::vector<double>> multipliers;
  for (const auto& contact : world.manager->contacts()) {
    const Vector& lambda = contact.interaction->lambda(1);
    multipliers[contact.interaction.get()] = {lambda.begin(), lambda.end()};
  }
  guest.setState(NewtonEulerDS::at({0.5, 0., 1.}), Vector(6));
  world.manager->updateInteractions(world.model, world.simulation->time(), h);
  ASSERT_EQ(world.manager->contactCount() + 1, multipliers.size());
  double most = 0.;
  for (const auto& contact : world.manager->contacts()) {
    const Vector& lambda = contact.interaction->lambda(1);
    EXPECT_EQ(multipliers.at(contact.interaction.get()), (std::vector<double>{lambda.begin(), lambda.end()}));
    most = std::max(most, normInf(lambda));
  }
  // That of a corner on the ground, which has about a quarter of the weight.
  EXPECT_GT(most, 0.1 * 5. * gravity * world.bodies[0]->scalarMass() * h);
}

TEST(CollisionSimulation, RunsOnAnyNumberOfThreadsAreEqualToTheLastBit) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const std::vector<double> expected = statesAfter(60, 12, 432);
  for (const std::size_t count : {2U, 3U}) {
    const test::ThreadNumber several(count);
    EXPECT_EQ(statesAfter(60, 12, 432), expected) << count << " threads";
  }
}

// With functions of the user, which share what they capture, and with others.
TEST(CollisionSimulation, CallsFunctionsOfTheUserOnOneThread) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const test::ThreadNumber several(3);
  World world(1e-3);
  world.manager->insertObstacle(Plane{});
  std::set<std::thread::id> callers;
  for (int k = 0; k < 300; ++k) {
    NewtonEulerDS& ball = world.add(makeBall({0.3 * k, 0., 0.1 + 1e-4}, 0.1), SphereShape(0.1));
    if (k > 0) {
      letFall(ball);
      continue;
    }
    ball.setExternalForces([&callers](double, Vector& force) {
      callers.insert(std::this_thread::get_id());
      force(2) = -gravity;
    });
  }
  EXPECT_FALSE(world.bodies[0]->isSelfContained());
  EXPECT_TRUE(world.bodies[1]->isSelfContained());
  world.run(3);
  EXPECT_EQ(callers, std::set{std::this_thread::get_id()});
}

}  // namespace
}  // namespace delassus
