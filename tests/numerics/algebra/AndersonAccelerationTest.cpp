// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/algebra/AndersonAcceleration.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace {

using namespace delassus;

// x_i := a_i x_i + 1, whose fixed points are 1/(1 − a_i).
Vector iterate(const Vector& rates, const Vector& x) {
  Vector g(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) g(i) = rates(i) * x(i) + 1.;
  return g;
}

double distance(const Vector& rates, const Vector& x) {
  double largest = 0.;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x(i) - 1. / (1. - rates(i))));
  return largest;
}

TEST(AndersonAcceleration, SolvesALinearIterationInAsManyStepsAsItHasRates) {
  const Vector rates = makeVector({0.9, 0.5, 0.1, 0.99});
  AndersonAcceleration acceleration(5);
  acceleration.begin(4);
  Vector x(4);
  for (int k = 0; k < 8; ++k) {
    Vector g = iterate(rates, x);
    acceleration.accelerate(x, g);
    x = g;
  }
  // The plain iteration still is 100 · 0.99⁸ = 92 away. The regularisation leaves some 1e-5 of the first error.
  EXPECT_LT(distance(rates, x), 1e-2);
}

TEST(AndersonAcceleration, WithoutMemoryIsThePlainIteration) {
  AndersonAcceleration acceleration(0);
  acceleration.begin(1);
  Vector g = makeVector({3.});
  EXPECT_FALSE(acceleration.accelerate(makeVector({1.}), g));
  EXPECT_EQ(g(0), 3.);
}

TEST(AndersonAcceleration, ForgetsWhenTheResidualGrows) {
  AndersonAcceleration acceleration(3);
  acceleration.begin(1);
  Vector g = makeVector({1.});
  EXPECT_FALSE(acceleration.accelerate(makeVector({0.}), g));
  g = makeVector({100.});
  EXPECT_FALSE(acceleration.accelerate(makeVector({1.}), g));
  EXPECT_EQ(g(0), 100.);
}

}  // namespace
