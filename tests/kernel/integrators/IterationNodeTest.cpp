// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/IterationNode.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {
namespace {

// A node with W = m + k h² + o, as a scheme uses it: factors are made only where none were kept.
struct Node : IterationNode {
  double k = 3.;
  std::size_t made = 0;

  Node() { W = Matrix(1, 1); }
  // W⁻¹ 1
  double solve(double h, double other = 0.) {
    if (!recall({h, other})) {
      W.dense()(0, 0) = 2. + k * h * h + other;
      EXPECT_TRUE(tryFactor({h, other}));
      ++made;
    }
    Vector x(1, 1.);
    factor.solve(x);
    return x(0);
  }
};

TEST(IterationNode, FactorsOnceForEachOfFourSteps) {
  Node node;
  for (int period = 0; period < 50; ++period) {
    for (const double h : {0.1, 0.03, 0.07, 0.1, 0.2, 0.03}) {
      EXPECT_DOUBLE_EQ(node.solve(h), 1. / (2. + 3. * h * h)) << period;
      EXPECT_DOUBLE_EQ(node.W(0, 0), 2. + 3. * h * h) << "W is that of another step";
    }
  }
  EXPECT_EQ(node.made, 4U);
}

TEST(IterationNode, TellsStepsApartByTheirSecondNumber) {
  Node node;
  for (int period = 0; period < 3; ++period) {
    EXPECT_DOUBLE_EQ(node.solve(0.1, 0.5), 1. / 2.53);
    EXPECT_DOUBLE_EQ(node.solve(0.1, 1.), 1. / 3.03);
  }
  EXPECT_EQ(node.made, 2U);
}

TEST(IterationNode, ForgetsFactorsWhereTheMatricesChange) {
  Node node;
  node.solve(0.1);
  node.solve(0.2);
  node.k = 5.;
  node.forgetFactors();
  EXPECT_FALSE(node.hasFactors());
  for (const double h : {0.2, 0.1}) EXPECT_DOUBLE_EQ(node.solve(h), 1. / (2. + 5. * h * h));
  EXPECT_EQ(node.made, 4U);
}

TEST(IterationNode, ChangesItsVersionWithTheFactors) {
  Node node;
  node.solve(0.1);
  const std::uint64_t version = node.factorVersion;
  node.solve(0.1);
  EXPECT_EQ(node.factorVersion, version);
  node.solve(0.2);
  EXPECT_NE(node.factorVersion, version);
  const std::uint64_t second = node.factorVersion;
  node.solve(0.1);
  EXPECT_NE(node.factorVersion, second) << "those that were kept are others, too";
}

TEST(IterationNode, HasNoFactorsOfASingularMatrix) {
  Node node;
  node.solve(0.1);
  node.W.dense()(0, 0) = 0.;
  EXPECT_FALSE(node.tryFactor({0.1}));
  EXPECT_FALSE(node.hasFactors());
}

// A step of no size finds the initial multipliers of first-order systems: it comes once, and is not kept.
TEST(IterationNode, KeepsNoStepOfSizeZero) {
  Node node;
  EXPECT_DOUBLE_EQ(node.solve(0.), 0.5);
  EXPECT_TRUE(node.isFactored({0.}));
  EXPECT_DOUBLE_EQ(node.solve(0.5), 1. / 2.75);
  EXPECT_FALSE(node.recall({0.}));
  EXPECT_EQ(node.W.size1(), 1U) << "W is to be filled";
}

}  // namespace
}  // namespace delassus
