// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <memory>
#include <sstream>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A run of three beads with a recording, the same as comma-separated values, and a table of its own.
class BeadsRun {
 public:
  explicit BeadsRun(const std::filesystem::path& folder, bool recordsMore = false)
      : table_(folder / "table.csv", {"t [s]", "q [m]"}),
        recorder_(std::make_shared<Recorder>(folder / "run.h5", RecordFileOptions{.chunkBytes = 1024})) {
    const auto csv = std::make_shared<CsvRecorder>(folder / "run.csv");
    for (Recorder* const recorder : {recorder_.get(), static_cast<Recorder*>(csv.get())}) {
      recorder->recordTogether("beads", column_.beads, {"q"});
      recorder->recordContacts({.rows = 1});
      recorder->recordSolver();
      recorder->every(2);
      recorder->at({0.3333, 0.7777, 0.8});
      recorder->atEvents();
    }
    if (recordsMore) recorder_->recordEnergy();
    simulation.addObserver(recorder_);
    simulation.addObserver(csv);
    simulation.addState("table", [this](StateArchive& archive) { table_.serializeState(archive); });
  }

  void runTo(std::size_t step) {
    simulation.run([&] {
      table_.writeRow({simulation.time(), column_.beads[1]->q()(0)});
      if (simulation.stepIndex() == step) simulation.stop();
    });
    if (!simulation.hasNextStep()) table_.close();
  }
  Recorder& recorder() { return *recorder_; }

 private:
  ColumnOfBeads column_{3, 0.15, 0.3, 0.5, 1.};
  TableWriter table_;
  std::shared_ptr<Recorder> recorder_;

 public:
  TimeStepping simulation{column_.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP()};
};

void expectSame(const std::filesystem::path& actual, const std::filesystem::path& expected) {
  const RecordReader a(actual / "run.h5"), b(expected / "run.h5");
  ASSERT_EQ(a.rows(), b.rows());
  for (const RecordQuantity& quantity : b.quantities()) {
    const Matrix x = a.matrix(quantity.path), y = b.matrix(quantity.path);
    ASSERT_EQ(x.size1(), y.size1()) << quantity.path;
    EXPECT_EQ(std::memcmp(data(x), data(y), x.size1() * x.size2() * sizeof(double)), 0) << quantity.path;
  }
  EXPECT_EQ(a.words("event"), b.words("event"));
  EXPECT_EQ(a.words("contacts/interaction"), b.words("contacts/interaction"));
  EXPECT_EQ(a.status(), RecordStatus::completed);
  for (const char* const name : {"run.csv", "run.contacts.csv", "table.csv"}) {
    EXPECT_EQ(content(actual / name), content(expected / name)) << name;
  }
}

class RecorderRestartTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("delassus_recorder_restart_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(RecorderRestartTest, EndsAsARunThatWasNotInterrupted) {
  BeadsRun(folder_ / "whole").runTo(1000);
  for (const std::size_t end : {420UL, 421UL, 1000UL}) {
    const std::filesystem::path folder = folder_ / std::to_string(end);
    {
      BeadsRun run(folder);
      run.runTo(420);
      saveCheckpoint(run.simulation, folder / "checkpoint");
      if (end > 420) run.runTo(end);
    }
    BeadsRun run(folder);
    restoreCheckpoint(run.simulation, folder / "checkpoint");
    run.runTo(1000);
    expectSame(folder, folder_ / "whole");
  }
}

TEST_F(RecorderRestartTest, GoesBackInOneProcess) {
  BeadsRun(folder_ / "whole").runTo(1000);
  BeadsRun run(folder_ / "back");
  run.runTo(300);
  saveCheckpoint(run.simulation, folder_ / "checkpoint");
  run.runTo(1000);
  restoreCheckpoint(run.simulation, folder_ / "checkpoint");
  run.runTo(1000);
  expectSame(folder_ / "back", folder_ / "whole");
}

