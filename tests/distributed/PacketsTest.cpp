// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/distributed/GhostExchange.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <limits>

namespace {

using namespace delassus;
using namespace delassus::distributed;

TEST(Packets, ArriveAtWhomTheyAreFor) {
  const Ranks ranks;
  const std::size_t next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const Traffic begun = traffic();
  const Packets received = sendPackets(ranks, {{next, {static_cast<double>(ranks.rank()), 0.5}}, {0, {}}});
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received.begin()->first, before);
  EXPECT_EQ(received.begin()->second, (Packet{static_cast<double>(before), 0.5}));
  const Traffic sent = mean(ranks, traffic() - begun);
  EXPECT_GE(sent.messages, 1.);
  EXPECT_GE(sent.bytes, 16.);
}

TEST(Packets, MayBeNone) {
  EXPECT_TRUE(sendPackets(Ranks(), {}).empty());
}

TEST(PacketReader, ReadsInOrderAndNotBeyondTheEnd) {
  const Packet packet{3., 1., 2.};
  PacketReader reader(packet);
  EXPECT_EQ(reader.count(), 3U);
  EXPECT_EQ(reader.numbers(2)[1], 2.);
  EXPECT_TRUE(reader.isAtEnd());
  EXPECT_THROW(reader.number(), Error);
}

TEST(PacketReader, TakesNoOtherNumberForACount) {
  for (const double number : {-1., 0.5, 9007199254740992., std::numeric_limits<double>::quiet_NaN()}) {
    const Packet packet{number};
    EXPECT_THROW(PacketReader(packet).count(), Error) << number;
  }
}

TEST(PartOfRanks, HasThoseThatTakePart) {
  const Ranks ranks;
  PartOfRanks part(ranks);
  EXPECT_FALSE(part.ranks());
  std::vector<char> even(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) even[rank] = rank % 2 == 0 ? 1 : 0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    part.choose(even);
    ASSERT_EQ(part.ranks().has_value(), ranks.rank() % 2 == 0);
    if (!part.ranks()) continue;
    double count = 1.;
    part.ranks()->sum({&count, 1});
    EXPECT_EQ(count, static_cast<double>((ranks.size() + 1) / 2));
  }
  part.choose(std::vector<char>(ranks.size(), 1));
  ASSERT_TRUE(part.ranks());
  EXPECT_EQ(part.ranks()->size(), ranks.size());
}

}  // namespace
