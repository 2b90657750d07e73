// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <stdexcept>
#include <vector>

namespace delassus {
namespace {

TEST(MadeFrom, IsNotCurrentBeforeAnythingWasMade) {
  const MadeFrom<std::uint64_t> never;
  EXPECT_FALSE(never.isMade());
  EXPECT_FALSE(never.isCurrent(0));
}

TEST(MadeFrom, IsCurrentUntilAnyOfItsSourcesChanges) {
  MadeFrom<std::uint64_t, const void*, std::vector<double>> from;
  const int here = 0, there = 0;
  from.take(3, &here, {1., 2.});
  EXPECT_TRUE(from.isCurrent(3, &here, {1., 2.}));
  EXPECT_FALSE(from.isCurrent(4, &here, {1., 2.}));
  EXPECT_FALSE(from.isCurrent(3, &there, {1., 2.}));
  EXPECT_FALSE(from.isCurrent(3, &here, {1., 2.5}));
  EXPECT_FALSE(from.isCurrent(3, &here, {1.}));
}

TEST(MadeFrom, ForgetsWhatItWasMadeFrom) {
  MadeFrom<std::size_t> from;
  from.take(5);
  EXPECT_EQ(from.source(), 5u);
  from.forget();
  EXPECT_FALSE(from.isMade());
  EXPECT_FALSE(from.isCurrent(5));
}

TEST(MadeFrom, RenewsOnlyWhatIsNotCurrent) {
  MadeFrom<std::size_t> from;
  int made = 0;
  const auto renew = [&](std::size_t version) { from.renew(version, [&] { ++made; }); };
  renew(0);
  renew(0);
  EXPECT_EQ(made, 1);
  renew(1);
  EXPECT_EQ(made, 2);
  renew(0);
  EXPECT_EQ(made, 3);
}

TEST(MadeFrom, IsForgottenIfMakingFails) {
  MadeFrom<std::size_t> from;
  from.take(1);
  EXPECT_THROW(from.renew(2, [] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_FALSE(from.isCurrent(1));
  EXPECT_FALSE(from.isCurrent(2));
}

MemoryArchive::Bytes saved(MadeFrom<std::uint64_t, std::uint64_t>& from) {
  MemoryArchive archive;
  from.serializeState(archive, "from");
  return archive.bytes();
}

TEST(MadeFrom, IsRestoredAsItWasSaved) {
  MadeFrom<std::uint64_t, std::uint64_t> from, other;
  from.take(3, 4);
  other.take(5, 6);
  MemoryArchive back(saved(from));
  other.serializeState(back, "from");
  EXPECT_TRUE(other.isCurrent(3, 4));
  EXPECT_FALSE(other.isCurrent(5, 6));
}

TEST(MadeFrom, HasOneArchiveWhereItIsForgotten) {
  MadeFrom<std::uint64_t, std::uint64_t> from, never;
  from.take(3, 4);
  EXPECT_NE(saved(from), saved(never));
  from.forget();
  EXPECT_EQ(saved(from), saved(never));
}

}  // namespace
}  // namespace delassus
