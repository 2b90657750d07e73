// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/FlowFactors.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(FlowFactors, DifferentiatesWhatFeedthroughDoesNotDetermine) {
  const Matrix C = makeMatrix({{1., 0.}, {0., 1.}});
  const Matrix B = makeMatrix({{3., 0.}, {0., 5.}});
  FlowFactors factors;
  // Degree 0.
  ASSERT_TRUE(factors.factor(C, makeMatrix({{2., 0.}, {0., 4.}}), B, {0, 1}));
  EXPECT_EQ(factors.combinations().size1(), 0U);
  EXPECT_FALSE(factors.isDifferentiated(0));
  Vector v = makeVector({2., 4.});
  factors.solve(v);
  EXPECT_EQ(factors.pivots().size(), 2U);
  EXPECT_NEAR(v(0) + v(1), factors.pivots()[0] == 0 ? 2. : 2.5, 1e-15);
  // Degree 1.
  ASSERT_TRUE(factors.factor(C, Matrix(2, 2), B, {0, 1}));
  EXPECT_EQ(factors.combinations().size1(), 2U);
  EXPECT_TRUE(factors.isDifferentiated(0));
  // Both rows see λ₀ + λ₁: their difference is differentiated.
  ASSERT_TRUE(factors.factor(C, makeMatrix({{1., 1.}, {1., 1.}}), B, {0, 1}));
  ASSERT_EQ(factors.combinations().size1(), 1U);
  EXPECT_EQ(factors.combinations()(0, 0), -factors.combinations()(0, 1));
  EXPECT_TRUE(factors.isDifferentiated(0));
  EXPECT_TRUE(factors.isDifferentiated(1));
  // One of them.
  ASSERT_TRUE(factors.factor(C, makeMatrix({{1., 1.}, {1., 1.}}), B, {1}));
  EXPECT_EQ(factors.combinations().size1(), 0U);
  // Neither the output nor its rate sees the multiplier of row 1.
  EXPECT_FALSE(factors.factor(C, Matrix(2, 2), makeMatrix({{3., 0.}, {0., 0.}}), {0, 1}));
  EXPECT_EQ(factors.singularRow(), 1U);
  // Two rows that say the same, of multipliers that act on different states.
  EXPECT_FALSE(factors.factor(makeMatrix({{1., 1.}, {1., 1.}}), Matrix(2, 2), B, {0, 1}));
}

// Two switches in parallel, of which the second one is counted the other way round.
TEST(FlowFactors, LeaveNothingAlongADirectionInWhichMultipliersAreFree) {
  FlowFactors factors;
  const Matrix C = makeMatrix({{1., 1.}, {-2., -2.}}), B = makeMatrix({{1., -2.}, {1., -2.}});
  ASSERT_TRUE(factors.factor(C, Matrix(2, 2), B, {0, 1}));
  ASSERT_EQ(factors.combinations().size1(), 2U);
  const std::size_t free = factors.saysNothing(0) ? 0 : 1;
  EXPECT_TRUE(factors.saysNothing(free));
  EXPECT_FALSE(factors.saysNothing(1 - free));
  // λ₀ − 2 λ₁ is what the state sees.
  EXPECT_NEAR(factors.alongFree(free, makeVector({1., -2.})), 0., 1e-15);
  EXPECT_GT(std::abs(factors.alongFree(free, makeVector({2., 1.}))), 1.);
  EXPECT_EQ(factors.alongFree(1 - free, makeVector({2., 1.})), 0.);
  // The rate that one of both asks for is made by the least multipliers.
  Vector v = makeVector({0., 0.});
  v(1 - free) = 10. * factors.combinations()(1 - free, 0) - 20. * factors.combinations()(1 - free, 1);
  factors.solve(v);
  EXPECT_NEAR(v(0), 1., 1e-14);
  EXPECT_NEAR(v(1), -2., 1e-14);
}

TEST(FlowFactors, TellWhatRoundingOfOutputsMeansForMultipliers) {
  FlowFactors factors;
  ASSERT_TRUE(factors.factor(Matrix(2, 1), makeMatrix({{2e-3, -1e-3}, {-1e-3, 2e-3}}), Matrix(1, 2), {0, 1}));
  Vector terms = makeVector({1., 1.});
  factors.amplify(terms);
  EXPECT_NEAR(terms(0), 1e3, 1e-9);
  EXPECT_NEAR(terms(1), 1e3, 1e-9);
  // Signs do not cancel.
  ASSERT_TRUE(factors.factor(Matrix(2, 1), makeMatrix({{2e-3, 1e-3}, {1e-3, 2e-3}}), Matrix(1, 2), {0, 1}));
  terms = makeVector({1., 1.});
  factors.amplify(terms);
  EXPECT_NEAR(terms(0), 1e3, 1e-9);
}

// The second output is a multiple of the first one, whatever the multipliers are; the third one is independent of both.
TEST(FlowFactors, CombineNoRowsThatRoundingMixes) {
  for (double ratio = 1.1; ratio < 3.; ratio += 0.07) {
    const double a = 0.991835, b = 0.982603;
    const Matrix D =
        makeMatrix({{a, -ratio * a, b}, {-ratio * a, ratio * ratio * a, -ratio * b}, {-b, ratio * b, 0.7}});
    FlowFactors factors;
    factors.factor(Matrix(3, 1), D, Matrix(1, 3), {0, 1, 2});
    ASSERT_EQ(factors.combinations().size1(), 1U) << ratio;
    EXPECT_EQ(factors.combinations()(0, 2), 0.) << ratio;
    EXPECT_NEAR(factors.combinations()(0, 0), ratio * factors.combinations()(0, 1), 1e-13) << ratio;
  }
}

TEST(FlowFactors, HaveARankThatDoesNotDependOnUnits) {
  // D of rank 2, with outputs and multipliers of very different sizes.
  const Matrix C = makeMatrix({{1., 0.3, 0.}, {0., 1., 0.2}, {0.5, 0., 1.}});
  const Matrix D = makeMatrix({{2., 1., 0.1}, {1., 3., 0.3}, {3., 4., 0.4}});
  for (const double unit : {1., 1e9}) {
    Matrix scaledC = C, scaledD = D, scaledB = Matrix(trans(C));
    const double rows[] = {unit, 1., 1. / unit}, columns[] = {1., unit, 1. / unit};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        scaledC(i, j) *= rows[i];
        scaledD(i, j) *= rows[i] * columns[j];
        scaledB(i, j) *= columns[j];
      }
    }
    FlowFactors factors;
    ASSERT_TRUE(factors.factor(scaledC, scaledD, scaledB, {0, 1, 2})) << unit;
    EXPECT_EQ(factors.combinations().size1(), 1U) << unit;
  }
}

}  // namespace