TEST_F(RecorderRestartTest, GoesBackToTheBeginInOneProcess) {
  BeadsRun(folder_ / "whole").runTo(1000);
  for (const std::size_t end : {500UL, 1000UL}) {
    BeadsRun run(folder_ / std::to_string(end));
    saveCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(end);
    restoreCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(1000);
    expectSame(folder_ / std::to_string(end), folder_ / "whole");
  }
}

TEST_F(RecorderRestartTest, BeginsAnewFromACheckpointOfTheBegin) {
  BeadsRun(folder_ / "whole").runTo(1000);
  {
    BeadsRun run(folder_ / "begin");
    saveCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(500);
    // A copy of a file that is being written is what a killed program leaves.
    std::filesystem::copy_file(folder_ / "begin" / "run.h5", folder_ / "killed.h5");
  }
  std::filesystem::rename(folder_ / "killed.h5", folder_ / "begin" / "run.h5");
  BeadsRun run(folder_ / "begin");
  restoreCheckpoint(run.simulation, folder_ / "checkpoint");
  run.runTo(1000);
  expectSame(folder_ / "begin", folder_ / "whole");
}

// Beads with rows at some of their steps, of which it matters which.
struct ScheduledRun {
  ColumnOfBeads column{3, 0.15, 0.3, 0.5, 1.};
  TimeStepping simulation{column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP()};

  explicit ScheduledRun(const std::filesystem::path& file) {
    const auto recorder = std::make_shared<Recorder>(file);
    recorder->recordTogether("beads", column.beads, {"q"});
    recorder->every(7);
    recorder->at({0., 0.0105, 0.3, 0.3005, 0.4203, 0.9999});
    recorder->atEvents();
    simulation.addObserver(recorder);
  }
};

// Step and reason of each row, for messages.
std::string rowsOf(const std::filesystem::path& file) {
  const RecordReader reader(file);
  const Vector steps = reader.column("step");
  const std::vector<std::string> reasons = reader.words("event");
  std::string text;
  for (std::size_t k = 0; k < reader.rows(); ++k) text += toText(steps(k)) + " " + reasons[k] + "\n";
  return text;
}

TEST_F(RecorderRestartTest, HasTheRowsOfAnUninterruptedRunWhereverItIsInterrupted) {
  {
    ScheduledRun whole(folder_ / "whole.h5");
    whole.simulation.run();
  }
  const std::string expected = rowsOf(folder_ / "whole.h5");
  for (const char* const reason : {"0 start", "7 step", "11 instant", "300 instant", "301 instant", " contacts"}) {
    EXPECT_NE(expected.find(reason), std::string::npos) << expected;
  }
  const auto file = folder_ / "run.h5", checkpoint = folder_ / "checkpoint";
  for (const std::size_t step : {1UL, 7UL, 10UL, 11UL, 300UL, 301UL, 420UL, 999UL}) {
    // By the function of the run, which is called before the recorder is told of the step; and after it.
    for (const bool beforeItIsTold : {true, false}) {
      for (const bool inOneProcess : {true, false}) {
        SCOPED_TRACE("step " + std::to_string(step) + (beforeItIsTold ? " before" : " after") +
                     (inOneProcess ? ", one process" : ", two"));
        std::filesystem::remove(file);
        auto run = std::make_unique<ScheduledRun>(file);
        run->simulation.run([&] {
          if (beforeItIsTold && run->simulation.stepIndex() == step) saveCheckpoint(run->simulation, checkpoint);
          if (run->simulation.stepIndex() == step + (beforeItIsTold ? 1 : 0)) run->simulation.stop();
        });
        if (!beforeItIsTold) saveCheckpoint(run->simulation, checkpoint);
        if (!inOneProcess) run = std::make_unique<ScheduledRun>(file);
        restoreCheckpoint(run->simulation, checkpoint);
        run->simulation.run();
        run.reset();
        EXPECT_EQ(rowsOf(file), expected);
      }
    }
  }
}

