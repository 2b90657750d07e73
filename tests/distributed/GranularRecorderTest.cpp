// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/distributed/GranularRecorder.hpp>
#include <delassus/kernel/io/VtkPolyData.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <string>

#include "Heaps.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::test;

TEST(GranularRecorder, NeedsNumbersOnce) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  // On one rank two, on several from two of them.
  if (ranks.rank() == 0) pile.insert(Grain::ball(0, 0.05, 1000., {0., 0., 0.}));
  if (ranks.rank() + 1 == ranks.size()) pile.insert(Grain::ball(0, 0.05, 1000., {1., 0., 0.}));
  GranularRecorder recorder(scratch(ranks, "twice.h5"));
  EXPECT_THROW(recorder.record(pile), AgreedError);
}

TEST(GranularRecorder, NeedsNumbersWithoutGaps) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  for (std::uint64_t k = ranks.rank(); k < 8; k += ranks.size()) {
    pile.insert(Grain::ball(2 * k, 0.05, 1000., {static_cast<double>(k), 0., 0.}));
  }
  GranularRecorder recorder(scratch(ranks, "gaps.h5"));
  EXPECT_THROW(recorder.record(pile), AgreedError);
}

TEST(GranularRecorder, LeavesFilesOfOthersAsTheyAre) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  insertInTurn(pile, heap(2, 2, false));
  const std::filesystem::path path = scratch(ranks, "letter.h5");
  ranks.onFirst([&] { writeWhole(path, "a letter, no recording"); });
  try {
    GranularRecorder(path).record(pile);
    ADD_FAILURE() << "it was overwritten";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what()).find("letter.h5': it is no HDF5 file"), std::string::npos) << error.what();
  }
  EXPECT_EQ(std::filesystem::file_size(path), 22U);
}

}  // namespace
