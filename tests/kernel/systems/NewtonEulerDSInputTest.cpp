// SPDX-License-Identifier: Apache-2.0
//
// What NewtonEulerDS refuses, and what it says then.
#include <gtest/gtest.h>

#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

const Matrix inertia = makeMatrix({{2., 0.3, -0.2}, {0.3, 3., 0.1}, {-0.2, 0.1, 2.5}});

Vector somewhere() {
  return NewtonEulerDS::at({0.3, -1., 2.}, {0.5, -0.7, 0.4, 0.9});
}

std::shared_ptr<NewtonEulerDS> body() {
  auto system = std::make_shared<NewtonEulerDS>(somewhere(), makeVector({1., -2., 0.5, 0.8, -1.5, 2.2}), 1.7, inertia);
  system->setName("rotor");
  return system;
}

TEST(NewtonEulerDSInput, RefusesOrientationsThatAreNoUnitQuaternions) {
  const Vector v(6);
  const auto at = [](double p0, double p1) { return makeVector({0., 0., 0., p0, p1, 0., 0.}); };
  expectError([&] { NewtonEulerDS(at(0., 0.), v, 1., inertia); }, {"NewtonEulerDS", "q0", "unit quaternion", "norm 0"});
  expectError([&] { NewtonEulerDS(at(1., 1e-3), v, 1., inertia); }, {"unit quaternion", "1.0000004", "normalised"});
  expectError([&] { NewtonEulerDS(at(nan, 0.), v, 1., inertia); }, {"q0", "nan"});
  expectError([] { NewtonEulerDS::at({0., 0., 0.}, {0., 0., 0., 0.}); }, {"NewtonEulerDS: orientation", "norm 0"});
  // Ten digits of a file are near enough, and rounding is taken out.
  const NewtonEulerDS body(at(0.8 + 4e-10, 0.6), v, 1., inertia);
  EXPECT_NEAR(rotations::norm(body.orientation()), 1., epsilon);
  EXPECT_EQ(body.q0()(3), body.q()(3));
}

TEST(NewtonEulerDSInput, SetStateRefusesWhatIsNoState) {
  const auto system = body();
  const Vector v = system->velocity();
  expectError(
      [&] {
        system->setState(makeVector({0., 0., 0., 1., 1., 0., 0.}), v);
      },
      {"'rotor'", "position", "unit quaternion", "1.414"});
  expectError([&] { system->setState(makeVector({0., 0., 0., 0., 0., 0., 0.}), v); }, {"'rotor'", "norm 0"});
  expectError([&] { system->setState(Vector(6), v); }, {"'rotor'", "position", "size 7", "size 6"});
  expectError([&] { system->setState(somewhere(), Vector(7)); }, {"'rotor'", "velocity", "size 6", "size 7"});
  expectError(
      [&] {
        system->setState(somewhere(), makeVector({0., 0., infinity, 0., 0., 0.}));
      },
      {"'rotor'", "velocity", "inf"});
  // None of them has changed anything.
  expectNear(system->q(), somewhere(), epsilon);
  const std::size_t resets = system->stateResets();
  system->setState(NewtonEulerDS::at({1., 2., 3.}), Vector(6));
  EXPECT_EQ(system->q()(3), 1.);
  EXPECT_GT(system->stateResets(), resets);
}

TEST(NewtonEulerDSInput, RefusesMassesAndInertiasThatNoBodyHas) {
  const Vector q = somewhere(), v(6);
  for (const double mass : {0., -1., nan, infinity}) {
    expectError([&] { NewtonEulerDS(q, v, mass, inertia); }, {"NewtonEulerDS", "mass must be positive and finite"});
  }
  expectError([&] { NewtonEulerDS(q, v, 1., Matrix(3, 3)); }, {"inertia", "positive definite"});
  expectError([&] { NewtonEulerDS(q, v, 1., diagonalMatrix({1., 1., -1.})); }, {"inertia", "positive definite"});
  expectError([&] { NewtonEulerDS(q, v, 1., diagonalMatrix({1., 1., nan})); }, {"inertia", "nan"});
  expectError(
      [&] {
        NewtonEulerDS(q, v, 1., makeMatrix({{1., 0.1, 0.}, {0., 1., 0.}, {0., 0., 1.}}));
      },
      {"inertia", "symmetric"});
  expectError([&] { NewtonEulerDS(q, v, 1., identityMatrix(6)); }, {"inertia", "3 x 3", "6 x 6"});
  expectError(
      [&] {
        NewtonEulerDS(q, v, 1., diagonalMatrix({1., 1., 2.1}));
      },
      {"no body has this inertia", "1, 1 and 2.1", "sum of the others"});
  // The same turned out of its principal axes.
  expectError(
      [&] {
        NewtonEulerDS(q, v, 1., makeMatrix({{1., 0., 0.}, {0., 1.55, 0.55}, {0., 0.55, 1.55}}));
      },
      {"no body has this inertia"});
  // A plate without thickness is on the bound.
  EXPECT_NO_THROW(NewtonEulerDS(q, v, 1., diagonalMatrix({1., 2., 3.})));
}

