// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/BushingLaw.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <numbers>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<NewtonEulerDS> bodyAt(const Vector3& position, const Vector& twist) {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(position), twist, 2., diagonalMatrix({0.5, 0.75, 1.}));
}

// A bushing about three axes at once: small oscillations of a body on a stiffness that couples displacement and turn.
TEST(BushingLaw, HasTheFrequenciesOfItsMatrix) {
  Matrix K(6, 6);
  for (std::size_t i = 0; i < 6; ++i) K(i, i) = 100. + 20. * static_cast<double>(i);
  K(0, 4) = K(4, 0) = 30.;
  NonSmoothDynamicalSystem model(0., 2.);
  const auto body = model.insert("body", bodyAt({}, Vector(6)));
  const auto bushing = model.link("bushing", BushingLaw(K), FixedJointR::at({}, body->q()), body);
  // Along x and about y: M u'' = −K u, in the mode of the larger frequency.
  const double m = 2., J = 0.75;
  const double a = K(0, 0) / m, b = K(4, 4) / J, c = 30.;
  const double square = 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + c * c / (m * J));
  const double size = 1e-6;  // rotations add in proportion to its square
  const double ratio = (square - a) * m / c;
  Vector q = body->q(), v(6);
  v(0) = size;
  v(4) = size * ratio;
  body->setState(q, v);
  EventDriven(model, TimeDiscretisation(0., 0.1)).run();
  EXPECT_NEAR(body->velocity()(0) / size, std::cos(2. * std::sqrt(square)), 1e-5);
  EXPECT_NEAR(body->velocity()(4) / size, ratio * std::cos(2. * std::sqrt(square)), 1e-5);
  const double energy =
      0.5 * (m + J * ratio * ratio) * size * size * (1. - std::pow(std::cos(2. * std::sqrt(square)), 2));
  EXPECT_NEAR(bushing->energy(2.), energy, 1e-5 * energy);
}

// Softer along the bearing than across: the force of a displacement along it stays along it, wherever it has turned to.
TEST(BushingLaw, TurnsWithTheSecondBody) {
  const BushingLaw law(diagonalMatrix({100., 1e4, 1e4}));
  const auto joint = SphericalJointR::at({}, NewtonEulerDS::at({}), NewtonEulerDS::at({}));
  const double angle = 0.5 * std::numbers::pi;
  const Quaternion turned{std::cos(0.5 * angle), 0., 0., std::sin(0.5 * angle)};
  Vector q = NewtonEulerDS::at({0., 0.1, 0.}, turned), y(3), lambda(3), force(6);
  append(NewtonEulerDS::at({}, turned), q);
  SphericalJointR bearing = joint;
  bearing.computeOutput(0., q, {}, y);
  law.computeForce(0., y, Vector(3), lambda);
  Matrix G(3, 12);
  bearing.computeJacobian(0., q, {}, G);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 3; ++k) force(i) += G(k, i) * lambda(k);
  }
  expectNear(force, makeVector({0., -10., 0., 0., 0., 0.}), 1e-12);
}

// Of two free bodies on a bearing with different stiffnesses and dampings in all directions: the largest change of
// their angular momentum, which nothing but the scheme makes.
double changeOfMomentum(double h) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto first = model.insert("first", bodyAt({}, makeVector({0., 0.3, 0., 0., 1., 0.})));
  const auto second = model.insert("second", bodyAt({1., 0., 0.}, makeVector({0., 0., 1., 3., 0., 2.})));
  Matrix K = diagonalMatrix({1e3, 2e3, 500., 50., 80., 20.}), C = diagonalMatrix({5., 1., 2., 0.1, 0.2, 0.3});
  K(0, 1) = K(1, 0) = 300.;
  model.link("bearing", BushingLaw(K, C), FixedJointR::at({0.5, 0., 0.}, second->q(), first->q()), second, first);
  const auto momentum = [&] {
    Vector3 sum{};
    for (const auto& body : {first, second}) {
      const Vector& v = body->velocity();
      sum = sum + body->angularMomentum() + 2. * cross(body->position(), {v(0), v(1), v(2)});
    }
    return sum;
  };
  TimeStepping simulation(model, h);
  const Vector3 before = momentum();
  double change = 0.;
  simulation.run([&] { change = std::max(change, norm(momentum() - before)); });
  return change;
}

TEST(BushingLaw, KeepsAngularMomentumToTheOrderOfTheScheme) {
  const double coarse = changeOfMomentum(2e-3), fine = changeOfMomentum(1e-3);
  EXPECT_LT(fine, 2e-4);
  EXPECT_GT(coarse / fine, 3.5) << coarse << ' ' << fine;
}

}  // namespace
