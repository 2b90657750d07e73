// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

const Vector3 g{0.3, -0.2, -9.81};
constexpr double mass = 1.7;

std::shared_ptr<NewtonEulerDS> stone() {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 1., 2.}), makeVector({1., 0.5, 3., 0.2, -0.4, 0.1}),
                                         mass, NewtonEulerDS::boxInertia(mass, 0.3, 0.2, 0.1));
}

std::shared_ptr<LagrangianLinearTIDS> slider() {
  return std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
}

struct Fall {
  explicit Fall(const std::function<void(NonSmoothDynamicalSystem&, NewtonEulerDS&)>& weigh) {
    weigh(model, *body);
    model.insert("stone", body);
  }
  void run() { simulation.run(); }

  NonSmoothDynamicalSystem model{0., 0.5};
  std::shared_ptr<NewtonEulerDS> body = stone();
  TimeStepping simulation{model, 0.01};
};

Fall fallByModel() {
  return Fall([](NonSmoothDynamicalSystem& model, NewtonEulerDS&) { model.setGravity(g); });
}

TEST(Gravity, IsTheWeightThatWasGivenByHand) {
  Fall byModel = fallByModel();
  Fall byHand([](NonSmoothDynamicalSystem&, NewtonEulerDS& body) { body.setExternalForces(mass * g); });
  byModel.run();
  byHand.run();
  EXPECT_EQ(firstDifference(imageOf(byModel.simulation), imageOf(byHand.simulation)), "");
}

TEST(Gravity, AddsToOtherForcesAndMayChangeBetweenSteps) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = model.insert("stone", stone());
  const Vector3 push{5., 0., 1.};
  body->setExternalForces(push);
  const Vector3 v0 = vector3(data(body->velocity()));
  TimeStepping simulation(model, 0.01);
  while (simulation.time() < 0.5) simulation.step();
  model.setGravity(g);
  EXPECT_EQ(body->gravity(), g);
  simulation.run();
  const Vector3 v = v0 + push / mass + 0.5 * g;
  expectNear(Vector(vector3(data(body->velocity()))), v, 1e-13);
}

TEST(Gravity, IsForgottenInAModelWithout) {
  const auto body = stone();
  {
    NonSmoothDynamicalSystem model(0., 1.);
    model.setGravity(g);
    model.insert(body);
    EXPECT_EQ(body->gravity(), g);
  }
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  EXPECT_EQ(body->gravity(), Vector3{});
}

TEST(Gravity, IsRefusedWhereItsDirectionIsNotKnown) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = model.insert("stone", stone());
  const auto lagrangian = model.insert("slider", slider());
  expectError([&] { model.setGravity(g); }, {"'slider'", "gravity", "LagrangianLinearTIDS", "external forces"});
  EXPECT_EQ(model.gravity(), Vector3{});
  EXPECT_EQ(body->gravity(), Vector3{});
  model.remove(lagrangian);
  model.setGravity(g);
  expectError([&] { model.insert(lagrangian); }, {"'slider'", "gravity"});
  EXPECT_FALSE(model.topology().contains(*lagrangian));
  // A circuit has no weight.
  model.insert(std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})));
  model.setGravity({0., 0., 0.});
  model.insert(lagrangian);
  expectError([&] { model.setGravity({0., 0., std::numeric_limits<double>::infinity()}); }, {"gravity", "inf"});
}

TEST(Gravity, DoesWorkInTheBalanceOfEnergy) {
  Fall fall = fallByModel();
  const auto balance = std::make_shared<EnergyBalance>();
  fall.simulation.addObserver(balance);
  const Vector3 from = fall.body->position();
  const double before = fall.body->kineticEnergy();
  fall.run();
  const double work = mass * dot(g, fall.body->position() - from);
  EXPECT_NEAR(balance->forceWork(), work, 1e-12);
  // Moreau–Jean is exact in free fall; the spin about three different axes is of second order.
  EXPECT_NEAR(balance->kinetic() - before, work, 1e-5);
}

