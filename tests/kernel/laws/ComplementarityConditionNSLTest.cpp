// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(ComplementarityConditionNSL, ConfinesItsMultipliersToTheNonNegative) {
  const ComplementarityConditionNSL law(3);
  EXPECT_EQ(law.size(), 3U);
  EXPECT_EQ(law.unknowns(), 3U);
  EXPECT_EQ(law.multiplierSet(), MultiplierSet::nonNegative);
  Vector lower(3, -7.), upper(3, -7.);
  law.bounds(data(lower), data(upper));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lower(i), 0.);
    EXPECT_EQ(upper(i), std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(ComplementarityConditionNSL().size(), 1U);
}

TEST(ComplementarityConditionNSL, AddsNothingToTheProblemAndHasNoImpactRule) {
  const ComplementarityConditionNSL law(2);
  Matrix block(2, 2, 5.);
  Vector output(2, 3.);
  const Vector velocity(2, 11.);
  law.addBlock(data(block));
  law.addConstant(data(output));
  law.addImpactTerm(data(velocity), data(output));
  expectNear(block, Matrix(2, 2, 5.), 0.);
  expectNear(output, Vector(2, 3.), 0.);
  EXPECT_FALSE(law.actsOnVelocities());
  EXPECT_FALSE(law.hasRestitution());
}

TEST(ComplementarityConditionNSL, RefusesToHaveNoRow) {
  expectError([] { ComplementarityConditionNSL(0); }, {"ComplementarityConditionNSL", "at least 1"});
}

}  // namespace
