// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Log.hpp>
#include <string>
#include <support/RandomScenes.hpp>

// Small random scenes, judged by the audit of their motion.
namespace delassus::test {
namespace {

class RandomMotion : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomMotion, KeepsPositionsLoadsAndEnergies) {
  RandomScene scene(GetParam());
  SCOPED_TRACE(scene.name);
  Log::setTerminal(LogLevel::none);
  const std::size_t warnings = Log::count(LogLevel::warning);
  TimeStepping simulation(*scene.model, TimeDiscretisation(0., scene.h), MoreauJeanOSI());
  simulation.setInteractionManager(scene.manager);
  simulation.run();
  Log::setTerminal(LogLevel::warning);
  const MotionAuditOptions limits;
  const MotionAudit::Report& motion = simulation.statistics().motion;
  // Boxes that tumble, and links of a chain that fall, by about their size in a step are beyond what the step resolves:
  // corners meet that were not near when contacts were found, and joints turn by a large angle. The run says so.
  const std::string kind = scene.kind();
  const bool isUnresolved = (kind == "falling boxes" || kind == "chain") && scene.h >= 2e-3;
  if (isUnresolved && Log::count(LogLevel::warning) > warnings) return;
  EXPECT_LE(motion.givenEnergy, limits.energy * motion.largestEnergy);
  EXPECT_LE(motion.depth.relative, limits.depth) << motion.summary();
  EXPECT_LE(motion.lostLoad.relative, limits.lostLoad) << motion.summary();
  EXPECT_LE(motion.drift.relative, limits.drift) << motion.summary();
}

INSTANTIATE_TEST_SUITE_P(Scenes, RandomMotion, ::testing::Range(0u, 200u));

}  // namespace
}  // namespace delassus::test
