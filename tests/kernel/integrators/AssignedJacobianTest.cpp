// SPDX-License-Identifier: Apache-2.0
//
// A user's Jacobian may be assigned as an expression, which gives the matrix other storage than it had.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A point on a circle, by a relation whose Jacobian is written in one of several ways.
template <class WriteJacobian, class Scheme>
Vector endOfPendulum(WriteJacobian write, Scheme scheme) {
  NonSmoothDynamicalSystem model(0., 0.5);
  auto bob = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}), identityMatrix(2));
  bob->setExternalForces(makeVector({0., -9.81}));
  model.insert(bob);
  const auto circle = [](const Vector& q, Vector& y) { y(0) = 0.5 * (1. - q(0) * q(0) - q(1) * q(1)); };
  model.link("rope", NewtonImpactNSL(0.), LagrangianScleronomousR(1, withJacobians(circle, write)), bob);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), std::move(scheme), LCP());
  simulation.run();
  return bob->q();
}

template <class Scheme>
void expectOneMotion(const Scheme& scheme) {
  const auto entries = [](const Vector& q, Matrix& G) {
    G(0, 0) = -q(0);
    G(0, 1) = -q(1);
  };
  const auto expression = [](const Vector& q, Matrix& G) {
    Matrix row(1, 2);
    row(0, 0) = q(0);
    row(0, 1) = q(1);
    G = -1. * row;
  };
  const auto sized = [](const Vector& q, Matrix& G) {
    G.resize(1, 2);
    G(0, 0) = -q(0);
    G(0, 1) = -q(1);
  };
  const auto added = [](const Vector& q, Matrix& G) {
    Matrix row(1, 2);
    row(0, 0) = -q(0);
    row(0, 1) = -q(1);
    G += 1. * row;
  };
  const Vector q = endOfPendulum(entries, scheme);
  EXPECT_NEAR(q(0) * q(0) + q(1) * q(1), 1., 1e-2);
  expectNear(endOfPendulum(expression, scheme), q, 0.);
  expectNear(endOfPendulum(sized, scheme), q, 0.);
  expectNear(endOfPendulum(added, scheme), q, 0.);
}

TEST(AssignedJacobian, IsThatOfItsEntriesInMoreauJeansScheme) {
  expectOneMotion(MoreauJeanOSI());
  expectOneMotion(MoreauJeanOSI::semiExplicit());
}

TEST(AssignedJacobian, IsThatOfItsEntriesInSchatzmanAndPaolisScheme) {
  expectOneMotion(SchatzmanPaoliOSI());
}

// A function that fails by its size leaves the equations of the step where they were.
TEST(AssignedJacobian, OfTheWrongSizeCanBeMended) {
  bool isWrong = false;
  NonSmoothDynamicalSystem model(0., 0.1);
  auto bob = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}), identityMatrix(2));
  bob->setExternalForces(makeVector({0., -9.81}));
  model.insert(bob);
  const auto circle = [](const Vector& q, Vector& y) { y(0) = 0.5 * (1. - q(0) * q(0) - q(1) * q(1)); };
  const auto jacobian = [&isWrong](const Vector& q, Matrix& G) {
    if (isWrong) G = Matrix(2, 5);
    G(0, 0) = -q(0);
    G(0, 1) = -q(1);
  };
  model.link("rope", NewtonImpactNSL(0.), LagrangianScleronomousR(1, withJacobians(circle, jacobian)), bob);
  TimeStepping simulation(model, 1e-3);
  for (int k = 0; k < 10; ++k) simulation.step();
  isWrong = true;
  expectError([&] { simulation.step(); }, {"rope", "Jacobian"});
  isWrong = false;
  simulation.run();
  EXPECT_NEAR(bob->q()(0) * bob->q()(0) + bob->q()(1) * bob->q()(1), 1., 1e-2);
}

// What is removed from a model is not kept by the simulation.
TEST(ChangedModel, LetsGoOfWhatWasRemoved) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = [] {
    return std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), identityMatrix(1));
  };
  model.insert(body());
  TimeStepping simulation(model, 1e-2);
  auto guest = body();
  auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(identityMatrix(1)));
  model.insert(guest);
  model.link(floor, guest);
  simulation.step();
  const std::weak_ptr<LagrangianLinearTIDS> ofGuest = guest;
  const std::weak_ptr<Interaction> ofFloor = floor;
  model.remove(guest);
  guest.reset();
  floor.reset();
  simulation.step();
  EXPECT_TRUE(ofGuest.expired());
  EXPECT_TRUE(ofFloor.expired());
}

}  // namespace
