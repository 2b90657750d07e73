// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/FactorsByStep.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {
namespace {

// A node with W = m + k h², as a scheme uses it: factors are made only where none were kept. Gives W⁻¹ 1.
struct Node {
  double k = 3.;
  double present = 0.;
  SquareMatrix W = Matrix(1, 1);
  SquareFactorization factor;
  FactorsByStep<SquareMatrix, SquareFactorization> factors;
  std::size_t made = 0;

  double solve(double h) {
    if (present != h && !factors.exchange(h, present, W, factor)) {
      W.dense()(0, 0) = 2. + k * h * h;
      factor.factor(W, "W");
      present = h;
      ++made;
    }
    Vector x(1, 1.);
    factor.solve(x);
    return x(0);
  }
};

TEST(FactorsByStep, AreMadeOnceForEachOfFourSizes) {
  Node node;
  for (int period = 0; period < 50; ++period) {
    for (const double h : {0.1, 0.03, 0.07, 0.1, 0.2, 0.03}) {
      EXPECT_DOUBLE_EQ(node.solve(h), 1. / (2. + 3. * h * h)) << period;
      EXPECT_DOUBLE_EQ(node.W(0, 0), 2. + 3. * h * h) << "W is that of another step";
    }
  }
  EXPECT_EQ(node.made, 4U);
}

TEST(FactorsByStep, AreForgottenWhereTheMatricesChange) {
  Node node;
  node.solve(0.1);
  node.solve(0.2);
  node.k = 5.;
  node.present = 0.;
  node.factors.clear();
  for (const double h : {0.2, 0.1}) EXPECT_DOUBLE_EQ(node.solve(h), 1. / (2. + 5. * h * h));
  EXPECT_EQ(node.made, 4U);
}

// A step of no size finds the initial multipliers of first-order systems: it is kept by nothing and finds nothing.
TEST(FactorsByStep, KnowNoStepOfSizeZero) {
  Node node;
  node.present = -1.;
  double present = -1.;
  EXPECT_FALSE(node.factors.exchange(0., present, node.W, node.factor));
  EXPECT_EQ(node.W.size1(), 1U) << "W is to be filled";
  node.present = 0.;
  EXPECT_DOUBLE_EQ(node.solve(0.5), 1. / 2.75);
  EXPECT_FALSE(node.factors.exchange(0., node.present, node.W, node.factor));
}

}  // namespace
}  // namespace delassus
