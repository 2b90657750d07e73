// SPDX-License-Identifier: Apache-2.0
//
// Groups of bodies at rest that no step computes, and what wakes them.
#include "../collision/CollisionModels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <filesystem>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;
using delassus::testing::gravity;
using delassus::testing::letFall;
using delassus::testing::makeBall;

constexpr double radius = 0.05, h = 5e-3;

// Balls above a floor, which collide by one law.
struct Scene {
  NonSmoothDynamicalSystem model{0., 20.};
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  std::size_t floor;
  std::unique_ptr<TimeStepping> simulation;

  explicit Scene(std::shared_ptr<NonSmoothLaw> law)
      : contacts(std::make_shared<CollisionManager>(1e-3, std::move(law))) {
    floor = contacts->insertObstacle(Plane::through({0., 0., 0.}, {0., 0., 1.}));
  }
  std::shared_ptr<NewtonEulerDS> add(const Vector3& x, const Vector3& v = {}) {
    auto ball = makeBall(x, radius);
    Vector twist(6);
    for (std::size_t i = 0; i < 3; ++i) twist(i) = v[i];
    ball->setState(ball->q(), twist);
    letFall(*ball);
    model.insert(ball);
    contacts->insert(ball, SphereShape(radius), 1);
    balls.push_back(ball);
    return ball;
  }
  void begin(std::optional<SleepOptions> sleep) {
    MoreauJeanOptions options;
    options.sleep = sleep;
    simulation = std::make_unique<TimeStepping>(model, h, MoreauJeanOSI(options));
    simulation->setInteractionManager(contacts);
  }
  void go(double time) {
    while (simulation->time() < time - 0.5 * h) simulation->step();
  }
  std::size_t sleeping() const { return simulation->scheme().sleepingSystems(); }
  Vector3 momentum() const {
    Vector3 sum{};
    for (const auto& ball : balls) {
      for (std::size_t i = 0; i < 3; ++i) sum[i] += ball->scalarMass() * ball->velocity()(i);
    }
    return sum;
  }
  double kineticEnergy() const {
    double sum = 0.;
    for (const auto& ball : balls) {
      for (std::size_t i = 0; i < 3; ++i) sum += 0.5 * ball->scalarMass() * ball->velocity()(i) * ball->velocity()(i);
    }
    return sum;
  }
};

const SleepOptions doze{.speed = 1e-3, .time = 0.1};

std::shared_ptr<NonSmoothLaw> frictionless(double e) {
  return std::make_shared<NewtonImpactNSL>(e);
}

// Three balls in a row on the floor, asleep.
void addRow(Scene& scene) {
  for (int k = 0; k < 3; ++k) scene.add({2. * radius * k, 0., radius});
}

TEST(Sleep, ComesToAHeapThatHasSettledAndStopsIt) {
  Scene scene(std::make_shared<NewtonImpactFrictionNSL>(0., 0., 0.5));
  for (int k = 0; k < 3; ++k) scene.add({2.001 * radius * k, 0., radius + 0.01 * k});
  scene.add({radius, 0., 4. * radius});
  const auto far = scene.add({2., 0., 1.});
  scene.begin(doze);
  scene.go(0.3);
  EXPECT_LE(scene.sleeping(), 4U);
  EXPECT_GT(std::abs(far->velocity()(2)), 1.);
  scene.go(6.);
  ASSERT_EQ(scene.sleeping(), 5U);
  EXPECT_EQ(scene.simulation->lastStep().problemSize, 0U);
  std::vector<Vector> places;
  for (const auto& ball : scene.balls) {
    EXPECT_EQ(normInf(ball->velocity()), 0.);
    places.push_back(ball->q());
  }
  // The forces of the heap stay to be read: those that carry the far ball are its weight.
  const auto& ofFar = scene.model.topology().interactionsOf(*far);
  ASSERT_EQ(ofFar.size(), 1U);
  EXPECT_NEAR(ofFar[0]->lambda(1)(0), far->scalarMass() * gravity * h, 1e-6 * far->scalarMass());
  scene.go(7.);
  for (std::size_t k = 0; k < places.size(); ++k) expectNear(scene.balls[k]->q(), places[k], 0.);
}

void makeElastic(Scene& scene) {
  scene.contacts->setLaw(1, 1, NewtonImpactNSL(1.));
}

// An elastic ball hits the end of a row: momentum and energy are those before, as if the row had never slept.
TEST(Sleep, EndsWithAnImpactThatKeepsMomentumAndEnergy) {
  const auto run = [](std::optional<SleepOptions> sleep, Vector3& momentum, double& energy) {
    Scene scene(frictionless(0.));
    makeElastic(scene);
    addRow(scene);
    const auto striker = scene.add({-1., 0., radius}, {1., 0., 0.});
    scene.begin(sleep);
    scene.go(0.5);
    EXPECT_EQ(scene.sleeping(), sleep ? 3U : 0U);
    scene.go(1.2);
    EXPECT_EQ(scene.sleeping(), 0U);
    momentum = scene.momentum();
    energy = scene.kineticEnergy();
    EXPECT_LT(striker->velocity()(0), 0.9);
    EXPECT_GT(scene.balls[2]->velocity()(0), 0.1);
    std::vector<Vector> velocities;
    for (const auto& ball : scene.balls) velocities.push_back(ball->velocity());
    return velocities;
  };
  Vector3 momentum{}, awake{};
  double energy = 0., ofAwake = 0.;
  const auto woken = run(doze, momentum, energy);
  const auto never = run(std::nullopt, awake, ofAwake);
  const double mass = makeBall({}, radius)->scalarMass();
  EXPECT_NEAR(momentum[0], mass, 1e-9 * mass);
  EXPECT_NEAR(energy, 0.5 * mass, 1e-7 * mass);
  for (std::size_t k = 0; k < woken.size(); ++k) expectNear(woken[k], never[k], 1e-7);
}

