// SPDX-License-Identifier: Apache-2.0
//
// The convex model of friction, against motions known in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 10., mu = 0.5;

// A point of mass 1 above a plane, which its weight presses and a force pushes along the plane.
struct Point {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> body;
  std::shared_ptr<Interaction> floor;

  Point(std::size_t dimension, Vector velocity, double push, double end, Sliding sliding) : model(0., end) {
    Vector force(dimension);
    force(0) = -g;
    force(1) = push;
    body = std::make_shared<LagrangianLinearTIDS>(Vector(dimension), std::move(velocity), identityMatrix(dimension));
    body->setExternalForces(force);
    floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, dimension, sliding),
                                          LagrangianLinearTIR(identityMatrix(dimension)));
    model.insert(body);
    model.link(floor, body);
  }
};

// w_N = μ w_T and p_T = −μ p_N in the first step give p_N = (g h + μ v) / (1 + μ²).
TEST(AssociatedSliding, PartsWhileItSlides) {
  const double h = 1e-3, v = 2.;
  for (const std::size_t dimension : {std::size_t{2}, std::size_t{3}}) {
    Vector velocity(dimension);
    velocity(1) = v;
    Point point(dimension, velocity, 0., 1., Sliding::associated);
    TimeStepping simulation(point.model, h);
    simulation.step();
    const double push = (g * h + mu * v) / (1. + mu * mu);
    EXPECT_NEAR(point.floor->lambda(1)(0), push, 1e-12);
    EXPECT_NEAR(point.floor->lambda(1)(1), -mu * push, 1e-12);
    EXPECT_NEAR(point.body->velocity()(0), mu * point.body->velocity()(1), 1e-12);
    EXPECT_NEAR(point.body->velocity()(0), push - g * h, 1e-12);
  }
}

// It slides at the height h μ v, where it carries its weight, so that friction takes μ g as Coulomb's does: it comes to
// rest after v² / (2 μ g), to the order of h.
TEST(AssociatedSliding, ComesToRestWhereCoulombsLawSays) {
  const double v = 0.4;
  double missedBefore = 0.;
  for (const double h : {4e-3, 1e-3}) {
    Point point(2, Vector{0., v}, 0., 0.2, Sliding::associated);
    point.body->setState(Vector{mu * v * h, 0.}, Vector{0., v});
    TimeStepping simulation(point.model, h);
    double highest = 0.;
    simulation.run([&] { highest = std::max(highest, point.body->q()(0)); });
    expectNear(point.body->velocity(), {0., 0.}, 1e-9);
    const double missed = std::abs(point.body->q()(1) - v * v / (2. * mu * g));
    EXPECT_LE(missed, 2. * v * h) << h;
    EXPECT_GT(highest, 0.) << h;
    EXPECT_LE(highest, mu * v * h * 2.) << h;
    if (missedBefore > 0.) {
      EXPECT_LT(missed, missedBefore);
    }
    missedBefore = missed;
  }
}

TEST(AssociatedSliding, SticksAsCoulombsLawDoes) {
  for (const Sliding sliding : {Sliding::coulomb, Sliding::associated}) {
    Point point(3, Vector(3), 0.99 * mu * g, 0.5, sliding);
    TimeStepping simulation(point.model, 5e-3);
    simulation.run();
    expectNear(point.body->velocity(), Vector(3), 1e-10);
    EXPECT_NEAR(point.floor->lambda(1)(1), -0.99 * mu * g * 5e-3, 1e-10);
  }
}

TEST(AssociatedSliding, IsToldBySettingsAndRefusedBetweenEvents) {
  const NewtonImpactFrictionNSL law(0., 0., mu, 2, Sliding::associated);
  EXPECT_EQ(law.sliding(), Sliding::associated);
  EXPECT_EQ(law.set()->name(), "associated");
  bool isTold = false;
  const Settings settings = law.settings();
  for (const Setting& setting : settings.list()) isTold = isTold || setting.name == "sliding";
  EXPECT_TRUE(isTold);
  expectError([] { NewtonImpactFrictionNSL(0.5, 0., mu, 2, Sliding::associated); },
              {"NewtonImpactFrictionNSL", "associated", "restitution", "0.5"});
  Point point(2, Vector{0., 1.}, 0., 1., Sliding::associated);
  expectError([&] { EventDriven(point.model, 1e-2).run(); }, {"event-driven", "associated friction"});
}

}  // namespace
