// SPDX-License-Identifier: Apache-2.0
//
// How the file of a recording begins and ends.
#include <gtest/gtest.h>

#include <delassus/kernel/io/RecordReader.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <support/Matchers.hpp>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using RecordFileTest = RecorderFixture;

std::shared_ptr<Recorder> recorderOf(BallRun& run, const std::filesystem::path& file,
                                     const RecordFileOptions& options = {}) {
  auto recorder = std::make_shared<Recorder>(file, options);
  recorder->record("ball");
  run.simulation.addObserver(recorder);
  return recorder;
}

TEST_F(RecordFileTest, IsNotReadByTheProgramThatWritesIt) {
  BallRun run;
  const auto recorder = recorderOf(run, file());
  run.simulation.step();
  expectError([&] { RecordReader{file()}; }, {"run.h5", "close its recorder"});
  recorder->close();
  EXPECT_EQ(RecordReader(file()).rows(), 2U);
}

// Of an object header ("OHDR", version 2 of HDF5's format) at `at`: its bytes with the checksum.
std::size_t headerBytes(const std::string& file, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(file.at(k))); };
  const std::size_t flags = byte(at + 5);
  const std::size_t size = at + 6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0);
  const std::size_t width = std::size_t{1} << (flags & 3U);
  std::size_t messages = 0;
  for (std::size_t k = width; k-- > 0;) messages = 256 * messages + byte(size + k);
  return size + width + messages + 4 - at;
}

