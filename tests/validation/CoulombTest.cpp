// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <coulomb/CoulombScenes.hpp>

// The scenes of docs/coulomb.md against their closed forms.

namespace delassus {
namespace {

class Coulomb : public ::testing::TestWithParam<double> {};

TEST_P(Coulomb, EachSceneEndsAsItsClosedFormSays) {
  CoulombScenes yard(GetParam());
  TimeStepping simulation(yard.model, GetParam());
  simulation.setInteractionManager(yard.contacts);
  simulation.run([&] { yard.observe(simulation.time()); });
  for (const CoulombScenes::Evidence& line : yard.evidence()) {
    EXPECT_NEAR(line.found(), line.expected, line.tolerance) << line.scene << ": " << line.quantity;
  }
  EXPECT_EQ(simulation.statistics().relaxed + simulation.statistics().held, 0u);
}

INSTANTIATE_TEST_SUITE_P(Steps, Coulomb, ::testing::Values(2e-3, 1e-3, 5e-4));

}  // namespace
}  // namespace delassus
