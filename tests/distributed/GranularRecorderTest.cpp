// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/distributed/GranularRecorder.hpp>
#include <delassus/kernel/io/VtkPolyData.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <set>
#include <string>
#include <vector>

#include "Heaps.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::test;

void expectRefused(GranularRecorder& recorder, const GranularSimulation& pile, const char* why) {
  try {
    recorder.record(pile);
    ADD_FAILURE() << "it was recorded";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(GranularRecorder, NeedsNumbersOnce) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  // On one rank two, on several from two of them.
  if (ranks.rank() == 0) pile.insert(Grain::ball(0, 0.05, 1000., {0., 0., 0.}));
  if (ranks.rank() + 1 == ranks.size()) pile.insert(Grain::ball(0, 0.05, 1000., {1., 0., 0.}));
  GranularRecorder recorder(scratch(ranks, "twice.h5"));
  expectRefused(recorder, pile, "two grains have the number 0");
}

TEST(GranularRecorder, NeedsNumbersWithoutGaps) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  for (std::uint64_t k = ranks.rank(); k < 8; k += ranks.size()) {
    pile.insert(Grain::ball(2 * k, 0.05, 1000., {static_cast<double>(k), 0., 0.}));
  }
  GranularRecorder recorder(scratch(ranks, "gaps.h5"));
  expectRefused(recorder, pile, "number them 0, 1, …");
}

TEST(GranularRecorder, LeavesFilesOfOthersAsTheyAre) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  insertInTurn(pile, heap(2, 2, false));
  const std::filesystem::path path = scratch(ranks, "letter.h5");
  ranks.onFirst([&] { writeWhole(path, "a letter, no recording"); });
  GranularRecorder recorder(path);
  expectRefused(recorder, pile, "letter.h5: there is a file of this name that is no list of recorded steps");
  EXPECT_EQ(std::filesystem::file_size(path), 22U);
}

TEST(GranularRecorder, KeepsTheStepsOfTheRunThatItGoesOnWithAlone) {
  const Ranks ranks;
  const std::filesystem::path list = scratch(ranks, "kept.h5"), folder = scratch(ranks, "kept.h5.steps"),
                              checkpoint = scratch(ranks, "kept.checkpoint");
  ranks.onFirst([&] {
    std::filesystem::remove(list);
    std::filesystem::remove_all(folder);
  });
  const auto expectSteps = [&](const std::set<std::size_t>& expected) {
    ranks.onFirst([&] { EXPECT_EQ(StepList::stepsIn(list), expected); });
  };
  const auto run = [&](GranularSimulation& pile, int steps) {
    GranularRecorder recorder(list);
    runAndWrite(pile, steps, checkpoint, [&](const GranularSimulation& at) { recorder.record(at); });
  };
  auto first = emptyPile(ranks);
  insertInTurn(first, heap(2, 2, false));
  run(first, 4);
  expectSteps({1, 2, 3, 4});
  // What a run that was killed while it wrote has left.
  ranks.onFirst([&] { writeWhole(folder / "000003.h5.part", "no step"); });
  auto again = emptyPile(ranks);
  again.restore(checkpoint);
  run(again, 1);
  expectSteps({1, 2, 3});
  EXPECT_FALSE(std::filesystem::exists(folder / "000003.h5.part"));
  // As the first run had it, but for the reactions it began with.
  const std::vector<Grain> all = again.gather();
  ranks.onFirst([&] {
    const std::string content = numerics::readContent(folder / "000003.h5");
    const std::vector<double> q = numerics::hdf5::Reader(content, "step 3").reals("/q");
    ASSERT_EQ(q.size(), 7 * all.size());
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_EQ(q[k], all[k / 7].q(k % 7));
  });
  auto other = emptyPile(ranks);
  insertInTurn(other, heap(2, 2, false));
  for (int step = 0; step < 2; ++step) other.step();
  run(other, 1);
  expectSteps({3});
}

}  // namespace
