// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/contact/JordanAlgebra.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::array<double, 3> randomInside(Generator& generator, std::size_t d, double margin) {
  const Vector v = randomVector(generator, 3);
  std::array<double, 3> x{0., v(1), d == 3 ? v(2) : 0.};
  x[0] = std::hypot(x[1], x[2]) * (1. + margin) + margin;
  return x;
}

TEST(JordanAlgebra, JordanDivisionUndoesTheProduct) {
  Generator generator(1);
  for (const std::size_t d : {2U, 3U}) {
    for (int k = 0; k < 100; ++k) {
      const auto x = randomInside(generator, d, 0.1);
      const Vector y = randomVector(generator, 3);
      std::array<double, 3> product{}, back{};
      jordanProduct(d, x.data(), data(y), product.data());
      jordanDivide(d, x.data(), product.data(), back.data());
      for (std::size_t i = 0; i < d; ++i) EXPECT_NEAR(back[i], y(i), 1e-12);
    }
  }
}

TEST(JordanAlgebra, StepsEndOnTheBoundary) {
  Generator generator(2);
  for (const std::size_t d : {2U, 3U}) {
    for (int k = 0; k < 1000; ++k) {
      const auto x = randomInside(generator, d, 0.1);
      const Vector dx = randomVector(generator, 3);
      const double step = stepToBoundary(d, x.data(), data(dx));
      std::array<double, 3> inside{}, end{};
      const bool unbounded = std::isinf(step);
      for (std::size_t i = 0; i < d; ++i) {
        inside[i] = x[i] + (unbounded ? 1e3 : 0.999 * step) * dx(i);
        end[i] = x[i] + (unbounded ? 0. : step) * dx(i);
      }
      EXPECT_GT(inside[0], std::hypot(inside[1], inside[2]));
      if (unbounded) continue;
      EXPECT_NEAR(end[0], std::hypot(end[1], end[2]), 1e-9 * (1. + step));
    }
  }
}

TEST(JordanAlgebra, NesterovToddScalingMeetsItsTwoEquations) {
  Generator generator(3);
  for (const std::size_t d : {2U, 3U}) {
    for (const double margin : {1., 1e-3}) {
      for (int k = 0; k < 100; ++k) {
        const auto x = randomInside(generator, d, margin);
        const auto y = randomInside(generator, d, margin);
        NesterovTodd scaling;
        scaling.compute(d, x.data(), y.data());
        for (std::size_t i = 0; i < d; ++i) {
          double fromX = 0., fromY = 0., unit = 0.;
          for (std::size_t j = 0; j < d; ++j) {
            fromX += scaling.G[i + d * j] * x[j];
            fromY += scaling.inverse[i + d * j] * y[j];
            unit += scaling.G[i + d * j] * scaling.inverse[j];
            EXPECT_EQ(scaling.G[i + d * j], scaling.G[j + d * i]);
          }
          // Near the boundary the determinants lose digits in proportion to the margin.
          EXPECT_NEAR(fromX, scaling.scaled[i], 1e-12 / margin);
          EXPECT_NEAR(fromY, scaling.scaled[i], 1e-12 / margin);
          EXPECT_NEAR(unit, i == 0 ? 1. : 0., 1e-12 / margin);
        }
      }
    }
  }
}

}  // namespace