TEST(NewtonEulerDSInput, RefusesSizesThatDoNotFit) {
  expectError([] { NewtonEulerDS(Vector(6), Vector(6), 1., inertia); }, {"q0 = (x, p)", "size 7", "size 6"});
  expectError([] { NewtonEulerDS(somewhere(), Vector(7), 1., inertia); }, {"v0 = (v, Omega)", "size 6", "size 7"});
  expectError([] { NewtonEulerDS(somewhere(), makeVector({0., nan, 0., 0., 0., 0.}), 1., inertia); }, {"v0", "nan"});
  const auto system = body();
  expectError([&] { system->setExternalForces(Vector(6)); }, {"'rotor'", "external force", "size 3", "size 6"});
  expectError([&] { system->setExternalMoments(Vector(2)); }, {"'rotor'", "external moment", "size 3", "size 2"});
  expectError(
      [&] {
        system->setInertialExternalMoments(makeVector({0., nan, 0.}));
      },
      {"'rotor'", "moment in the inertial frame", "nan"});
  expectError([] { NewtonEulerDS::ballInertia(1., 0.); }, {"radius of a ball", "positive", "0"});
  expectError([] { NewtonEulerDS::boxInertia(1., 1., -2., 1.); }, {"edge of a box", "-2"});
  expectError([] { NewtonEulerDS::cylinderInertia(nan, 1., 1.); }, {"mass of a cylinder", "nan"});
}

TEST(NewtonEulerDSInput, NamesTheTermThatIsNotFiniteAndWhen) {
  const auto system = body();
  Vector force(6);
  const auto forces = [&] { system->forces(2.5, system->q(), system->velocity(), force); };
  const auto bad = [](double, Vector& f) { f(1) = nan; };
  system->setExternalForces(bad);
  expectError(forces, {"'rotor'", "external force", "t = 2.5", "component 1"});
  system->setExternalForces(Vector(3));
  system->setExternalMoments(bad);
  expectError(forces, {"'rotor'", "external moment", "t = 2.5"});
  system->setExternalMoments(Vector(3));
  system->setInertialExternalMoments(bad);
  expectError(forces, {"'rotor'", "moment in the inertial frame", "t = 2.5"});
  system->setInertialExternalMoments(Vector(3));
  system->setInternalForces(differenced([](double, const Vector&, const Vector&, Vector& w) { w(4) = infinity; }));
  expectError(forces, {"'rotor'", "internal forces and moments", "t = 2.5", "component 4"});
}

// The message names the term; once it is mended the body works again.
TEST(NewtonEulerDSInput, NoticesEveryFunctionThatChangesTheSizeOfItsResultAndRecovers) {
  const auto system = body();
  Vector force(6);
  Matrix byQ(6, 6), byV(6, 6);
  const auto forces = [&] { system->forces(2., system->q(), system->velocity(), force); };
  const auto jacobians = [&] { system->forceJacobians(2., system->q(), system->velocity(), byQ, byV); };
  const auto resize = [](double, Vector& f) { f = Vector(5); };
  const auto good = [](double, Vector& f) { f(0) = 1.; };
  system->setExternalForces(resize);
  expectError(forces, {"'rotor'", "external force at t = 2", "size 3", "size 5"});
  system->setExternalForces(good);
  EXPECT_NO_THROW(forces());
  system->setExternalMoments(resize);
  expectError(forces, {"'rotor'", "external moment at t = 2", "size 3", "size 5"});
  system->setExternalMoments(good);
  EXPECT_NO_THROW(forces());
  system->setInertialExternalMoments(resize);
  expectError(forces, {"'rotor'", "moment in the inertial frame at t = 2", "size 3", "size 5"});
  system->setInertialExternalMoments(good);
  EXPECT_NO_THROW(forces());
  EXPECT_NO_THROW(jacobians());
  const auto wrench = [](double, const Vector&, const Vector&, Vector& w) { w(0) = 1.; };
  const auto none = [](double, const Vector&, const Vector&, Matrix&) {};
  const auto resized = [](double, const Vector&, const Vector&, Matrix& J) { J = Matrix(6, 3); };
  system->setInternalForces(
      withJacobians([](double, const Vector&, const Vector&, Vector& w) { w = Vector(3); }, none, none));
  expectError(forces, {"'rotor'", "internal forces and moments", "size 6", "size 3"});
  system->setInternalForces(withJacobians(wrench, resized, none));
  EXPECT_NO_THROW(forces());
  expectError(jacobians, {"'rotor'", "with respect to q", "6 x 7", "6 x 3"});
  system->setInternalForces(withJacobians(wrench, none, resized));
  expectError(jacobians, {"'rotor'", "with respect to v", "6 x 6", "6 x 3"});
  system->setInternalForces(withJacobians(wrench, none, none));
  EXPECT_NO_THROW(jacobians());
}

}  // namespace
