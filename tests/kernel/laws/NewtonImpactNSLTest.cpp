// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <limits>
#include <set>
#include <string>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(NewtonImpactNSL, AddsTheReboundToTheFreeVelocity) {
  const NewtonImpactNSL law(0.5);
  const double before = -4.;
  double output = 1.;
  law.addImpactTerm(&before, &output);
  EXPECT_EQ(output, -1.);
  EXPECT_EQ(law.e(), 0.5);
  EXPECT_EQ(law.size(), 1U);
  EXPECT_EQ(law.multiplierSet(), MultiplierSet::nonNegative);
  EXPECT_TRUE(law.actsOnVelocities());
  EXPECT_TRUE(law.hasRestitution());
  EXPECT_FALSE(NewtonImpactNSL(0.).hasRestitution());
}

TEST(NewtonImpactNSL, RefusesCoefficientsOutsideOfZeroToOne) {
  EXPECT_NO_THROW(NewtonImpactNSL(1.));
  for (const double e : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    expectError([&] { NewtonImpactNSL law(e); }, {"NewtonImpactNSL", "in [0, 1]"});
  }
}

TEST(MultiplierSet, HasAnotherNameForEach) {
  std::set<std::string> names;
  for (const MultiplierSet set : {MultiplierSet::nonNegative, MultiplierSet::free, MultiplierSet::mixed,
                                  MultiplierSet::box, MultiplierSet::polyhedron, MultiplierSet::coulombCone}) {
    names.insert(std::string(toString(set)));
  }
  EXPECT_EQ(names.size(), 6U);
}

}  // namespace
