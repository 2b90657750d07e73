// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "CollisionModels.hpp"

namespace delassus {
namespace {

using testing::interactionsOf;
using testing::makeBall;
using testing::makeBox;
using testing::randomVector;

const NewtonImpactFrictionNSL friction(0., 0., 0.5);
const Plane ground = Plane::through({0., 0., 0.}, {0., 0., 1.});

std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void place(NewtonEulerDS& body, const Vector3& x, const Vector3& v = {}) {
  Vector twist(6);
  for (std::size_t k = 0; k < 3; ++k) twist(k) = v[k];
  body.setState(NewtonEulerDS::at(x), twist);
}

struct TwoBalls {
  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<NewtonEulerDS> first = makeBall({0., 0., 0.}, 0.5);
  std::shared_ptr<NewtonEulerDS> second = makeBall({2., 0., 0.}, 0.5);
  CollisionManager manager{0.01, friction};

  TwoBalls() {
    model.insert(first);
    model.insert(second);
    manager.insert(first, SphereShape(0.5));
    manager.insert(second, SphereShape(0.5));
  }
  std::size_t linked(double h = 1e-3) {
    manager.updateInteractions(model, 0., h);
    EXPECT_EQ(interactionsOf(model), manager.contactCount());
    EXPECT_EQ(manager.contacts().size(), manager.contactCount());
    return interactionsOf(model);
  }
};

TEST(CollisionManager, LinksAPairThatComesNearAndRemovesItWhenItHasParted) {
  TwoBalls balls;
  EXPECT_EQ(balls.linked(), 0u);
  place(*balls.second, {1.009, 0., 0.});
  EXPECT_EQ(balls.linked(), 1u);
  const auto contact = balls.manager.contacts().front();
  EXPECT_EQ(contact.first, balls.first);
  EXPECT_EQ(contact.second, balls.second);
  place(*balls.second, {3., 0., 0.});
  EXPECT_EQ(balls.linked(), 0u);
}

TEST(CollisionManager, KeepsAPairBetweenOneAndTwoMarginsAsItIs) {
  TwoBalls balls;
  place(*balls.second, {1.015, 0., 0.});
  EXPECT_EQ(balls.linked(), 0u);
  place(*balls.second, {1.005, 0., 0.});
  EXPECT_EQ(balls.linked(), 1u);
  place(*balls.second, {1.015, 0., 0.});
  EXPECT_EQ(balls.linked(), 1u);
  place(*balls.second, {1.021, 0., 0.});
  EXPECT_EQ(balls.linked(), 0u);
}

TEST(CollisionManager, LinksAPairThatWillTouchWithinTheStep) {
  TwoBalls balls;
  place(*balls.second, {1.5, 0., 0.}, {-60., 0., 0.});
  EXPECT_EQ(balls.linked(1e-3), 0u);
  EXPECT_EQ(balls.linked(1e-2), 1u);
  // Passing by does not count.
  place(*balls.second, {1.5, 0., 0.}, {0., 60., 0.});
  EXPECT_EQ(balls.linked(1e-2), 0u);
}

TEST(CollisionManager, UsesRemovedInteractionsAgain) {
  TwoBalls balls;
  place(*balls.second, {1., 0., 0.});
  balls.linked();
  const Interaction* const used = balls.manager.contacts().front().interaction.get();
  for (int round = 0; round < 3; ++round) {
    place(*balls.second, {5., 0., 0.});
    EXPECT_EQ(balls.linked(), 0u);
    place(*balls.second, {1., 0., 0.});
    EXPECT_EQ(balls.linked(), 1u);
    EXPECT_EQ(balls.manager.contacts().front().interaction.get(), used);
  }
}

TEST(CollisionManager, FindsThePairsOfBruteForceInACloudThatMoves) {
  std::mt19937 random(7);
  constexpr double radius = 0.1, margin = 0.02, h = 0.01;
  NonSmoothDynamicalSystem model(0., 1.);
  CollisionManager manager(margin, friction);
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  for (int k = 0; k < 200; ++k) {
    balls.push_back(makeBall(randomVector(random, 0.8), radius));
    place(*balls.back(), balls.back()->position(), randomVector(random, 1.));
    model.insert(balls.back());
    manager.insert(balls.back(), SphereShape(radius));
  }
  manager.insertObstacle(ground);
  for (int step = 0; step < 50; ++step) {
    manager.updateInteractions(model, 0., h);
    std::set<std::pair<const void*, const void*>> linked;
    for (const auto& contact : manager.contacts()) linked.insert({contact.first.get(), contact.second.get()});
    for (std::size_t j = 0; j < balls.size(); ++j) {
      for (std::size_t i = 0; i <= j; ++i) {  // i = j: with the plane
        const bool isPlane = i == j;
        const Vector3 between = balls[i]->position() - balls[j]->position();
        const Vector3 normal = isPlane ? ground.normal : 1. / norm(between) * between;
        const double gap = isPlane ? balls[j]->position()[2] - radius : norm(between) - 2. * radius;
        const Vector3 v = isPlane ? vector3(data(balls[j]->velocity()))
                                  : vector3(data(balls[i]->velocity())) - vector3(data(balls[j]->velocity()));
        const double after = gap + h * std::min(0., dot(normal, v));
        const void* const second = isPlane ? nullptr : balls[j].get();
        const bool isLinked = linked.contains({balls[i].get(), second});
        if (after <= margin) {
          EXPECT_TRUE(isLinked) << step << ": " << i << ' ' << j << " gap " << gap;
        }
        if (after > 2. * margin) {
          EXPECT_FALSE(isLinked) << step << ": " << i << ' ' << j << " gap " << gap;
        }
      }
    }
    for (const auto& ball : balls) {
      const Vector3 v = vector3(data(ball->velocity()));
      place(*ball, ball->position() + h * v, v);
    }
  }
}

TEST(CollisionManager, GivesGroupsLawsOfTheirOwnAndLetsOthersPass) {
  TwoBalls balls;
  const auto third = makeBall({0., 1., 0.}, 0.5);
  balls.model.insert(third);
  balls.manager.insert(third, SphereShape(0.5), 3);
  place(*balls.second, {1., 0., 0.});
  EXPECT_EQ(balls.linked(), 2u);
  balls.manager.exclude(3, 0);
  EXPECT_EQ(balls.linked(), 1u);
  balls.manager.setLaw(0, 3, NewtonImpactNSL(0.5));
  EXPECT_EQ(balls.linked(), 2u);
  for (const auto& contact : balls.manager.contacts()) {
    EXPECT_EQ(contact.interaction->law().className(),
              contact.second == third ? "NewtonImpactNSL" : "NewtonImpactFrictionNSL");
  }
}

TEST(CollisionManager, ForgetsWhatIsRemoved) {
  TwoBalls balls;
  place(*balls.second, {1., 0., 0.});
  const std::size_t plane = balls.manager.insertObstacle(Plane{{0., 0., 1.}, -0.5});
  const std::size_t table = balls.manager.insertObstacle(BoxShape(1., 1., 1.), {0., -1., 0.});
  EXPECT_EQ(balls.linked(), 4u);
  balls.manager.removeObstacle(plane);
  EXPECT_EQ(balls.linked(), 2u);
  EXPECT_EQ(balls.manager.contacts()[1].obstacle, table);
  balls.manager.removeObstacle(table);
  balls.manager.remove(balls.second);
  EXPECT_EQ(balls.linked(), 0u);
  EXPECT_EQ(balls.manager.candidateCount(), 0u);
  balls.manager.insert(balls.second, SphereShape(0.5));
  EXPECT_EQ(balls.linked(), 1u);
  // From the model too, with its interactions.
  balls.manager.remove(balls.second);
  balls.model.remove(balls.second);
  EXPECT_EQ(balls.linked(), 0u);
}

// Balls fall through a window in which each of them is for ten steps.
TEST(CollisionManager, FindsTheSameContactsWhereItForgetsWhatIsRemoved) {
  constexpr double radius = 0.1, h = 0.01;
  constexpr std::size_t stay = 10, perStep = 4;
  struct Window {
    NonSmoothDynamicalSystem model{0., 1.};
    CollisionManager manager{0.02, friction};
    std::vector<std::shared_ptr<NewtonEulerDS>> balls;
    void begin(const Vector3& x) {
      balls.push_back(makeBall(x, radius));
      balls.back()->setName("ball at " + std::to_string(x[0]) + ' ' + std::to_string(x[1]));
      model.insert(balls.back());
      manager.insert(balls.back(), SphereShape(radius));
    }
    void endFirst() {
      manager.remove(balls.front());
      model.remove(std::shared_ptr<DynamicalSystem>(balls.front()));
      balls.erase(balls.begin());
    }
    std::vector<std::string> names() const {
      std::vector<std::string> all;
      for (const auto& contact : manager.contacts()) all.push_back(contact.interaction->name());
      return all;
    }
  };
  Window forgets, keeps;
  for (Window* const window : {&forgets, &keeps}) window->manager.insertObstacle(ground);
  std::mt19937 random(3);
  std::size_t most = 0;
  for (std::size_t step = 0; step < 60; ++step) {
    if (step % 3 == 0) forgets.manager.forgetRemoved();
    std::vector<Vector3> centres;
    for (std::size_t k = 0; k < perStep; ++k) centres.push_back(randomVector(random, 0.4));
    for (Window* const window : {&forgets, &keeps}) {
      for (std::size_t k = 0; step >= stay && k < perStep; ++k) window->endFirst();
      for (const Vector3& x : centres) window->begin({x[0], x[1], std::abs(x[2])});
      // In some steps members are removed or new when it forgets.
      if (window == &forgets && step % 5 == 0) window->manager.forgetRemoved();
      window->manager.updateInteractions(window->model, 0., h);
    }
    most = std::max(most, keeps.names().size());
    ASSERT_EQ(forgets.names(), keeps.names()) << step;
    EXPECT_LE(forgets.manager.colliders().size(), 1 + perStep * (stay + 3));
  }
  EXPECT_GT(most, 20u);
  EXPECT_EQ(keeps.manager.colliders().size(), 1 + 60 * perStep);
}

TEST(CollisionManager, LinksAgainWhatSomebodyElseRemoved) {
  TwoBalls balls;
  place(*balls.second, {1., 0., 0.});
  EXPECT_EQ(balls.linked(), 1u);
  balls.model.remove(balls.manager.contacts().front().interaction);
  EXPECT_EQ(balls.linked(), 1u);
}

TEST(CollisionManager, RefusesBadInputInASentence) {
  TwoBalls balls;
  EXPECT_THROW(CollisionManager(0., friction), Error);
  EXPECT_THROW(CollisionManager(0.1, std::shared_ptr<NonSmoothLaw>()), Error);
  EXPECT_NE(messageOf([] { CollisionManager(0.1, NewtonImpactFrictionNSL(0., 0., 0.5, 2)); }).find("size 2"),
            std::string::npos);
  EXPECT_THROW(balls.manager.setLaw(0, 1, EqualityConditionNSL(3)), Error);
  EXPECT_THROW(balls.manager.insert(nullptr, SphereShape(1.)), Error);
  EXPECT_NE(messageOf([&] { balls.manager.insert(balls.first, SphereShape(1.)); }).find("inserted already"),
            std::string::npos);
  EXPECT_THROW(balls.manager.insert(makeBall({}, 1.), ground), Error);
  EXPECT_THROW(balls.manager.insertObstacle(SphereShape(1.), {std::nan(""), 0., 0.}), Error);
  EXPECT_THROW(balls.manager.insertObstacle(SphereShape(1.), {}, {0., 0., 0., 0.}), Error);
  EXPECT_THROW(balls.manager.remove(makeBall({}, 1.)), Error);
  EXPECT_THROW(balls.manager.remove(nullptr), Error);
  EXPECT_THROW(balls.manager.removeObstacle(0), Error);
  EXPECT_THROW(balls.manager.removeObstacle(17), Error);
}

TEST(CollisionManager, NamesABodyThatIsNotInTheModel) {
  TwoBalls balls;
  const auto stranger = makeBall({}, 0.5);
  stranger->setName("stranger");
  balls.manager.insert(stranger, SphereShape(0.5));
  EXPECT_NE(messageOf([&] { balls.linked(); }).find("'stranger' is not in the model"), std::string::npos);
  balls.manager.remove(stranger);
  EXPECT_EQ(balls.linked(), 0u);
  balls.model.remove(balls.second);
  EXPECT_THROW(balls.linked(), Error);
}

TEST(CollisionManager, TakesTheConfigurationOfAnObstacle) {
  TwoBalls balls;
  const Quaternion p = rotations::exponential({0.1, 0.2, 0.3});
  const BoxShape box(1., 2., 3.);
  const std::size_t apart = balls.manager.insertObstacle(box, {1., 2., 3.}, p);
  const std::size_t stacked = balls.manager.insertObstacle(box, NewtonEulerDS::at({1., 2., 3.}, p), 4);
  const Collider& expected = balls.manager.colliders()[apart];
  const Collider& obstacle = balls.manager.colliders()[stacked];
  EXPECT_EQ(obstacle.placement().position, expected.placement().position);
  EXPECT_EQ(obstacle.placement().rotation, expected.placement().rotation);
  EXPECT_EQ(obstacle.group(), 4u);
  EXPECT_THROW(balls.manager.insertObstacle(box, Vector(6)), Error);
  EXPECT_THROW(balls.manager.insertObstacle(box, Vector(7)), Error);  // p is zero
}

TEST(CollisionManager, WarnsOnceWhereNoSimulationEverAskedIt) {
  std::size_t warnings = 0;
  const auto sink = std::make_shared<FunctionSink>(
      [&](LogLevel level, std::string_view) { warnings += level == LogLevel::warning ? 1 : 0; });
  Log::add(sink, LogLevel::warning);
  { CollisionManager empty(0.1, friction); }
  {
    TwoBalls asked;
    asked.linked();
  }
  EXPECT_EQ(warnings, 0u);
  { TwoBalls forgotten; }
  EXPECT_EQ(warnings, 1u);
  Log::remove(sink);
}

TEST(CollisionManager, BelongsToOneModel) {
  TwoBalls balls;
  balls.linked();
  NonSmoothDynamicalSystem other(0., 1.);
  EXPECT_THROW(balls.manager.updateInteractions(other, 0., 1e-3), Error);
}

}  // namespace
}  // namespace delassus
