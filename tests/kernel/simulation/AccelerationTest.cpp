// SPDX-License-Identifier: Apache-2.0
//
// Accelerations that event-driven simulations leave in the systems, against exact ones.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <fstream>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 10.;

std::shared_ptr<LagrangianLinearTIDS> makeBlock(const Vector& q, const Vector& v, double push) {
  auto block = std::make_shared<LagrangianLinearTIDS>(q, v, diagonalMatrix({2., 2.}));
  block->setExternalForces(makeVector({push, -2. * g}));
  return block;
}

// Tangent, normal.
std::shared_ptr<Interaction> makeRoughFloor(double restitution, double mu) {
  return std::make_shared<Interaction>(
      NewtonImpactFrictionNSL(restitution, 0., mu, 2),
      LagrangianContactR(2, LagrangianContactR::Function(automatic([](const auto& q, auto& h) { h(0) = q(1); })),
                         [](double, const Vector&, Matrix& T) { T(0, 0) = 1.; }));
}

Vector accelerationOf(double height, double vx, double push) {
  auto block = makeBlock(makeVector({0., height}), makeVector({vx, 0.}), push);
  NonSmoothDynamicalSystem model(0., 0.2);
  model.insert(block);
  model.link(makeRoughFloor(0.5, 0.3), block);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), FrictionContact(2));
  simulation.initialise();
  const Vector initial = block->acceleration();
  simulation.run();
  expectNear(block->acceleration(), initial, 1e-10);
  return block->acceleration();
}

TEST(Acceleration, OfABlockInFlightSlidingStickingAndAtRest) {
  expectNear(accelerationOf(1., 1., 4.), makeVector({2., -g}), 1e-12);
  expectNear(accelerationOf(0., 1., 0.), makeVector({-0.3 * g, 0.}), 1e-10);
  expectNear(accelerationOf(0., 0., 10.), makeVector({5. - 0.3 * g, 0.}), 1e-10);
  expectNear(accelerationOf(0., 0., 4.), makeVector({0., 0.}), 1e-12);
}

TEST(Acceleration, AtAnImpactIsThatOfTheMotionAfterIt) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-g}));
  NonSmoothDynamicalSystem model(0., 3.);
  model.insert(ball);
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}}))), ball);
  EventDriven simulation(model, TimeDiscretisation(0., 3.), LCP());
  double last = 1.;
  simulation.setEventObserver([&](const Event& event) {
    const double expected = event.kind == EventKind::accumulation ? 0. : -g;
    EXPECT_NEAR(ball->acceleration()(0), expected, 1e-12);
    last = ball->acceleration()(0);
  });
  simulation.run();
  EXPECT_NEAR(last, 0., 1e-12);
  EXPECT_NEAR(ball->acceleration()(0), 0., 1e-12);
}

// a = −ω² q on a circle of radius l, with the joint that holds it and no other force.
TEST(Acceleration, OnACircleIsCentripetal) {
  constexpr double l = 0.5, speed = 3.;
  auto mass =
      std::make_shared<LagrangianLinearTIDS>(makeVector({l, 0.}), makeVector({0., speed}), diagonalMatrix({1., 1.}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(std::make_shared<Interaction>(EqualityConditionNSL(1),
                                           LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                     y(0) = 0.5 * (q(0) * q(0) + q(1) * q(1) - l * l);
                                                                   }))),
             mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), GenericMechanical());
  simulation.run([&] {
    const double factor = -(speed / l) * (speed / l);
    // Differences of the bias are good to 1e-9.
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(mass->acceleration()(i), factor * mass->q()(i), 1e-7);
  });
}

TEST(Acceleration, OnAPlateThatShakesIsThatOfThePlate) {
  constexpr double amplitude = 0.1, omega = 5.;  // A ω² < g: the block stays on it
  auto block =
      std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({amplitude * omega}), makeMatrix({{1.}}));
  block->setExternalForces(makeVector({-g}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(block);
  const auto plate =
      withJacobians([](double t, const Vector& q, Vector& y) { y(0) = q(0) - amplitude * std::sin(omega * t); },
                    [](double, const Vector&, Matrix& byQ) { byQ(0, 0) = 1.; },
                    [](double t, const Vector&, Vector& byT) { byT(0) = -amplitude * omega * std::cos(omega * t); });
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianRheonomousR(1, plate)), block);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.run([&] {
    const double exact = -amplitude * omega * omega * std::sin(omega * simulation.time());
    EXPECT_NEAR(block->acceleration()(0), exact, 1e-7) << simulation.time();
  });
}

// Euler's equations, I Ω̇ = −Ω × IΩ.
TEST(Acceleration, OfARigidBodyIsThatOfItsTwist) {
  const Vector I = makeVector({1., 1.5, 2.});
  auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), makeVector({1., 0., 0., 1., 2., 3.}), 2.,
                                              diagonalMatrix({I(0), I(1), I(2)}));
  body->setExternalForces(makeVector({0., 0., -2. * g}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.run([&] {
    const Vector& v = body->velocity();
    const Vector expected = makeVector({0., 0., -g, (I(1) - I(2)) * v(4) * v(5) / I(0),
                                        (I(2) - I(0)) * v(5) * v(3) / I(1), (I(0) - I(1)) * v(3) * v(4) / I(2)});
    expectNear(body->acceleration(), expected, 1e-12);
  });
}

TEST(Acceleration, IsNotKnownInTimeSteppingNorOfAStateThatWasSet) {
  auto block = makeBlock(makeVector({0., 1.}), makeVector({0., 0.}), 0.);
  block->setName("block");
  expectError([&] { block->acceleration(); }, {"'block'", "acceleration", "event-driven"});
  {
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(block);
    EventDriven events(model, TimeDiscretisation(0., 0.1), LCP());
    events.step();
    EXPECT_NO_THROW(block->acceleration());
    block->setState(block->q(), block->velocity());
    EXPECT_THROW(block->acceleration(), Error);
    events.step();
    EXPECT_NO_THROW(block->acceleration());
    block->setExternalForces(makeVector({0., 1.}));
    EXPECT_THROW(block->acceleration(), Error);
    events.step();
    EXPECT_NO_THROW(block->acceleration());
  }
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(block);
  TimeStepping(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP()).run();
  EXPECT_THROW(block->acceleration(), Error);
}

TEST(Acceleration, IsRecordedWhereItIsAskedFor) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("acceleration_test." + std::to_string(::getpid()) + ".csv");
  auto block = makeBlock(makeVector({0., 1.}), makeVector({0., 0.}), 4.);
  block->setName("block");
  NonSmoothDynamicalSystem model(0., 0.2);
  model.insert(block);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  const auto recorder = std::make_shared<CsvRecorder>(file);
  recorder->record(block, {{"acceleration", "m/s^2", {"x", "y"}}});
  simulation.addObserver(recorder);
  simulation.run();
  std::ifstream lines(file);
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_EQ(header, "time [s],step,block acceleration x [m/s^2],block acceleration y [m/s^2]");
  EXPECT_EQ(first, "0,0,2,-10");
  std::filesystem::remove(file);
}

}  // namespace
