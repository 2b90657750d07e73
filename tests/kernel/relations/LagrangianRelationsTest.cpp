// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(LagrangianScleronomousR, GivesOutputAndJacobian) {
  LagrangianScleronomousR relation(1, automatic([](const auto& q, auto& y) {
                                     using std::cos;
                                     y(0) = q(1) - cos(q(0));
                                   }));
  const Vector q = makeVector({0.3, 2.});
  Vector y(1);
  relation.computeOutput(0., q, Vector(1), y);
  EXPECT_DOUBLE_EQ(y(0), 2. - std::cos(0.3));
  Matrix G(1, 2);
  relation.computeJacobian(0., q, Vector(1), G);
  expectNear(G, makeMatrix({{std::sin(0.3), 1.}}), 1e-15);
  EXPECT_NO_THROW(relation.checkJacobians(0., q, 2, {}, "stop"));
  EXPECT_FALSE(relation.isLinear());
}

TEST(LagrangianScleronomousR, NamesAWrongJacobian) {
  LagrangianScleronomousR relation(1, withJacobians([](const Vector& q, Vector& y) { y(0) = q(0) * q(0); },
                                                    [](const Vector&, Matrix& G) { G(0, 0) = 1.; }));
  expectError([&] { relation.checkJacobians(0., makeVector({3.}), 1, {}, "Interaction 'stop'"); },
              {"Interaction 'stop'", "h with respect to q", "(0, 0)", "6"});
  expectError([] { LagrangianScleronomousR(0, differenced([](const Vector&, Vector&) {})); }, {"at least 1"});
}

