// SPDX-License-Identifier: Apache-2.0
//
// A recording run is killed at random moments: the file opens, holds every row that the program said it had flushed,
// and the run goes on from its checkpoint to the identical end.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <delassus/kernel/io/RecordReader.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <thread>

extern char** environ;

namespace {

using namespace delassus;

class Program {
 public:
  // That waits `milliseconds` in every 100 steps.
  explicit Program(const std::filesystem::path& folder, int milliseconds = 2) {
    std::string program = DELASSUS_RECORDING_RUN, where = folder.string(), pause = std::to_string(milliseconds);
    char* arguments[] = {program.data(), where.data(), pause.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
  }

  // Waits for it, at most so long; kills it then. True if it ended by itself, without an error.
  bool endsWithin(std::chrono::microseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    int status = 0;
    while (std::chrono::steady_clock::now() < until) {
      if (waitpid(process_, &status, WNOHANG) == process_) {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "it failed";
        return true;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    kill(process_, SIGKILL);
    waitpid(process_, &status, 0);
    return false;
  }

 private:
  pid_t process_ = 0;
};

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// How many rows a program said that it had flushed.
std::size_t promised(const std::filesystem::path& folder) {
  std::size_t rows = 0;
  std::ifstream(folder / "promised.txt") >> rows;
  return rows;
}

// That all quantities are those of the reference, as far as they go.
void expectPrefix(const RecordReader& part, const RecordReader& whole) {
  ASSERT_LE(part.rows(), whole.rows());
  for (const RecordQuantity& quantity : whole.quantities()) {
    const std::size_t length = part.length(quantity.path);
    const Matrix x = part.matrix(quantity.path, 0, length), y = whole.matrix(quantity.path, 0, length);
    ASSERT_EQ(std::memcmp(data(x), data(y), length * quantity.size() * sizeof(double)), 0) << quantity.path;
  }
  const std::vector<std::string> names = part.words("contacts/interaction"), all = whole.words("contacts/interaction");
  EXPECT_TRUE(std::equal(names.begin(), names.end(), all.begin()));
}

// In the memory of the machine where that can be had: what is tested is kills, not the disk.
std::filesystem::path temporaryFolder() {
  const std::filesystem::path memory = "/dev/shm";
  return (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
         ("delassus_killed_recording_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
}

TEST(KilledRecording, CanBeReadWhileItIsWritten) {
  const auto folder = temporaryFolder();
  std::filesystem::remove_all(folder);
  Program program(folder, 10);
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  for (int k = 0; k < 3000 && !std::filesystem::exists(folder / "run.h5"); ++k) wait();
  {
    RecordReader reader(folder / "run.h5");
    const std::size_t first = reader.rows();
    std::size_t before = first;
    for (int k = 0; k < 3000 && reader.rows() < first + 1000; ++k, wait()) {
      reader.refresh();
      ASSERT_GE(reader.rows(), before);
      before = reader.rows();
      const Vector steps = reader.column("step");
      for (std::size_t row = 0; row < steps.size(); ++row) ASSERT_EQ(steps(row), static_cast<double>(row));
      ASSERT_EQ(reader.words("contacts/interaction").size(), reader.length("contacts/impulse"));
    }
    EXPECT_GE(reader.rows(), first + 1000);
    EXPECT_EQ(reader.status(), RecordStatus::running);
  }
  EXPECT_FALSE(program.endsWithin(std::chrono::microseconds(0)));
  std::filesystem::remove_all(folder);
}

TEST(KilledRecording, OpensAndGoesOnToTheIdenticalEnd) {
  const auto folder = temporaryFolder();
  std::filesystem::remove_all(folder);
  // How long this machine takes, at this time, to begin and to end.
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Program reference(folder / "whole");
  for (int k = 0; k < 30000 && !std::filesystem::exists(folder / "whole" / "run.h5"); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::chrono::duration<double> start = Clock::now() - begin;
  ASSERT_TRUE(reference.endsWithin(std::chrono::seconds(120)));
  const std::chrono::duration<double> all = Clock::now() - begin;
  const RecordReader whole(folder / "whole" / "run.h5");
  EXPECT_EQ(whole.rows(), 20001U);
  EXPECT_GT(whole.length("contacts/impulse"), 1000U);

  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(0., start.count() + 0.2 * (all - start).count());
  std::size_t kills = 0, runs = 0, withRows = 0, withPromises = 0, lastRows = 0;
  bool complete = false;
  while (kills < 50 || !complete) {
    const auto run = folder / ("run" + std::to_string(runs));
    const auto time = std::chrono::microseconds(static_cast<long>(1e6 * seconds(random)));
    complete = Program(run).endsWithin(kills < 50 ? time : std::chrono::seconds(120));
    const std::size_t promisedRows = promised(run);
    SCOPED_TRACE("kill " + std::to_string(kills) + " after " + std::to_string(time.count()) + " us");
    if (std::filesystem::exists(run / "run.h5")) {
      const RecordReader reader(run / "run.h5");
      expectPrefix(reader, whole);
      EXPECT_GE(reader.rows(), promisedRows) << "rows that were flushed are gone";
      // What a checkpoint knew of, or was committed later, is never lost: a run that goes on may have cut less than 500
      // steps, which it was about to do again.
      EXPECT_GE(reader.rows() + 500, lastRows);
      // A kill may come between the last row and the end of the program.
      if (complete || reader.rows() < whole.rows()) {
        EXPECT_EQ(reader.status(), complete ? RecordStatus::completed : RecordStatus::running);
      }
      lastRows = reader.rows();
      withRows += lastRows > 1 && !complete ? 1 : 0;
      withPromises += promisedRows > 1 && !complete ? 1 : 0;
    } else {
      EXPECT_FALSE(complete);
      EXPECT_EQ(promisedRows, 0U) << "the file is gone";
      EXPECT_EQ(lastRows, 0U) << "the file is gone";
    }
    if (HasFailure()) return;  // leaves the files
    kills += complete ? 0 : 1;
    if (!complete) continue;
    EXPECT_EQ(lastRows, whole.rows());
    for (const char* const name : {"table.csv", "events.csv"}) {
      EXPECT_EQ(content(run / name), content(folder / "whole" / name)) << name;
    }
    ++runs;
    lastRows = 0;
  }
  EXPECT_GT(withRows, 10U) << "most were killed before there was anything";
  EXPECT_GT(withPromises, 10U) << "most were killed before there was a promise";
  std::cout << kills << " kills, " << withRows << " of them with rows, " << withPromises << " with promises, in "
            << runs << " runs of " << all.count() << " s\n";
  RecordProperty("kills", static_cast<int>(kills));
  RecordProperty("runs", static_cast<int>(runs));
  std::filesystem::remove_all(folder);
}

}  // namespace
