// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <limits>
#include <validation/FrictionModels.hpp>

// A block that rocks on its two feet, which stick, until it stands: its impacts accumulate, and each changes the foot.

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(RockingEvents, ABlockComesToStandWhateverTheFriction) {
  for (const double mu : {0.6, 0.9, 1.2, 1.6, 2.}) {
    for (const double slenderness : {2., 3., 4.}) {
      const double halfHeight = slenderness * RockingBlock::halfWidth;
      RockingBlock rocking(halfHeight, mu);
      EventDriven simulation(rocking.model, TimeDiscretisation(0., 0.02), FrictionContact(2));
      double last = std::numeric_limits<double>::infinity();
      ASSERT_NO_THROW(simulation.run([&] {
        for (const auto& foot : rocking.feet) EXPECT_GE(foot->y(0)(0), -1e-10);
        const double now = rocking.energy(halfHeight);
        EXPECT_LE(now, last + 1e-8);
        last = now;
      })) << mu
          << ", " << slenderness;
      // It stands on both feet, which share its weight.
      EXPECT_NEAR(rocking.block->q()(2), 0., 1e-9) << mu << ", " << slenderness;
      EXPECT_NEAR(rocking.block->velocity()(2), 0., 1e-12);
      EXPECT_NEAR(rocking.feet[0]->lambda(0)(0) + rocking.feet[1]->lambda(0)(0), g, 1e-8);
      EXPECT_LT(simulation.events().size(), 3000u);
    }
  }
}

}  // namespace