TEST(LagrangianRheonomousR, GivesTheDriftOfTheObstacle) {
  LagrangianRheonomousR relation(1, automatic([](const auto& t, const auto& q, auto& y) {
                                   using std::sin;
                                   y(0) = q(0) - sin(2. * t);
                                 }));
  const Vector q = makeVector({0.5});
  Vector drift(1);
  relation.computeDrift(0.4, q, drift);
  EXPECT_DOUBLE_EQ(drift(0), -2. * std::cos(0.8));
  EXPECT_TRUE(relation.isTimeDependent());
  EXPECT_NO_THROW(relation.checkJacobians(0.4, q, 1, {}, "cam"));
  LagrangianRheonomousR wrong(1, withJacobians([](double t, const Vector& x, Vector& y) { y(0) = x(0) - t * t; },
                                               [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                                               [](double, const Vector&, Vector& d) { d(0) = 0.; }));
  expectError([&] { wrong.checkJacobians(0.4, q, 1, {}, "cam"); }, {"cam", "derivative of h with respect to t"});
}

TEST(LagrangianCompliantR, GivesItsCompliance) {
  LagrangianCompliantR relation(
      1, automatic([](const auto& q, const auto& lambda, auto& y) { y(0) = q(0) + 0.25 * lambda(0); }));
  Vector y(1);
  relation.computeOutput(0., makeVector({-1.}), makeVector({4.}), y);
  EXPECT_EQ(y(0), 0.);
  Matrix D(1, 1);
  relation.computeCompliance(0., makeVector({-1.}), makeVector({4.}), D);
  EXPECT_EQ(D(0, 0), 0.25);
  EXPECT_TRUE(relation.isCompliant());
  EXPECT_NO_THROW(relation.checkJacobians(0., makeVector({-1.}), 1, {}, "spring"));
}

TEST(LagrangianCompliantR, AWrongComplianceIsFoundHoweverSmallItIs) {
  LagrangianCompliantR relation(
      1, withJacobians([](const Vector& q, const Vector& l, Vector& y) { y(0) = q(0) + 1e-6 * l(0); },
                       [](const Vector&, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                       [](const Vector&, const Vector&, Matrix& D) { D(0, 0) = -1e-6; }));
  expectError([&] { relation.checkJacobians(0., makeVector({0.5}), 1, {}, "spring"); },
              {"spring", "with respect to lambda", "(0, 0)", "-1e-06"});
}

TEST(LagrangianLinearTIR, AddsAllItsTerms) {
  LagrangianLinearTIR relation(makeMatrix({{1., 2.}, {0., 1.}}), makeVector({0.5, -0.5}));
  relation.setD(diagonalMatrix({0.1, 0.})).setFz(makeMatrix({{1.}, {3.}}), makeVector({2.}));
  Vector y(2);
  relation.computeOutput(0., makeVector({1., 1.}), makeVector({10., 10.}), y);
  expectNear(y, makeVector({3. + 0.5 + 1. + 2., 1. - 0.5 + 6.}), 1e-15);
  const std::size_t changes = relation.parameterChanges();
  relation.setZ(makeVector({0.}));
  EXPECT_GT(relation.parameterChanges(), changes);
  relation.computeOutput(0., makeVector({1., 1.}), makeVector({10., 10.}), y);
  expectNear(y, makeVector({4.5, 0.5}), 1e-15);
}

TEST(LagrangianLinearTIR, TakesItsCompliance) {
  LagrangianLinearTIR relation(makeMatrix({{1., 2.}}), Vector{0.5}, makeMatrix({{0.1}}));
  EXPECT_TRUE(relation.isCompliant());
  Vector y(1);
  relation.computeOutput(0., makeVector({1., 1.}), makeVector({10.}), y);
  EXPECT_DOUBLE_EQ(y(0), 3. + 0.5 + 1.);
  expectError([] { LagrangianLinearTIR(Matrix(1, 2), Vector(1), Matrix(2, 2)); }, {"D", "1 x 1", "2 x 2"});
}

TEST(LagrangianLinearTIR, RefusesMatricesThatDoNotFit) {
  expectError([] { LagrangianLinearTIR(Matrix(0, 2)); }, {"H is empty"});
  expectError([] { LagrangianLinearTIR(Matrix(2, 2), Vector(3)); }, {"b", "size 2", "size 3"});
  LagrangianLinearTIR relation(makeMatrix({{1., 0.}}));
  expectError([&] { relation.setD(identityMatrix(2)); }, {"D", "1 x 1", "2 x 2"});
  expectError([&] { relation.setD(makeMatrix({{-1.}})); }, {"D", "positive"});
  expectError([&] { relation.setFz(Matrix(1, 2), Vector(1)); }, {"F", "1 x 1", "1 x 2"});
  expectError([&] { relation.checkDimensions(3, 3); }, {"2 columns", "3 coordinates"});
}

// y = q₀² − t with nothing but the output overridden.
class OverridingR final : public LagrangianRheonomousR {
 public:
  explicit OverridingR(double driftError = 0.) : LagrangianRheonomousR(1), driftError_(driftError) {}
  void computeOutput(double t, const Vector& q, const Vector&, Vector& y) override { y(0) = q(0) * q(0) - t; }
  void computeDrift(double t, const Vector& q, Vector& drift) override {
    LagrangianRheonomousR::computeDrift(t, q, drift);
    drift(0) += driftError_;
  }

 private:
  double driftError_;
};

TEST(OverriddenRelation, HasDifferencedJacobiansUntilItOverridesThem) {
  OverridingR relation;
  Matrix G(1, 1);
  relation.computeJacobian(2., makeVector({3.}), Vector(1), G);
  EXPECT_NEAR(G(0, 0), 6., 1e-8);
  Vector drift(1);
  relation.computeDrift(2., makeVector({3.}), drift);
  EXPECT_NEAR(drift(0), -1., 1e-8);
  EXPECT_NO_THROW(relation.checkJacobians(2., makeVector({3.}), 1, {}, "mine"));
  expectError([] { OverridingR(0.1).checkJacobians(2., makeVector({3.}), 1, {}, "mine"); },
              {"mine", "derivative of h with respect to t"});
}

TEST(OverriddenRelation, MustOverrideItsOutput) {
  class Empty : public LagrangianScleronomousR {
   public:
    Empty() : LagrangianScleronomousR(1) {}
  } empty;
  Vector y(1);
  expectError([&] { empty.computeOutput(0., Vector(1), Vector(1), y); },
              {"LagrangianScleronomousR", "override computeOutput"});
  expectError([] { LagrangianScleronomousR(1, LagrangianScleronomousR::Function()); }, {"h is empty"});
}

TEST(LagrangianLinearTIR, IsCompliantOnlyWithADThatIsNotZero) {
  LagrangianLinearTIR relation(makeMatrix({{1.}}));
  relation.setD(Matrix(1, 1));
  EXPECT_FALSE(relation.isCompliant());
  const std::size_t changes = relation.parameterChanges();
  relation.setD(makeMatrix({{0.1}}));
  EXPECT_TRUE(relation.isCompliant());
  EXPECT_GT(relation.parameterChanges(), changes);
}

TEST(NewtonImpactNSL, AddsRestitutionTimesTheVelocityBefore) {
  const NewtonImpactNSL law(0.5);
  const double before = -2.;
  double freeOutput = -3.;
  law.addImpactTerm(&before, &freeOutput);
  EXPECT_EQ(freeOutput, -4.);
  EXPECT_TRUE(law.hasRestitution());
  EXPECT_FALSE(NewtonImpactNSL(0.).hasRestitution());
}

TEST(NewtonImpactNSL, RefusesCoefficientsOutsideTheUnitInterval) {
  for (const double e : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    expectError([e] { NewtonImpactNSL law(e); }, {"NewtonImpactNSL", "[0, 1]"});
  }
}

}  // namespace
