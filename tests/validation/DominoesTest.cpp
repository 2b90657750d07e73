// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <dominoes/DominoScene.hpp>

#include "BodiesWorld.hpp"

// The scene of examples/dominoes, beside the angle model that stands in DominoTrain.hpp.

namespace delassus {
namespace {

struct Wave {
  std::vector<double> found, byAngles;  // instants, s
  double rise = 0.;                     // of energy, largest in a step, J
  double push = 0.;                     // energy of the first one at the beginning, J
  double depth = 0., slip = 0.;         // largest, m
};

Wave waveOf(const DominoTrain& train, double h) {
  constexpr std::size_t count = 20;
  DominoScene scene(train, count, 2.);
  TimeStepping simulation(scene.model, h);
  simulation.setInteractionManager(scene.contacts);
  testing::RiseOfEnergy rise(scene.energy());
  Wave wave;
  wave.push = scene.dominoes[0]->kineticEnergy();
  // The last one has nothing to meet.
  while (simulation.hasNextStep() && scene.fallenAt()[count - 2] < 0.) {
    simulation.step();
    scene.observe(simulation.time(), h);
    rise.look(scene.energy());
    for (std::size_t k = 0; k < count; ++k) wave.slip = std::max(wave.slip, std::abs(scene.slipOf(k)));
  }
  wave.found = scene.fallenAt();
  wave.byAngles = train.hits(count);
  wave.rise = rise.largest();
  wave.depth = simulation.statistics().motion.depth.value;
  // Few problems are left above the tolerance by methods that do not cost much.
  EXPECT_LE(simulation.statistics().relaxed, simulation.statistics().steps / 20);
  EXPECT_LE(simulation.statistics().worstError, 1e-5);
  EXPECT_EQ(simulation.statistics().held, 0u);
  return wave;
}

// Rows are otherwise free to slip, to lift off and to rebound: that they do neither is the model's assumption, which
// these dominoes keep, edges to 0.1 mm. Impacts act at ends of steps: instants have errors of order h.
TEST(Dominoes, FallAsTheModelOfAnglesHasThem) {
  for (const double pitch : {0.02, 0.03}) {
    const DominoTrain train{.pitch = pitch};
    constexpr double h = 1e-3;
    const Wave wave = waveOf(train, h);
    ASSERT_EQ(wave.byAngles.size(), 19u);
    for (std::size_t k = 0; k < wave.byAngles.size(); ++k) {
      EXPECT_NEAR(wave.found[k], wave.byAngles[k], 3. * h) << pitch << ' ' << k;
      if (k == 0) continue;
      // 0.6 % is seen, of errors of order h at both ends.
      const double interval = wave.byAngles[k] - wave.byAngles[k - 1];
      EXPECT_NEAR(wave.found[k] - wave.found[k - 1], interval, 0.01 * interval) << pitch << ' ' << k;
    }
    EXPECT_LT(wave.slip, 1e-4);
    EXPECT_LT(wave.rise, 1e-6 * wave.push);
    EXPECT_LT(wave.depth, 1e-3 * train.thickness);  // nothing goes through anything
  }
}

// The wave forgets how it began.
TEST(Dominoes, RunWithASpeedThatDoesNotDependOnThePush) {
  const Wave weak = waveOf({.pitch = 0.03, .push = 5.}, 1e-3), strong = waveOf({.pitch = 0.03, .push = 12.}, 1e-3);
  ASSERT_GT(weak.found[18], 0.);
  ASSERT_GT(strong.found[18], 0.);
  const auto lastInterval = [](const Wave& wave) { return wave.found[18] - wave.found[17]; };
  // Impacts fall into other parts of steps: to 1 %, as beside the model.
  EXPECT_NEAR(lastInterval(weak) / lastInterval(strong), 1., 0.01);
}

// Lengths times four, times twice: the laws of the motion know no length, and no number in the library may bring one
// in. Steps are similar, too, so that errors of order h are the same in both runs. What is left are the errors of the
// solver, since the width, which the motion does not know, stays as it is: in a step 1e-8 of the norm of the free
// velocities, which has some hundred points and so is ten times that of one. In 600 steps 1e-7 adds up to 6e-5.
TEST(Dominoes, RunTwiceAsFastWhereTheyAreFourTimesAsLarge) {
  const DominoTrain small{.pitch = 0.03};
  DominoTrain large = small;
  for (double* const length : {&large.height, &large.thickness, &large.pitch}) *length *= 4.;
  large.push /= 2.;
  const Wave fast = waveOf(small, 1e-3), slow = waveOf(large, 2e-3);
  for (std::size_t k = 0; k + 1 < fast.found.size(); ++k) {
    ASSERT_GT(fast.found[k], 0.) << k;
    EXPECT_NEAR(slow.found[k] / fast.found[k], 2., 2. * 1e-4) << k;
  }
}

}  // namespace
}  // namespace delassus
