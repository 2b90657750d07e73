// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <memory>
#include <string>

#include "Heaps.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::test;

// One half of the ranks goes on with what all have left.
TEST(GranularCheckpoint, GoesOnWithAnotherNumberOfRanks) {
  const Ranks ranks;
  const GranularOptions options{.step = 2e-3, .end = 0.2, .margin = 2e-3, .tolerance = 1e-10};
  const auto make = [&](const Ranks& over) {
    auto pile = std::make_unique<GranularSimulation>(over, NewtonImpactFrictionNSL(0., 0., 0.4), options);
    pile->insertObstacle(Plane{});
    return pile;
  };
  const auto whole = make(ranks);
  insertInTurn(*whole, heap(3, 2, false));
  while (whole->time() < 0.0999) whole->step();
  whole->save(scratch(ranks, "pile.checkpoint"));
  while (whole->hasNextStep()) whole->step();
  const std::vector<Grain> expected = whole->gather();

  PartOfRanks part(ranks);
  std::vector<char> takesPart(ranks.size(), 0);
  std::fill_n(takesPart.begin(), (ranks.size() + 1) / 2, 1);
  part.choose(takesPart);
  if (!part.ranks()) return;
  const auto half = make(*part.ranks());
  half->restore(scratch(ranks, "pile.checkpoint"));
  EXPECT_NEAR(half->time(), 0.1, 1e-12);
  EXPECT_EQ(half->stepIndex(), 50U);
  while (half->hasNextStep()) half->step();
  EXPECT_EQ(half->stepIndex(), whole->stepIndex());
  const std::vector<Grain> found = half->gather();
  if (!ranks.isFirst()) return;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(found[k].q(i), expected[k].q(i), 1e-7);
  }
}

TEST(GranularCheckpoint, RefusesThatOfAnotherSimulation) {
  const Ranks ranks;
  GranularSimulation first(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  insertInTurn(first, heap(2, 2, false));
  first.save(scratch(ranks, "first.checkpoint"));
  const auto expectRefused = [&](GranularSimulation& other, const std::string& file, const std::string& what) {
    try {
      other.restore(scratch(ranks, file));
      ADD_FAILURE() << "it was taken";
    } catch (const AgreedError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  GranularSimulation withObstacle(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  withObstacle.insertObstacle(Plane{});
  expectRefused(withObstacle, "first.checkpoint", "it has nothing more, where this one has obstacle of group 0");
  GranularSimulation otherLaw(ranks, NewtonImpactFrictionNSL(0., 0., 0.4));
  expectRefused(otherLaw, "first.checkpoint", "another simulation");
  GranularSimulation same(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  expectRefused(same, "absent.checkpoint", "absent.checkpoint");
  same.restore(scratch(ranks, "first.checkpoint"));
  EXPECT_EQ(same.totals().grains, 8U);
  expectRefused(same, "first.checkpoint", ranks.isFirst() ? "before grains are inserted" : "before grains");
}

}  // namespace
