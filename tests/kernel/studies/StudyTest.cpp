// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/studies/Study.hpp>
#include <delassus/numerics/Error.hpp>
#include <filesystem>
#include <fstream>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;
namespace fs = std::filesystem;

TEST(ThreadWorkers, DoEachTaskOnce) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    ThreadWorkers workers(threads);
    std::vector<std::atomic<int>> times(50);
    std::vector<std::size_t> counted;
    workers.run(
        times.size(), [&](std::size_t k) { ++times[k]; }, [&](std::size_t done) { counted.push_back(done); });
    for (const auto& each : times) EXPECT_EQ(each, 1);
    ASSERT_EQ(counted.size(), times.size());
    EXPECT_TRUE(std::is_sorted(counted.begin(), counted.end()));
    workers.run(0, [](std::size_t) { FAIL(); }, {});
  }
}

TEST(ThreadWorkers, ThrowWhatTheLowestTaskThrewWhenAllAreDone) {
  ThreadWorkers workers(2);
  std::atomic<int> calls{0};
  const auto task = [&](std::size_t k) {
    ++calls;
    if (k % 10 == 7) throw Error("task " + std::to_string(k), "it failed.");
  };
  expectError([&] { workers.run(30, task, {}); }, {"task 7"});
  EXPECT_EQ(calls, 30);
}

class StudyTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static void writeSquare(double point, const fs::path& to) {
    TableWriter table(to / "row.csv", {"square"});
    table.writeRow({point * point});
    table.close();
  }
  std::string content(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  const fs::path folder_ =
      fs::temp_directory_path() /
      ("delassus_study_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  ThreadWorkers workers_{2};
};

TEST_F(StudyTest, GoesOnWhereItWas) {
  const Study study(folder_, "x", "n = 1\n", workers_);
  study.run({1., 3.}, writeSquare);
  // What a killed process leaves.
  fs::create_directories(folder_ / "x_2.part");
  std::ofstream(folder_ / "x_2.part" / "row.csv") << "half";
  EXPECT_EQ(study.missing({1., 2., 3., 4.}), (std::vector<double>{2., 4.}));
  std::vector<std::size_t> done;
  study.run({1., 2., 3., 4.}, writeSquare, [&](std::size_t count) { done.push_back(count); });
  EXPECT_EQ(done, (std::vector<std::size_t>{1, 2}));
  study.collect({1., 2., 3., 4.}, "row.csv");
  EXPECT_EQ(content("row.csv"), "x,square\n1,1\n2,4\n3,9\n4,16\n");
  EXPECT_FALSE(fs::exists(folder_ / "x_2.part"));
}

TEST_F(StudyTest, NamesThePointThatFailedAndKeepsTheOthers) {
  const Study study(folder_, "x", "", workers_);
  const auto work = [](double point, const fs::path& to) {
    if (point == 2.) throw Error("model", "it fell over.");
    writeSquare(point, to);
  };
  expectError([&] { study.run({1., 2., 3.}, work); }, {"x = 2", "it fell over"});
  EXPECT_EQ(study.missing({1., 2., 3.}), std::vector<double>{2.});
  expectError([&] { study.collect({1., 2.}, "row.csv"); }, {"cannot read", "x_2"});
  // The table of before, if any, stays.
  EXPECT_FALSE(fs::exists(folder_ / "row.csv"));
}

TEST_F(StudyTest, RefusesAFolderOfAnotherStudy) {
  const Study first(folder_, "x", "mass = 1\nh = 2\n", workers_);
  EXPECT_NO_THROW(Study(folder_, "x", "mass = 1\nh = 2\n", workers_));
  expectError([&] { Study(folder_, "x", "mass = 1\nh = 3\n", workers_); }, {"'h = 3' is asked for", "'h = 2'"});
  std::ofstream(folder_ / "file") << "no folder";
  expectError([&] { Study(folder_ / "file", "x", "", workers_); }, {"cannot create the folder"});
}

}  // namespace
