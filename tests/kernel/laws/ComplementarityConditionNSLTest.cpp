// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <limits>
#include <memory>
#include <string>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(ComplementarityConditionNSL, ConfinesItsMultipliersToTheNonNegative) {
  const ComplementarityConditionNSL law(3);
  EXPECT_EQ(law.size(), 3U);
  EXPECT_EQ(law.unknowns(), 3U);
  EXPECT_TRUE(law.isComplementarity());
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

TEST(ComplementarityConditionNSL, OfACompliantContactIsRefusedWithWhatToTake) {
  const auto start = [](auto law) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
    LagrangianLinearTIR spring(makeMatrix({{1.}}));
    spring.setD(makeMatrix({{1e-3}}));
    auto contact = std::make_shared<Interaction>(law, spring);
    contact->setName("pad");
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    model.link(contact, mass);
    TimeStepping(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP()).initialise();
  };
  expectError([&] { start(ComplementarityConditionNSL(1)); },
              {"'pad'", "compliant", "NewtonImpactNSL(0.)", "setD", "ComplementarityConditionNSL"});
  EXPECT_NO_THROW(start(NewtonImpactNSL(0.)));
}

TEST(Interaction, WithoutANameIsCalledByItsClassAlone) {
  const Interaction contact(NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 1, 1.)));
  try {
    contact.y(3);
    ADD_FAILURE() << "level 3 was given";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("''"), std::string::npos) << error.what();
  }
}

}  // namespace