TEST(Gravity, IsComparedWithThatOfACheckpoint) {
  const auto path = restartFolder() / "gravity.checkpoint";
  Fall whole = fallByModel();
  whole.run();
  Fall first = fallByModel();
  for (int k = 0; k < 20; ++k) first.simulation.step();
  saveCheckpoint(first.simulation, path);
  Fall second = fallByModel();
  restoreCheckpoint(second.simulation, path);
  second.run();
  EXPECT_EQ(firstDifference(imageOf(second.simulation), imageOf(whole.simulation)), "");
  Fall without([](NonSmoothDynamicalSystem&, NewtonEulerDS&) {});
  expectError([&] { restoreCheckpoint(without.simulation, path); }, {"the force on 'stone'"});
  std::filesystem::remove_all(restartFolder());
}

TEST(Names, AreGivenWhereObjectsAreMade) {
  NonSmoothDynamicalSystem model(0., 1.);
  const std::shared_ptr<LagrangianLinearTIDS> a = model.insert("left", slider());
  const std::shared_ptr<LagrangianLinearTIDS> b = model.insert("right", slider());
  EXPECT_EQ(a->name(), "left");
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  const auto stop = model.link("stop", law, LagrangianLinearTIR(makeMatrix({{1.}})), a);
  const auto gap = model.link("gap", law, LagrangianLinearTIR(makeMatrix({{-1., 1.}})), a, b);
  const auto hit = model.link("hit", NewtonImpactNSL(0.1), LagrangianLinearTIR(makeMatrix({{1.}})), b);
  EXPECT_EQ(gap->name(), "gap");
  EXPECT_EQ(&stop->law(), law.get());
  EXPECT_EQ(&gap->law(), law.get());
  EXPECT_EQ(model.topology().interactions().size(), 3U);
  EXPECT_EQ(model.topology().systemsOf(*gap).size(), 2U);
  const LagrangianLinearTIR wide(makeMatrix({{1., 1., 1.}}));
  expectError([&] { model.link("wide", law, wide, a); }, {"'wide'"});
  expectError([&] { model.insert("third", a); }, {"'left'", "already inserted"});
  expectError([&] { model.insert("none", std::shared_ptr<LagrangianLinearTIDS>()); }, {"null"});
  EXPECT_EQ(a->name(), "left");
}

TEST(Gravity, IsToldWhereItIsGivenTwice) {
  const std::size_t before = Log::count(LogLevel::warning);
  const auto warnings = [&] { return Log::count(LogLevel::warning) - before; };
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity(g);
  const auto heavy = stone();
  heavy->setExternalForces(mass * g);
  model.insert("heavy", heavy);
  EXPECT_EQ(warnings(), 1U);
  const auto light = stone();
  light->setExternalForces(-0.5 * mass * g);  // a lift
  model.insert("light", light);
  EXPECT_EQ(warnings(), 1U);
  light->setExternalForces(mass * g);
  EXPECT_EQ(warnings(), 2U);
  light->setExternalForces(0.995 * mass * g);  // 9.76 m/s² for 9.81
  EXPECT_EQ(warnings(), 3U);
  light->setExternalForces(0.98 * mass * g);
  EXPECT_EQ(warnings(), 3U);
}

TEST(Gravity, IsToldWhereAFunctionGivesItTwiceAtTheStart) {
  const auto warningsOf = [](double factor, double later) {
    NonSmoothDynamicalSystem model(0., 0.02);
    model.setGravity(g);
    const auto body = model.insert("stone", stone());
    body->setExternalForces([=](double t, Vector& f) {
      for (std::size_t i = 0; i < 3; ++i) f(i) = (t > 0. ? later : factor) * mass * g[i];
    });
    const std::size_t before = Log::count(LogLevel::warning);
    TimeStepping(model, 0.01).run();
    return Log::count(LogLevel::warning) - before;
  };
  EXPECT_EQ(warningsOf(1., 1.), 1U);
  EXPECT_EQ(warningsOf(0.995, 0.), 1U);
  EXPECT_EQ(warningsOf(-1., -1.), 0U);  // holds the body
  EXPECT_EQ(warningsOf(0., 1.), 0U);
}

}  // namespace
