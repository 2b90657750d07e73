// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/BroadPhase.hpp>
#include <random>
#include <set>

namespace delassus {
namespace {

Bounds randomBounds(std::mt19937& random) {
  std::uniform_real_distribution<double> place(0., 10.), width(0.2, 1.5);
  Bounds bounds;
  for (std::size_t k = 0; k < 3; ++k) {
    bounds.lower[k] = place(random);
    bounds.upper[k] = bounds.lower[k] + width(random);
  }
  return bounds;
}

// Members with bounds, and what the broad phase must say of them.
struct Cloud {
  struct Member {
    Bounds bounds;
    bool fixed;
    bool removed = false;
  };
  std::vector<Member> members;
  BroadPhase broadPhase;
  std::set<MemberPair> pairs;

  void insert(const Bounds& bounds, bool fixed) {
    broadPhase.insert(static_cast<std::uint32_t>(members.size()), bounds, fixed);
    members.push_back({bounds, fixed});
  }
  void move(std::uint32_t member, const Bounds& bounds) {
    broadPhase.move(member, bounds);
    members[member].bounds = bounds;
  }
  void remove(std::uint32_t member) {
    broadPhase.remove(member);
    members[member].removed = true;
  }
  std::set<MemberPair> bruteForce() const {
    std::set<MemberPair> all;
    for (std::uint32_t j = 0; j < members.size(); ++j) {
      for (std::uint32_t i = 0; i < j; ++i) {
        if (members[i].removed || members[j].removed || (members[i].fixed && members[j].fixed)) continue;
        if (members[i].bounds.overlaps(members[j].bounds)) all.insert({i, j});
      }
    }
    return all;
  }
  void update() {
    std::vector<MemberPair> begun, ended;
    broadPhase.update(begun, ended);
    EXPECT_TRUE(std::is_sorted(begun.begin(), begun.end()));
    EXPECT_TRUE(std::is_sorted(ended.begin(), ended.end()));
    for (const MemberPair& pair : ended) EXPECT_EQ(pairs.erase(pair), 1u) << pair.first << ' ' << pair.second;
    for (const MemberPair& pair : begun) EXPECT_TRUE(pairs.insert(pair).second) << pair.first << ' ' << pair.second;
  }
};

TEST(BroadPhase, FindsThePairsOfBruteForceWhileMembersMove) {
  std::mt19937 random(1);
  Cloud cloud;
  for (int k = 0; k < 300; ++k) cloud.insert(randomBounds(random), k % 10 == 0);
  std::uniform_int_distribution<std::uint32_t> any(0, 299);
  for (int step = 0; step < 60; ++step) {
    // Rests between, so that members that stay become "sleeping" ones of the trees.
    if (step % 5 != 0) {
      for (int k = 0; k < 40; ++k) {
        const std::uint32_t member = any(random);
        if (!cloud.members[member].fixed) cloud.move(member, randomBounds(random));
      }
    }
    cloud.update();
    ASSERT_EQ(cloud.pairs, cloud.bruteForce()) << "step " << step;
  }
}

TEST(BroadPhase, TakesMembersInAndOutWhileItRuns) {
  std::mt19937 random(2);
  Cloud cloud;
  for (int k = 0; k < 100; ++k) cloud.insert(randomBounds(random), false);
  cloud.update();
  std::uint32_t oldest = 0;
  for (int step = 0; step < 30; ++step) {
    for (int k = 0; k < 3; ++k) cloud.remove(oldest++);
    for (int k = 0; k < 4; ++k) cloud.insert(randomBounds(random), k == 0);
    cloud.move(oldest + 20, randomBounds(random));
    cloud.update();
    ASSERT_EQ(cloud.pairs, cloud.bruteForce()) << "step " << step;
  }
}

TEST(BroadPhase, SaysNothingOfAPairThatComesAndGoesBetweenTwoUpdates) {
  Cloud cloud;
  cloud.insert({{0., 0., 0.}, {1., 1., 1.}}, false);
  cloud.insert({{3., 0., 0.}, {4., 1., 1.}}, false);
  cloud.update();
  cloud.move(1, {{0.5, 0., 0.}, {1.5, 1., 1.}});
  cloud.move(1, {{3., 0., 0.}, {4., 1., 1.}});
  std::vector<MemberPair> begun, ended;
  cloud.broadPhase.update(begun, ended);
  EXPECT_TRUE(begun.empty());
  EXPECT_TRUE(ended.empty());
}

}  // namespace
}  // namespace delassus
