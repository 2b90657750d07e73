// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <string>

#include "NetlistMutator.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(NetlistFuzz, MutatedNetlistsAreReadOrRefusedWithALine) {
  NetlistMutator mutator(39);
  std::size_t read = 0, refused = 0;
  const std::size_t count = fuzzCount(3000);
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text = mutator.next();
    const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    try {
      const NetlistDocument document = NetlistDocument::fromString(text, "fuzzed.cir");
      document.netlist(document.runs() - 1);
      ++read;
    } catch (const NetlistError& error) {
      ++refused;
      ASSERT_GE(error.place().line, 1U) << error.what() << "\n" << text;
      ASSERT_LE(error.place().line, lines) << error.what() << "\n" << text;
    }
  }
  // Both happen often, or the test would not say much.
  EXPECT_GT(read, count / 20);
  EXPECT_GT(refused, count / 3);
  if (count > 3000) std::printf("%zu read, %zu refused\n", read, refused);
}

TEST(NetlistFuzz, TruncatedNetlistsAreReadOrRefusedWithALine) {
  for (const std::string& seed : netlistSeeds()) {
    for (std::size_t length = 0; length <= seed.size(); ++length) {
      try {
        parseNetlist(seed.substr(0, length));
      } catch (const NetlistError& error) {
        ASSERT_GE(error.place().line, 1U) << error.what();
      }
    }
  }
}

TEST(NetlistFuzz, SeedsAreRead) {
  for (const std::string& seed : netlistSeeds()) EXPECT_GT(parseNetlist(seed).elements.size(), 5U);
}

}  // namespace
