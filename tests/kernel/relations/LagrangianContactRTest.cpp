// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double length = 0.5;

// Height of the tip (x + l sin φ, y − l cos φ) of a rod.
constexpr auto tipHeight = [](const auto& q, auto& h) {
  using std::cos;
  h(0) = q(1) - length * cos(q(2));
};

void tipTangent(double, const Vector& q, Matrix& rows) {
  rows(0, 0) = 1.;
  rows(0, 2) = length * std::cos(q(2));
}

TEST(LagrangianContactR, HasTheGapAndTheTangentialRows) {
  LagrangianContactR relation(2, automatic(tipHeight), tipTangent);
  ASSERT_EQ(relation.size(), 2U);
  EXPECT_FALSE(relation.isTimeDependent());
  const Vector q = makeVector({1., 2., 0.3});
  Vector y(2);
  relation.computeOutput(0., q, Vector(2), y);
  expectNear(y, makeVector({2. - length * std::cos(0.3), 0.}), 1e-15);
  Matrix G(2, 3);
  relation.computeJacobian(0., q, Vector(2), G);
  expectNear(G, makeMatrix({{0., 1., length * std::sin(0.3)}, {1., 0., length * std::cos(0.3)}}), 1e-15);
  EXPECT_NO_THROW(relation.checkJacobians(0., q, 3, {}, "tip"));
}

TEST(LagrangianContactR, WithoutTangentsHasOneRowAContact) {
  LagrangianContactR relation(automatic([](const auto& q, auto& h) {
                                h(0) = q(0);
                                h(1) = 1. - q(0);
                              }),
                              2);
  ASSERT_EQ(relation.size(), 2U);
  Matrix G(2, 1);
  relation.computeJacobian(0., makeVector({0.25}), Vector(2), G);
  expectNear(G, makeMatrix({{1.}, {-1.}}), 0.);
}

TEST(LagrangianContactR, OrdersSeveralContactsOneAfterTheOther) {
  LagrangianContactR relation(
      3, automatic([](const auto& q, auto& h) {
        h(0) = q(2);
        h(1) = 5. - q(2);
      }),
      [](double, const Vector&, Matrix& rows) {
        for (std::size_t k = 0; k < 2; ++k) {
          rows(2 * k, 0) = 1.;
          rows(2 * k + 1, 1) = k == 0 ? 1. : -1.;
        }
      },
      2);
  ASSERT_EQ(relation.size(), 6U);
  Vector y(6);
  const Vector q = makeVector({0., 0., 2.});
  relation.computeOutput(0., q, Vector(6), y);
  expectNear(y, makeVector({2., 0., 0., 3., 0., 0.}), 0.);
  Matrix G(6, 3);
  relation.computeJacobian(0., q, Vector(6), G);
  expectNear(G, makeMatrix({{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., -1.}, {1., 0., 0.}, {0., -1., 0.}}), 0.);
  EXPECT_EQ(Interaction(std::make_shared<NewtonImpactFrictionNSL>(0., 0., 0.3),
                        std::make_shared<LagrangianContactR>(relation))
                .blocks(),
            2U);
}

TEST(LagrangianContactR, HasTheDriftOfAnObstacleInAllRows) {
  LagrangianContactR relation(2, automatic([](const auto& t, const auto& q, auto& h) { h(0) = q(1) - 3. * t; }),
                              [](double, const Vector&, Matrix& rows) { rows(0, 0) = 1.; });
  EXPECT_TRUE(relation.isTimeDependent());
  relation.setTangentialDrift([](double t, const Vector&, Vector& w) { w(0) = -2. * t; });
  Vector drift(2);
  relation.computeDrift(0.5, makeVector({0., 1.}), drift);
  expectNear(drift, makeVector({-3., -1.}), 1e-15);
  EXPECT_NO_THROW(relation.checkJacobians(0.5, makeVector({0., 1.}), 2, {}, "lift"));

  LagrangianContactR belt(2, automatic([](const auto& q, auto& h) { h(0) = q(1); }),
                          [](double, const Vector&, Matrix& rows) { rows(0, 0) = 1.; });
  belt.setTangentialDrift([](double, const Vector&, Vector& w) { w(0) = -2.; });
  EXPECT_TRUE(belt.isTimeDependent());
  belt.computeDrift(0., makeVector({0., 1.}), drift);
  expectNear(drift, makeVector({0., -2.}), 0.);
}

TEST(LagrangianContactR, NamesAWrongJacobianOfTheGap) {
  LagrangianContactR wrong(2,
                           withJacobians([](const Vector& q, Vector& h) { h(0) = q(0) * q(0); },
                                         [](const Vector&, Matrix& byQ) { byQ(0, 0) = 1.; }),
                           [](double, const Vector&, Matrix&) {});
  expectError([&] { wrong.checkJacobians(0., makeVector({3.}), 1, {}, "Interaction 'c'"); },
              {"Interaction 'c'", "gaps", "(0, 0)", "6"});
  LagrangianContactR late(withJacobians([](double t, const Vector& q, Vector& h) { h(0) = q(0) - t * t; },
                                        [](double, const Vector&, Matrix& byQ) { byQ(0, 0) = 1.; },
                                        [](double, const Vector&, Vector& byT) { byT(0) = 0.; }));
  expectError([&] { late.checkJacobians(2., makeVector({3.}), 1, {}, "Interaction 'c'"); }, {"gaps", "respect to t"});
}

TEST(LagrangianContactR, RefusesBadInput) {
  const auto gap = [](const Vector& q, Vector& h) { h(0) = q(0); };
  const auto tangent = [](double, const Vector&, Matrix& rows) { rows(0, 0) = 1.; };
  const auto three = [&] { return LagrangianContactR::Function(differenced(gap)); };
  expectError([&] { LagrangianContactR(1, three(), tangent); }, {"LagrangianContactR", "2 or 3", "got 1"});
  expectError([&] { LagrangianContactR(4, three(), tangent); }, {"2 or 3", "got 4"});
  expectError([&] { LagrangianContactR(three(), 0); }, {"at least 1"});
  expectError([&] { LagrangianContactR(2, three(), nullptr); }, {"T of the tangential rows", "empty"});
  expectError([&] { LagrangianContactR(2, LagrangianContactR::Function(), tangent); }, {"h of the gap", "empty"});
  expectError([&] { LagrangianContactR(three()).setTangentialDrift([](double, const Vector&, Vector&) {}); },
              {"no tangential rows"});
  LagrangianContactR resizing(2, three(), [](double, const Vector&, Matrix& rows) { rows.resize(3, 3); });
  Matrix G(2, 1);
  expectError([&] { resizing.computeJacobian(0., makeVector({1.}), Vector(2), G); },
              {"tangential rows T", "1 x 1", "3 x 3"});
}

}  // namespace
