// SPDX-License-Identifier: Apache-2.0
//
// Linear relations of any kind between circuits that are tied to bodies, against one first-order system.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <random>
#include <support/Motor.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Random circuits of two systems, one of which nothing but a relation links to the other, with C, B and D of their own:
// B is not Cᵀ, D is positive definite.
struct RandomCircuit {
  std::mt19937 engine;
  std::normal_distribution<double> normal;
  Matrix A1, A2, C, B, D;
  Vector e;

  explicit RandomCircuit(unsigned seed) : engine(seed) {
    A1 = random(2, 2), A2 = random(1, 1), C = random(2, 3), B = random(3, 2), e = Vector(2);
    for (double& entry : e) entry = normal(engine);
    const Matrix root = random(2, 2);
    D = product(root, Matrix(trans(root))) + 3. * identityMatrix(2);
  }

  Matrix random(std::size_t m, std::size_t n) {
    Matrix A(m, n);
    for (double& entry : A.data()) entry = normal(engine);
    return A;
  }
};

constexpr double constant = 0.7;  // of the gyrator, between the second state and ω

template <class Relation>
void expectSameMotion(RandomCircuit& circuit, double theta, const Relation& relationOf) {
  NonSmoothDynamicalSystem parts(0., 1.), whole(0., 1.);
  const auto first = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., -1.}), circuit.A1);
  const auto second = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.5}), circuit.A2);
  const auto shaft = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{2.}}));
  parts.insert("first", first);
  parts.insert("shaft", shaft);
  parts.insert("second", second);
  parts.link("motor", GyratorLaw(constant), TransducerR(1, coordinate), SystemPart(first, 1, 1), shaft);
  const auto diodes =
      parts.link("diodes", ComplementarityConditionNSL(2), relationOf(circuit.C, circuit.B), first, second);
  // (x1, x2, ω, x3)
  Matrix A(4, 4, 0.), C(2, 4, 0.), B(4, 2, 0.);
  const std::size_t place[] = {0, 1, 3};
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 2; ++i) A(i, j) = circuit.A1(i, j);
  }
  A(3, 3) = circuit.A2(0, 0);
  A(1, 2) = -constant;
  A(2, 1) = constant;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 2; ++i) {
      C(i, place[j]) = circuit.C(i, j);
      B(place[j], i) = circuit.B(j, i);
    }
  }
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., -1., 1., 0.5}), A);
  system->setM(diagonalMatrix({1., 1., 2., 1.}));
  whole.insert(system);
  const auto others = whole.link("diodes", ComplementarityConditionNSL(2), relationOf(C, B), system);
  TimeStepping one(parts, TimeDiscretisation(0., 0.02), MoreauJeanOSI(theta), LCP());
  TimeStepping other(whole, TimeDiscretisation(0., 0.02), EulerMoreauOSI(theta), LCP());
  while (one.hasNextStep()) {
    one.step();
    other.step();
    const double size = 1. + normInf(system->x());
    EXPECT_NEAR(first->x()(0), system->x()(0), 1e-10 * size);
    EXPECT_NEAR(first->x()(1), system->x()(1), 1e-10 * size);
    EXPECT_NEAR(shaft->velocity()(0), system->x()(2), 1e-10 * size);
    EXPECT_NEAR(second->x()(0), system->x()(3), 1e-10 * size);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(diodes->lambda(0)(i), others->lambda(0)(i), 1e-9 * size);
      EXPECT_NEAR(diodes->y(0)(i), others->y(0)(i), 1e-9 * size);
    }
  }
}

TEST(FlowRelation, TakesAnyLinearRelation) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomCircuit circuit(seed);
    for (const double theta : {0.5, 1.}) {
      expectSameMotion(circuit, theta, [&](const Matrix& C, const Matrix& B) {
        FirstOrderLinearTIR relation(C, B);
        relation.setD(circuit.D).setE(circuit.e);
        return relation;
      });
      // Of coefficients in time: C(t), B(t), e(t).
      expectSameMotion(circuit, theta, [&](const Matrix& C, const Matrix& B) {
        FirstOrderLinearR relation(C, B);
        relation.setC([C](double t, Matrix& at) { at = C * (1. + 0.5 * std::sin(5. * t)); });
        relation.setB([B](double t, Matrix& at) { at = B * (1. + 0.3 * std::cos(3. * t)); });
        relation.setD(circuit.D).setE([e = circuit.e](double t, Vector& at) { at = e * std::cos(4. * t); });
        return relation;
      });
    }
  }
}

}  // namespace
