// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <delassus/kernel/distributed/MpiWorkers.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/studies/Study.hpp>
#include <filesystem>
#include <fstream>
#include <support/Matchers.hpp>
#include <thread>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using delassus::test::expectError;
namespace fs = std::filesystem;

TEST(MpiWorkers, DoEachTaskOnce) {
  const Ranks ranks;
  MpiWorkers workers(ranks);
  for (const std::size_t count : {0U, 1U, 2U, 50U}) {
    std::vector<double> times(count + 1, 0.);
    std::vector<std::size_t> counted;
    workers.run(
        count, [&](std::size_t k) { times[k] += 1.; }, [&](std::size_t done) { counted.push_back(done); });
    ranks.sum(times);
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(times[k], 1.) << k;
    EXPECT_EQ(counted.size(), ranks.isFirst() ? count : 0);
    for (std::size_t k = 0; k < counted.size(); ++k) EXPECT_EQ(counted[k], k + 1);
  }
}

// One long task, and short ones that the others do meanwhile.
TEST(MpiWorkers, ShareTasksAsTheyBecomeFree) {
  const Ranks ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "for several ranks";
  MpiWorkers workers(ranks);
  std::vector<double> done(ranks.size(), 0.);
  bool hadLong = false;
  workers.run(40,
              [&](std::size_t k) {
                hadLong = hadLong || k == 0;
                done[ranks.rank()] += 1.;
                std::this_thread::sleep_for(std::chrono::milliseconds(k == 0 ? 600 : 5));
              },
              {});
  EXPECT_LT(done[ranks.rank()], hadLong ? 20. : 41.);
}

TEST(MpiWorkers, ThrowOnAllRanksWhatTheLowestTaskThrew) {
  const Ranks ranks;
  MpiWorkers workers(ranks);
  std::vector<double> times(30, 0.);
  const auto task = [&](std::size_t k) {
    times[k] = 1.;
    if (k % 10 == 7) throw Error("task " + std::to_string(k), "it failed.");
  };
  expectError([&] { workers.run(30, task, {}); }, {"task 7"});
  ranks.sum(times);
  EXPECT_EQ(times, std::vector<double>(30, 1.));
}

TEST(MpiWorkers, MakeAStudyThatGoesOn) {
  const Ranks ranks;
  MpiWorkers workers(ranks);
  const fs::path folder = fs::temp_directory_path() / ("delassus_mpi_study_" + std::to_string(ranks.size()));
  ranks.onFirst([&] { fs::remove_all(folder); });
  std::atomic<int> calls{0};
  const auto work = [&](double point, const fs::path& to) {
    ++calls;
    TableWriter table(to / "row.csv", {"square"});
    table.writeRow({point * point});
    table.close();
  };
  const Study study(folder, "x", "n = 1\n", workers);
  study.run({1., 3.}, work);
  EXPECT_EQ(study.missing({1., 2., 3., 4.}), (std::vector<double>{2., 4.}));
  study.run({1., 2., 3., 4.}, work);
  study.collect({1., 2., 3., 4.}, "row.csv");
  std::vector<double> all{static_cast<double>(calls)};
  ranks.sum(all);
  EXPECT_EQ(all[0], 4.);
  if (ranks.isFirst()) {
    std::ifstream in(folder / "row.csv");
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_EQ(text, "x,square\n1,1\n2,4\n3,9\n4,16\n");
  }
  expectError([&] { Study(folder, "x", "n = 2\n", workers); }, {"other parameters", "n = 2", "n = 1"});
  expectError([&] { study.collect({5.}, "row.csv"); }, {"cannot read"});
  ranks.onFirst([&] { fs::remove_all(folder); });
}

}  // namespace
