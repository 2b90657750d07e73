// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(EqualityConditionNSL, LeavesItsMultipliersFree) {
  const EqualityConditionNSL law(2);
  EXPECT_EQ(law.size(), 2U);
  EXPECT_TRUE(law.set()->isFree());
  Vector lower(2), upper(2);
  law.bounds(data(lower), data(upper));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(lower(i), -infinity);
    EXPECT_EQ(upper(i), infinity);
  }
  EXPECT_EQ(EqualityConditionNSL().size(), 1U);
  expectError([] { EqualityConditionNSL(0); }, {"EqualityConditionNSL", "at least 1"});
}

TEST(MixedComplementarityConditionNSL, HasItsEqualitiesFirst) {
  const MixedComplementarityConditionNSL law(3, 1);
  EXPECT_EQ(law.size(), 3U);
  EXPECT_EQ(law.equalities(), 1U);
  EXPECT_TRUE(law.isMixedComplementarity());
  EXPECT_FALSE(law.isComplementarity());
  Vector lower(3), upper(3);
  law.bounds(data(lower), data(upper));
  EXPECT_EQ(lower(0), -infinity);
  EXPECT_EQ(lower(1), 0.);
  EXPECT_EQ(lower(2), 0.);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(upper(i), infinity);
}

TEST(MixedComplementarityConditionNSL, MayHaveOneKindOnlyButNotNone) {
  EXPECT_EQ(MixedComplementarityConditionNSL(2, 2).size(), 2U);
  EXPECT_EQ(MixedComplementarityConditionNSL(3, 0).equalities(), 0U);
  expectError([] { MixedComplementarityConditionNSL(0, 0); }, {"MixedComplementarityConditionNSL", "at least one row"});
  expectError([] { MixedComplementarityConditionNSL(1, 2); }, {"1 rows with 2 equalities"});
}

}  // namespace