TEST_F(RecorderRestartTest, KeepsTheSettingsOfTheProgram) {
  const auto goOn = [&](const Settings& settings, bool restores, std::size_t step) {
    BeadsRun run(folder_);
    for (const Setting& setting : settings.list()) run.recorder().setting(setting.name, setting.value);
    if (restores) restoreCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(step);
    saveCheckpoint(run.simulation, folder_ / "checkpoint");
  };
  Settings first, second, expected;
  first.add("beads", "3");
  first.add("resume", "false");
  second.add("operator", "Anna");
  second.add("resume", "true");
  goOn(first, false, 300);
  goOn(second, true, 600);
  goOn({}, true, 1000);
  expected.add("beads", "3");
  expected.add("resume", "true");
  expected.add("operator", "Anna");
  EXPECT_EQ(RecordReader(folder_ / "run.h5").options(), expected);
}

TEST_F(RecorderRestartTest, RefusesFilesThatDoNotFitTheCheckpoint) {
  {
    BeadsRun run(folder_);
    run.runTo(100);
    saveCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(200);
  }
  const auto goOn = [&](bool recordsMore = false) {
    BeadsRun run(folder_, recordsMore);
    restoreCheckpoint(run.simulation, folder_ / "checkpoint");
    run.runTo(1000);
  };
  const std::string bytes = content(folder_ / "run.h5");
  expectError([&] { goOn(true); }, {"run.h5", "'contacts/interaction' where 'energy/kinetic' is recorded now"});
  EXPECT_EQ(content(folder_ / "run.h5"), bytes) << "it was changed";
  std::filesystem::remove(folder_ / "run.h5");
  expectError([&] { goOn(); }, {"run.h5", "no such file"});
  std::filesystem::create_directories(folder_ / "other");
  {
    BeadsRun other(folder_ / "other");
    other.runTo(200);
  }
  std::filesystem::copy_file(folder_ / "other" / "run.h5", folder_ / "run.h5");
  expectError([&] { goOn(); }, {"run.h5", "another run"});
}

TEST_F(RecorderRestartTest, OfATableNeedsItsRows) {
  const auto path = folder_ / "table.csv";
  BouncingBall bouncing(1., 0., 0.5, 1.);
  TimeStepping simulation(bouncing.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
  std::unique_ptr<TableWriter> table;
  simulation.addState("table", [&](StateArchive& archive) { table->serializeState(archive); });
  const auto makeTable = [&] {
    table.reset();
    table = std::make_unique<TableWriter>(path, std::vector<std::string>{"x", "y"});
  };
  makeTable();
  table->writeRow({1., 2.});
  saveCheckpoint(simulation, folder_ / "checkpoint");
  table->writeRow({3., 4.});
  makeTable();
  restoreCheckpoint(simulation, folder_ / "checkpoint");
  EXPECT_EQ(table->rows(), 1U);
  table->writeRow({5., 6.});
  table->close();
  EXPECT_EQ(content(path), "x,y\n1,2\n5,6\n");
  // For a closed table; twice, since it was continued.
  makeTable();
  restoreCheckpoint(simulation, folder_ / "checkpoint");
  EXPECT_EQ(content(path), "x,y\n1,2\n5,6\n");
  table->writeRow({7., 8.});
  table->close();
  EXPECT_EQ(content(path), "x,y\n1,2\n7,8\n");
  std::ofstream(path) << "x,y\n1,3\n7,8\n";
  makeTable();
  expectError([&] { restoreCheckpoint(simulation, folder_ / "checkpoint"); }, {"table.csv.part", "not as when"});
  std::filesystem::remove(path);
  std::filesystem::remove(folder_ / "table.csv.part");
  makeTable();
  expectError([&] { restoreCheckpoint(simulation, folder_ / "checkpoint"); }, {"table.csv.part", "shorter"});
}

}  // namespace
