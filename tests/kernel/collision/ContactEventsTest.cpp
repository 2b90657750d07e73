// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "CollisionModels.hpp"

// Contacts that begin and end, as a CollisionManager tells its user.

namespace delassus {
namespace {

using testing::interactionsOf;
using testing::letFall;
using testing::makeBall;
using testing::randomVector;

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Balls of radius 0.1 above a plane.
struct Listener {
  NonSmoothDynamicalSystem model{0., 10.};
  CollisionManager manager{0.02, NewtonImpactFrictionNSL(0., 0., 0.5)};
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  Pairs begun, ended;

  explicit Listener(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      balls.push_back(makeBall({double(k), 0., 1.}, 0.1));
      balls.back()->setName(std::to_string(k));
      model.insert(balls.back());
      manager.insert(balls.back(), SphereShape(0.1));
    }
    manager.insertObstacle(Plane{});
    manager.onContactBegin([this](const LinkedContact& contact) {
      EXPECT_TRUE(model.topology().contains(*contact.interaction));
      begun.push_back(namesOf(contact));
    });
    manager.onContactEnd([this](const LinkedContact& contact) {
      EXPECT_FALSE(model.topology().contains(*contact.interaction));
      ended.push_back(namesOf(contact));
    });
  }
  static std::pair<std::string, std::string> namesOf(const LinkedContact& contact) {
    EXPECT_EQ(contact.interaction->name().find(contact.first->name()), 0u);
    return {contact.first->name(),
            contact.second ? contact.second->name() : "obstacle " + std::to_string(contact.obstacle)};
  }
  void place(std::size_t ball, const Vector3& x) { balls[ball]->setState(NewtonEulerDS::at(x), Vector(6)); }
  void update() {
    begun.clear();
    ended.clear();
    manager.updateInteractions(model, 0., 1e-3);
  }
};

TEST(ContactEvents, TellWhichPairsBeginAndEnd) {
  Listener world(3);
  world.update();
  EXPECT_TRUE(world.begun.empty());
  world.place(2, {0., 0., 1.2});
  world.place(1, {5., 0., 0.1});
  world.update();
  EXPECT_EQ(world.begun, (Pairs{{"0", "2"}, {"1", "obstacle 3"}}));
  world.update();
  EXPECT_TRUE(world.begun.empty() && world.ended.empty());
  world.place(2, {0., 0., 1.5});
  world.place(0, {5., 0., 0.3});
  world.update();
  EXPECT_EQ(world.ended, (Pairs{{"0", "2"}}));
  EXPECT_EQ(world.begun, (Pairs{{"0", "1"}}));
  // Interactions that others remove, members that leave, laws that change.
  world.model.remove(world.manager.contacts().front().interaction);
  world.update();
  EXPECT_EQ(world.ended, (Pairs{{"0", "1"}}));
  EXPECT_EQ(world.begun, world.ended);
  world.manager.setLaw(0, 0, NewtonImpactNSL(0.5));
  world.model.remove(world.manager.contacts().front().interaction);
  world.update();
  EXPECT_EQ(world.ended, (Pairs{{"0", "1"}, {"1", "obstacle 3"}}));
  EXPECT_EQ(world.begun, world.ended);
  world.manager.remove(world.balls[1]);
  world.update();
  EXPECT_EQ(world.ended, (Pairs{{"0", "1"}, {"1", "obstacle 3"}}));
  EXPECT_THROW(world.manager.onContactBegin({}), Error);
  EXPECT_THROW(world.manager.onContactEnd({}), Error);
}

TEST(ContactEvents, AddUpToTheContactsThatAreListedInTheirOrder) {
  Listener world(30);
  std::mt19937 random(4);
  std::set<std::pair<std::string, std::string>> present;
  std::size_t most = 0;
  for (int step = 0; step < 40; ++step) {
    for (std::size_t k = 0; k < world.balls.size(); ++k)
      world.place(k, Vector3{0., 0., 0.2} + randomVector(random, 0.3));
    world.update();
    for (const auto& pair : world.ended) EXPECT_EQ(present.erase(pair), 1u);
    for (const auto& pair : world.begun) EXPECT_TRUE(present.insert(pair).second);
    std::vector<std::pair<std::string, std::string>> listed;
    for (const auto& contact : world.manager.contacts()) listed.push_back(Listener::namesOf(contact));
    EXPECT_EQ(present, (std::set<std::pair<std::string, std::string>>(listed.begin(), listed.end())));
    // Those that begin are in the order of the list.
    auto at = listed.begin();
    for (const auto& pair : world.begun) {
      at = std::find(at, listed.end(), pair);
      ASSERT_NE(at, listed.end());
    }
    most = std::max(most, world.ended.size());
  }
  EXPECT_GT(most, 20u);
}

TEST(ContactEvents, AfterAnActionThatThrowsTheOthersAreToldInTheNextStep) {
  Listener world(4);
  for (std::size_t k = 0; k < 4; ++k) letFall(*world.balls[k]);
  bool throws = true;
  world.manager.onContactBegin([&](const LinkedContact& contact) {
    if (throws && contact.first->name() == "1") throw Error("a user", "stops here.");
  });
  std::size_t toldLast = 0;
  world.manager.onContactBegin([&](const LinkedContact&) { ++toldLast; });
  auto manager = std::shared_ptr<CollisionManager>(&world.manager, [](CollisionManager*) {});
  TimeStepping simulation(world.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(),
                          FrictionContact(3, AutomaticFrictionSolver(1e-10)));
  simulation.setInteractionManager(manager);
  for (std::size_t k = 0; k < 4; ++k) world.place(k, {double(k), 0., 0.1});
  EXPECT_THROW(simulation.step(), Error);
  EXPECT_EQ(simulation.time(), 0.);
  EXPECT_EQ(world.begun.size(), 2u);
  EXPECT_EQ(interactionsOf(world.model), 4u);
  EXPECT_EQ(world.manager.contactCount(), 4u);
  throws = false;
  for (int k = 0; k < 100; ++k) simulation.step();
  EXPECT_EQ(world.begun, (Pairs{{"0", "obstacle 4"}, {"1", "obstacle 4"}, {"2", "obstacle 4"}, {"3", "obstacle 4"}}));
  EXPECT_EQ(toldLast, 4u);
  for (const auto& ball : world.balls) EXPECT_NEAR(ball->position()[2], 0.1, 1e-9);  // the solver's tolerance
}

TEST(ContactEvents, ActionsMayRemoveAndInsertBodies) {
  Listener world(2);
  world.manager.onContactBegin([&](const LinkedContact& contact) {
    if (contact.second) return;
    // What touches the ground is taken away, and another one comes.
    world.manager.remove(contact.first);
    world.model.remove(std::shared_ptr<DynamicalSystem>(contact.first));
    world.balls.push_back(makeBall({10. + double(world.balls.size()), 0., 1.}, 0.1));
    world.model.insert(world.balls.back());
    world.manager.insert(world.balls.back(), SphereShape(0.1));
    world.manager.onContactEnd([](const LinkedContact&) {});
  });
  world.place(0, {0., 0., 0.1});
  world.place(1, {1., 0., 0.1});
  world.update();
  EXPECT_EQ(world.begun.size(), 2u);
  world.update();
  EXPECT_EQ(world.ended.size(), 2u);
  EXPECT_EQ(world.manager.contactCount(), 0u);
  EXPECT_EQ(interactionsOf(world.model), 0u);
}

}  // namespace
}  // namespace delassus
