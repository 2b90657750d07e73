// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <limits>
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
  EXPECT_TRUE(law.isComplementarity());
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

TEST(NonSmoothLaw, SaysInWordsWhatItsMultipliersAre) {
  const auto expectSays = [](const NonSmoothLaw& law, const std::string& part) {
    EXPECT_NE(law.multipliersInWords().find(part), std::string::npos) << law.multipliersInWords();
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expectSays(NewtonImpactNSL(0.5), "(complementarity)");
  expectSays(EqualityConditionNSL(2), "(an equality)");
  expectSays(MixedComplementarityConditionNSL(3, 1), "(mixed complementarity)");
  expectSays(RelayNSL(), "(a box)");
  expectSays(RelayNSL(Vector{0.}, Vector{infinity}), "(complementarity)");
  expectSays(NormalConeNSL(Matrix(1, 1, 1.), Vector{1.}), "in a polyhedron");
  expectSays(NewtonImpactFrictionNSL(0., 0., 0.5), "Coulomb's cone");
  expectSays(NewtonImpactRollingFrictionNSL(0., 0., 0.5, 0.1), "rolling resistance");
}

}  // namespace
