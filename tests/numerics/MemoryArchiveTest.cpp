// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <vector>

namespace {

using namespace delassus;

struct State {
  double x = 0.;
  std::vector<double> list;
  std::uint64_t count = 0;
  std::string word;
  bool flag = false;

  void serializeState(StateArchive& archive) {
    archive.section("state");
    archive.value("x", x);
    archive.value("list", list);
    archive.value("count", count);
    archive.value("word", word);
    archive.value("flag", flag);
  }
};

MemoryArchive::Bytes bytesOf(State state) {
  MemoryArchive archive;
  state.serializeState(archive);
  return archive.bytes();
}

TEST(MemoryArchive, GivesBackWhatWasSaved) {
  MemoryArchive archive(bytesOf({0.1, {1., 2., 3.}, 7, "seven", true}));
  State state;
  state.serializeState(archive);
  EXPECT_TRUE(archive.isAtEnd());
  EXPECT_EQ(state.x, 0.1);
  EXPECT_EQ(state.list, (std::vector<double>{1., 2., 3.}));
  EXPECT_EQ(state.count, 7U);
  EXPECT_EQ(state.word, "seven");
  EXPECT_TRUE(state.flag);
}

TEST(MemoryArchive, TakesAListThatIsLongerThanAllThatWasSavedBefore) {
  MemoryArchive archive;
  EXPECT_EQ(archive.count("entries", 1000), 1000U);
  MemoryArchive back(archive.bytes());
  EXPECT_THROW(back.count("entries", 1000), Error) << "there are none behind it";
}

TEST(MemoryArchive, RefusesAnotherNameOrKind) {
  const MemoryArchive::Bytes bytes = bytesOf({});
  MemoryArchive other(bytes);
  EXPECT_THROW(other.section("another"), Error);
  MemoryArchive kind(bytes);
  kind.section("state");
  std::uint64_t x = 0;
  EXPECT_THROW(kind.value("x", x), Error);
}

TEST(MemoryArchive, RefusesWhatEndsTooEarly) {
  const MemoryArchive::Bytes bytes = bytesOf({0.1, {1., 2., 3.}, 7, "seven", true});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    MemoryArchive archive(MemoryArchive::Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    State state;
    EXPECT_THROW(state.serializeState(archive), Error) << size << " bytes";
  }
}

}  // namespace
