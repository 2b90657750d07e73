// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <atomic>
#include <condition_variable>
#include <delassus/Config.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>
#include <mutex>
#include <set>
#include <support/Matchers.hpp>
#include <support/ThreadNumber.hpp>
#include <thread>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(Threads, AreOneAtFirst) {
  EXPECT_EQ(threads(), 1U);
  std::set<std::thread::id> ids;
  forEachPart(10, [&](std::size_t) { ids.insert(std::this_thread::get_id()); });
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

TEST(Threads, RefuseNumbersThatMakeNoSense) {
  expectError([] { setThreads(0); }, {"setThreads", "0"});
  if (withTbb) {
    expectError([] { setThreads(1000000); }, {"setThreads", "4096", "1000000"});
  } else {
    expectError([] { setThreads(2); }, {"setThreads(2)", "oneTBB", "DELASSUS_WITH_TBB"});
  }
  EXPECT_EQ(threads(), 1U);
}

TEST(Threads, VisitEachPartOnce) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  for (const std::size_t count : {2U, 3U}) {
    const ThreadNumber several(count);
    std::vector<std::atomic<int>> visits(1000);
    forEachPart(visits.size(), [&](std::size_t k) { ++visits[k]; });
    for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    forRanges(visits.size(), 64, [&](std::size_t begin, std::size_t end) {
      EXPECT_LE(end - begin, 64U);
      for (std::size_t k = begin; k < end; ++k) ++visits[k];
    });
    for (const auto& visit : visits) EXPECT_EQ(visit, 2);
  }
}

// Of this process, which may be held on some of the machine's: hardware_concurrency() counts all.
std::size_t usableCores() {
#ifdef __linux__
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
  return std::thread::hardware_concurrency();
}

// Two parts that wait for each other end only where two threads work on them.
TEST(Threads, WorkAtTheSameTime) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  // oneTBB makes no more threads than that.
  if (usableCores() < 2) GTEST_SKIP() << "this process may use one core only";
  const ThreadNumber two(2);
  std::mutex mutex;
  std::condition_variable arrival;
  int arrived = 0;
  std::atomic<bool> met{true};
  forEachPart(2, [&](std::size_t) {
    std::unique_lock lock(mutex);
    ++arrived;
    arrival.notify_all();
    if (!arrival.wait_for(lock, std::chrono::seconds(20), [&] { return arrived == 2; })) met = false;
  });
  EXPECT_TRUE(met);
}

TEST(Threads, PassOnWhatAPartThrows) {
  for (const std::size_t count : {1U, 2U}) {
    if (count > 1 && !withTbb) GTEST_SKIP() << "built without oneTBB";
    const ThreadNumber several(count);
    expectError(
        [] {
          forEachPart(100, [](std::size_t k) {
            if (k == 70) throw Error("part 70", "it failed.");
          });
        },
        {"part 70"});
    std::atomic<int> visits{0};
    forEachPart(10, [&](std::size_t) { ++visits; });
    EXPECT_EQ(visits, 10);
  }
}

}  // namespace
