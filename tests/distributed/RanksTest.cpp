// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/distributed/Ranks.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using delassus::test::expectError;

TEST(Ranks, SumEntryByEntryInTheirOrder) {
  const Ranks ranks;
  const auto rank = static_cast<double>(ranks.rank());
  std::vector<double> values{1., rank, 0.1 * (rank + 1.)};
  ranks.sum(values);
  double tenths = 0.;
  for (std::size_t k = 0; k < ranks.size(); ++k) tenths += 0.1 * (static_cast<double>(k) + 1.);
  const auto count = static_cast<double>(ranks.size());
  EXPECT_EQ(values, (std::vector<double>{count, 0.5 * count * (count - 1.), tenths}));
}

TEST(Ranks, SayWhetherAnyIs) {
  const Ranks ranks;
  EXPECT_TRUE(ranks.any(ranks.rank() + 1 == ranks.size()));
  EXPECT_FALSE(ranks.any(false));
}

TEST(Ranks, ShareWhatTheFirstHas) {
  const Ranks ranks;
  std::string text = ranks.isFirst() ? "what the first has" : "another";
  ranks.share(text);
  EXPECT_EQ(text, "what the first has");
  std::vector<std::size_t> numbers;
  if (ranks.isFirst()) numbers = {3, 1, 4};
  ranks.share(numbers);
  EXPECT_EQ(numbers, (std::vector<std::size_t>{3, 1, 4}));
}

// The lowest of two that fail; those that do not throw too.
TEST(Ranks, ThrowTheSameErrorWhereAnyThrows) {
  const Ranks ranks;
  const std::size_t last = ranks.size() - 1;
  const auto failing = [&] {
    if (ranks.rank() == last || ranks.rank() == 1) throw Error("rank " + std::to_string(ranks.rank()), "it failed.");
  };
  expectError([&] { ranks.agree(failing); }, {"rank " + std::to_string(std::min<std::size_t>(1, last))});
  EXPECT_THROW(ranks.onFirst([] { throw Error("first", "it failed."); }), AgreedError);
  EXPECT_NO_THROW(ranks.agree([] {}));
}

}  // namespace
