// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The triangle λ ≥ 0, λ₀ + λ₁ ≤ 2.
NormalConeNSL triangle() {
  return {makeMatrix({{-1., 0.}, {0., -1.}, {1., 1.}}), makeVector({0., 0., 2.})};
}

TEST(NormalConeNSL, HasAnAuxiliaryUnknownForEachFace) {
  const NormalConeNSL law = triangle();
  EXPECT_EQ(law.size(), 2U);
  EXPECT_EQ(law.unknowns(), 5U);
  EXPECT_EQ(law.multipliersInWords(), "multipliers in a polyhedron");
  Vector lower(5), upper(5);
  law.bounds(data(lower), data(upper));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(lower(i), i < 2 ? -infinity : 0.);
    EXPECT_EQ(upper(i), infinity);
  }
}

TEST(NormalConeNSL, AddsASkewBlockAndTheDistancesOfTheFaces) {
  const NormalConeNSL law = triangle();
  Matrix block(5, 5);
  block(0, 0) = 7.;
  law.addBlock(data(block));
  Matrix expected(5, 5);
  expected(0, 0) = 7.;
  for (std::size_t face = 0; face < 3; ++face) {
    for (std::size_t j = 0; j < 2; ++j) {
      expected(j, 2 + face) = law.H()(face, j);
      expected(2 + face, j) = -law.H()(face, j);
    }
  }
  expectNear(block, expected, 0.);
  Vector output = makeVector({1., 1., 1., 1., 1.});
  law.addConstant(data(output));
  expectNear(output, makeVector({1., 1., 1., 1., 3.}), 0.);
}

TEST(NormalConeNSL, RefusesFacesThatAreNone) {
  expectError([] { NormalConeNSL(Matrix(0, 2), Vector(0)); }, {"NormalConeNSL", "H is empty"});
  expectError([] { NormalConeNSL(Matrix(1, 0), Vector(1)); }, {"H is empty"});
  expectError([] { NormalConeNSL(makeMatrix({{1.}, {0.}}), Vector(2)); }, {"row 1 of H is zero"});
  expectError([] { NormalConeNSL(makeMatrix({{1.}}), Vector(2)); }, {"k (one entry a row of H)", "size 1", "size 2"});
  Matrix H = identityMatrix(1);
  H(0, 0) = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { NormalConeNSL(H, Vector(1)); }, {"NormalConeNSL: H", "nan"});
  expectError([] { NormalConeNSL(identityMatrix(1), makeVector({infinity})); }, {"NormalConeNSL: k", "inf"});
}

}  // namespace