TEST(Sleep, EndsWhereASupportIsTakenAway) {
  Scene scene(frictionless(0.));
  addRow(scene);
  scene.begin(doze);
  scene.go(0.5);
  ASSERT_EQ(scene.sleeping(), 3U);
  scene.contacts->removeObstacle(scene.floor);
  scene.simulation->step();
  EXPECT_EQ(scene.sleeping(), 0U);
  for (const auto& ball : scene.balls) EXPECT_NEAR(ball->velocity()(2), -gravity * h, 1e-12);
}

TEST(Sleep, EndsWhereTheUserMovesABodyOrChangesAForce) {
  Scene scene(frictionless(0.));
  addRow(scene);
  scene.begin(doze);
  scene.go(0.5);
  ASSERT_EQ(scene.sleeping(), 3U);
  Vector v(6);
  v(1) = 0.3;
  scene.balls[0]->setState(scene.balls[0]->q(), v);
  scene.simulation->step();
  EXPECT_EQ(scene.sleeping(), 0U);
  EXPECT_NEAR(scene.balls[0]->velocity()(1), 0.3, 1e-12);
  EXPECT_NEAR(scene.balls[0]->q()(1), 0.3 * h, 1e-12);
  scene.go(2.);
  EXPECT_EQ(scene.sleeping(), 2U) << "the ball that rolls away is alone";
  scene.balls[1]->setExternalForces(makeVector({0., 1., -gravity * scene.balls[1]->scalarMass()}));
  scene.simulation->step();
  EXPECT_EQ(scene.sleeping(), 0U);
  EXPECT_NEAR(scene.balls[1]->velocity()(1), h / scene.balls[1]->scalarMass(), 1e-12);
}

// A force that sets in at 1 s: v = (t − 1) F / m from then on.
TEST(Sleep, EndsWhereAForceThatDependsOnTimeSetsIn) {
  Scene scene(frictionless(0.));
  const auto ball = scene.add({0., 0., radius});
  const double weight = gravity * ball->scalarMass();
  ball->setExternalForces([weight](double t, Vector& F) {
    F(0) = t > 1. ? 0.5 : 0.;
    F(2) = -weight;
  });
  scene.begin(doze);
  scene.go(0.9);
  EXPECT_EQ(scene.sleeping(), 1U);
  scene.go(1.5);
  EXPECT_EQ(scene.sleeping(), 0U);
  // By the trapezoidal rule, for which it sets in with half a step.
  EXPECT_NEAR(ball->velocity()(0), 0.5 * (0.5 - 0.5 * h) / ball->scalarMass(), 1e-12);
}

TEST(Sleep, NeverComesToWhatTouchesNothing) {
  NonSmoothDynamicalSystem model(0., 2.);
  const auto body = makeBall({}, radius);
  Vector v(6);
  v(0) = 1e-4;
  body->setState(body->q(), v);
  model.insert(body);
  MoreauJeanOptions options;
  options.sleep = doze;
  TimeStepping simulation(model, h, MoreauJeanOSI(options));
  simulation.run();
  EXPECT_NEAR(body->q()(0), 2e-4, 1e-14);
}

// A contact of the convex model is in the problem of each step, and pushes only where it touches.
TEST(Sleep, NeverComesToWhatAFarContactOfTheConvexModelIsLinkedTo) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = makeBall({0., 0., 1.}, radius);
  Vector v(6);
  v(0) = 1e-4;
  body->setState(body->q(), v);
  model.insert(body);
  model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.5, 3, Sliding::associated),
             NewtonEuler3DR(SpherePlane(radius, Plane{})), body);
  MoreauJeanOptions options;
  options.sleep = doze;
  TimeStepping simulation(model, h, MoreauJeanOSI(options));
  simulation.run();
  EXPECT_NEAR(body->q()(0), 1e-4, 1e-12);
}

TEST(Sleep, GoesOnAfterACheckpoint) {
  const auto make = [] {
    auto scene = std::make_unique<Scene>(frictionless(0.));
    makeElastic(*scene);
    addRow(*scene);
    scene->add({-1., 0., radius}, {1., 0., 0.});
    scene->begin(doze);
    return scene;
  };
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "sleep.checkpoint").string();
  const auto first = make();
  first->go(0.5);
  ASSERT_EQ(first->sleeping(), 3U);
  saveCheckpoint(*first->simulation, path);
  const auto second = make();
  restoreCheckpoint(*second->simulation, path);
  EXPECT_EQ(second->sleeping(), 3U);
  first->go(1.2);
  second->go(1.2);
  for (std::size_t k = 0; k < first->balls.size(); ++k) {
    expectNear(second->balls[k]->q(), first->balls[k]->q(), 0.);
    expectNear(second->balls[k]->velocity(), first->balls[k]->velocity(), 0.);
  }
}

TEST(Sleep, RefusesOptionsThatMakeNoSense) {
  MoreauJeanOptions options;
  options.sleep = SleepOptions{.speed = 0.};
  expectError([&] { MoreauJeanOSI scheme(options); }, {"Sleep", "positive", "0 m/s"});
  options.sleep = SleepOptions{.time = std::nan("")};
  expectError([&] { MoreauJeanOSI scheme(options); }, {"Sleep", "nan s"});
}

}  // namespace
