// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace delassus::test {

using distributed::Grain;
using distributed::GranularSimulation;
using distributed::Ranks;

// A heap of grains on a grid that is a little disturbed, balls and boxes.
inline std::vector<Grain> heap(std::size_t across, std::size_t layers, bool hasBoxes) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> jitter(-0.004, 0.004);
  std::vector<Grain> grains;
  for (std::size_t k = 0; k < across * across * layers; ++k) {
    const auto place = [&](std::size_t i) { return 0.105 * (0.5 + static_cast<double>(i)) + jitter(random); };
    const Vector3 x{place(k % across), place(k / across % across), place(k / (across * across))};
    grains.push_back(hasBoxes && k % 3 == 0 ? Grain::box(k, 0.07, 0.08, 0.06, 2500., x)
                                            : Grain::ball(k, 0.05, 2500., x));
  }
  return grains;
}

// Grains given by the ranks in turn.
inline void insertInTurn(GranularSimulation& pile, const std::vector<Grain>& grains) {
  for (std::size_t k = pile.ranks().rank(); k < grains.size(); k += pile.ranks().size()) pile.insert(grains[k]);
}

// Without grains and ground, in steps of 2 ms.
inline GranularSimulation emptyPile(const Ranks& ranks) {
  return GranularSimulation(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.step = 2e-3, .margin = 2e-3});
}

// Steps of which each is given to `write`, and a checkpoint after the second.
template <class Write>
void runAndWrite(GranularSimulation& pile, int steps, const std::filesystem::path& checkpoint, const Write& write) {
  for (int step = 0; step < steps; ++step) {
    pile.step();
    write(pile);
    if (step == 1) pile.save(checkpoint);
  }
}

// Of these tests on so many ranks.
inline std::filesystem::path scratch(const Ranks& ranks, const std::string& name) {
  return std::filesystem::path("granular_" + std::to_string(ranks.size())) / name;
}

}  // namespace delassus::test