// A kill may cut a write at the border of two pages of memory.
TEST_F(RecordFileTest, HasNoHeaderAcrossTwoPages) {
  BallRun run;
  const auto recorder = std::make_shared<Recorder>(file());
  for (int k = 0; k < 100; ++k) recorder->record("quantity" + std::to_string(k), "m", [] { return 1.; });
  run.simulation.addObserver(recorder);
  run.simulation.run();
  std::ifstream stream(file(), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::size_t headers = 0;
  for (std::size_t at = bytes.find("OHDR"); at != std::string::npos; at = bytes.find("OHDR", at + 4)) {
    const std::size_t size = headerBytes(bytes, at);
    ++headers;
    if (size > 4096) continue;
    EXPECT_EQ(at / 4096, (at + size - 1) / 4096) << "header " << headers << " of " << size << " bytes";
  }
  EXPECT_GE(headers, 100U);
}

TEST_F(RecordFileTest, GoesOnAfterAStopAndAfterItWasClosed) {
  BallRun run;
  const auto recorder = recorderOf(run, file());
  run.simulation.run([&] {
    if (run.simulation.stepIndex() == 50) run.simulation.stop();
  });
  EXPECT_EQ(recorder->rows(), 51U);
  run.simulation.run([&] {
    if (run.simulation.stepIndex() == 60) run.simulation.stop();
  });
  recorder->close();
  EXPECT_EQ(RecordReader(file()).rows(), 61U);
  EXPECT_EQ(RecordReader(file()).status(), RecordStatus::stopped);
  run.simulation.run();
  const RecordReader reader(file());
  ASSERT_EQ(reader.rows(), 201U);
  for (std::size_t k = 0; k < 201; ++k) EXPECT_EQ(reader.matrix("step", k, 1)(0, 0), static_cast<double>(k));
  EXPECT_EQ(reader.status(), RecordStatus::completed);
}

TEST_F(RecordFileTest, SaysThatARunFailed) {
  BallRun run;
  {
    const auto recorder = recorderOf(run, file());
    EXPECT_THROW(run.simulation.run([&] {
      if (run.simulation.stepIndex() == 5) throw std::runtime_error("enough");
    }),
                 std::runtime_error);
  }
  EXPECT_EQ(RecordReader(file()).status(), RecordStatus::failed);
  EXPECT_EQ(RecordReader(file()).rows(), 5U);
}

TEST_F(RecordFileTest, IsThatOfACompleteRunAfterTheLastOfSingleSteps) {
  BallRun run;
  {
    const auto recorder = recorderOf(run, file());
    while (run.simulation.hasNextStep()) {
      EXPECT_EQ(recorder->rows(), run.simulation.stepIndex() == 0 ? 0U : run.simulation.stepIndex() + 1);
      run.simulation.step();
    }
    recorder->close();
  }
  EXPECT_EQ(RecordReader(file()).status(), RecordStatus::completed);
}

TEST_F(RecordFileTest, HasTheSettingsOfTheProgram) {
  BallRun run;
  const auto recorder = recorderOf(run, file());
  recorder->setting("mass", "1.5");
  recorder->setting("friction law", "none, \"dry\" μ = 0");
  recorder->setting("a", "");
  expectError([&] { recorder->setting("mass", "2"); }, {"'mass'", "run.h5", "already", "'1.5'", "'2'"});
  expectError([&] { recorder->setting("", "2"); }, {"run.h5", "no name"});
  run.simulation.step();
  expectError([&] { recorder->setting("height", "2"); }, {"run.h5", "has begun"});
  run.simulation.run();
  Settings expected;
  expected.add("mass", "1.5");
  expected.add("friction law", "none, \"dry\" μ = 0");
  expected.add("a", "");
  const RecordReader reader(file());
  EXPECT_EQ(reader.options(), expected);
  EXPECT_EQ(reader.settings(), run.simulation.settings());
}

TEST_F(RecordFileTest, HasNoSettingsOfAProgramThatGivesNone) {
  BallRun run;
  const auto recorder = recorderOf(run, file());
  run.simulation.run();
  EXPECT_TRUE(RecordReader(file()).options().list().empty());
}

// What is there already, and a word of why it is not replaced.
struct Old {
  const char* reason;
  RecordStatus status;
  std::size_t rows;
};

class RecordFileReplaceTest : public RecorderFixture {
 protected:
  void record(const RecordFileOptions& options = {}) {
    BallRun run;
    const auto recorder = recorderOf(run, file(), options);
    run.simulation.run();
  }

  // Leaves a recording of a run that ends early.
  void recordInPart(RecordStatus end) {
    BallRun run;
    const auto recorder = recorderOf(run, file());
    try {
      run.simulation.run([&] {
        if (run.simulation.stepIndex() < 100) return;
        if (end == RecordStatus::failed) throw std::runtime_error("enough");
        run.simulation.stop();
      });
    } catch (const std::runtime_error&) {
    }
    recorder->close();
  }

  // A copy of a file that is being written is what a killed program leaves.
  void leaveKilled(int steps) {
    BallRun run;
    const auto recorder = recorderOf(run, file("killed.h5"));
    for (int k = 0; k < steps; ++k) run.simulation.step();
    recorder->flush();
    std::filesystem::copy_file(file("killed.h5"), file(), std::filesystem::copy_options::overwrite_existing);
  }

  void expectKept(const Old& old) {
    const std::string bytes = content(file());
    expectError([&] { record(); }, {"run.h5", old.reason, "not replaced", "checkpoint", "another name", "remove"});
    EXPECT_EQ(content(file()), bytes) << "it was changed";
    EXPECT_EQ(RecordReader(file()).rows(), old.rows);
    EXPECT_EQ(RecordReader(file()).status(), old.status);
    record({.replaceInterrupted = true});
    EXPECT_EQ(RecordReader(file()).rows(), 201U);
  }
};

TEST_F(RecordFileReplaceTest, TakesThePlaceOfACompleteRecording) {
  record();
  record();
  EXPECT_EQ(RecordReader(file()).rows(), 201U);
}

TEST_F(RecordFileReplaceTest, KeepsTheRecordingOfARunThatWasStopped) {
  recordInPart(RecordStatus::stopped);
  expectKept({"stopped", RecordStatus::stopped, 101});
}

TEST_F(RecordFileReplaceTest, KeepsTheRecordingOfARunThatFailed) {
  recordInPart(RecordStatus::failed);
  expectKept({"failed", RecordStatus::failed, 100});
}

TEST_F(RecordFileReplaceTest, KeepsTheRecordingOfARunThatWasKilled) {
  leaveKilled(100);
  expectKept({"interrupted", RecordStatus::running, 101});
}

TEST_F(RecordFileReplaceTest, KeepsARecordingThatWasClosedInTheMiddle) {
  BallRun run;
  {
    const auto recorder = recorderOf(run, file());
    for (int k = 0; k < 100; ++k) run.simulation.step();
    recorder->close();
  }
  expectKept({"interrupted", RecordStatus::running, 101});
}

TEST_F(RecordFileReplaceTest, TakesThePlaceOfARecordingWithNoMoreThanTheInitialState) {
  {
    BallRun run;
    const auto recorder = recorderOf(run, file("killed.h5"));
    recorder->every(1000);
    run.simulation.step();
    recorder->flush();
    std::filesystem::copy_file(file("killed.h5"), file());
  }
  EXPECT_EQ(RecordReader(file()).rows(), 1U);
  record();
  EXPECT_EQ(RecordReader(file()).rows(), 201U);
}

TEST_F(RecordFileReplaceTest, KeepsFilesThatAreNoRecordings) {
  std::ofstream(file()) << "a letter\n";
  for (const bool replace : {false, true}) {
    expectError([&] { record({.replaceInterrupted = replace}); }, {"not a recording"});
    EXPECT_EQ(content(file()), "a letter\n");
  }
}

}  // namespace
