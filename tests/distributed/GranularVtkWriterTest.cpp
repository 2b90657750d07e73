// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/distributed/GranularVtkWriter.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "Heaps.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::test;

TEST(GranularVtkWriter, ListsThePiecesOfAllRanks) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.margin = 2e-3});
  insertInTurn(pile, heap(2, 2, true));
  const std::filesystem::path folder = scratch(ranks, "vtk");
  ranks.onFirst([&] { std::filesystem::remove_all(folder); });
  GranularVtkWriter writer(folder);
  for (int frame = 0; frame < 3; ++frame) {
    pile.step();
    writer.write(pile);
  }
  const auto textOf = [&](const std::string& name) {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string list = textOf("grains.pvd"), frame = textOf("frames/grains_000003.pvtp");
  for (const char* const name : {"grains_000001.pvtp", "grains_000002.pvtp", "grains_000003.pvtp"}) {
    EXPECT_NE(list.find(name), std::string::npos) << list;
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::string piece = "grains_000003_" + std::to_string(rank) + ".vtp";
    EXPECT_NE(frame.find("<Piece Source=\"" + piece + "\"/>"), std::string::npos) << frame;
    EXPECT_TRUE(std::filesystem::exists(folder / "frames" / piece));
  }
}

TEST(GranularVtkWriter, KeepsTheFramesOfTheRunThatItGoesOnWithAlone) {
  const Ranks ranks;
  const std::filesystem::path folder = scratch(ranks, "frames"), file = scratch(ranks, "frames.checkpoint");
  ranks.onFirst([&] { std::filesystem::remove_all(folder); });
  const auto frames = [&] {
    std::ifstream list(folder / "grains.pvd");
    std::vector<double> times;
    for (std::string line; std::getline(list, line);) {
      const std::string begin = "<DataSet timestep=\"";
      if (line.starts_with(begin)) times.push_back(std::stod(line.substr(begin.size())));
    }
    return times;
  };
  const auto expectFrames = [&](const std::vector<double>& expected) {
    const std::vector<double> found = frames();
    ranks.any(false);  // Nobody writes before all have read.
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
  };
  const auto run = [&](GranularSimulation& pile, int steps) {
    GranularVtkWriter writer(folder);
    runAndWrite(pile, steps, file, [&](const GranularSimulation& at) { writer.write(at); });
  };
  auto first = emptyPile(ranks);
  insertInTurn(first, heap(2, 2, false));
  run(first, 4);
  expectFrames({0.002, 0.004, 0.006, 0.008});
  auto again = emptyPile(ranks);
  again.restore(file);
  again.step();
  run(again, 1);
  expectFrames({0.002, 0.004, 0.008});
  auto other = emptyPile(ranks);
  insertInTurn(other, heap(2, 2, false));
  for (int step = 0; step < 4; ++step) other.step();
  run(other, 1);
  expectFrames({0.01});
}

}  // namespace
