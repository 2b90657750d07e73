// SPDX-License-Identifier: Apache-2.0
//
// Recordings as comma-separated values.
#include <gtest/gtest.h>

#include <support/Matchers.hpp>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using CsvRecorderTest = RecorderFixture;

TEST_F(CsvRecorderTest, WritesTheSameAsCommaSeparatedValues) {
  ColumnOfBeads column(2, 0.15, 0.3, 0.5, 0.4);
  column.beads[0]->setName("lower");
  TimeStepping simulation = simulationOf(column.model, 2e-3);
  const auto recorder = std::make_shared<CsvRecorder>(file("run.csv"));
  recorder->record(column.beads[0], {{"q", "m", {"y", "x", "angle"}}});
  recorder->recordContacts({.rows = 1});
  recorder->every(50);
  simulation.addObserver(recorder);
  simulation.run();
  std::istringstream lines(content(file("run.csv")));
  std::string header, start, line;
  std::getline(lines, header);
  std::getline(lines, start);
  EXPECT_EQ(header, "time [s],step,lower q y [m],lower q x [m],lower q angle [m],contacts first,contacts count");
  EXPECT_EQ(start, "0,0,0.15,0,0,0,0");
  std::size_t count = 0;
  while (std::getline(lines, line)) ++count;
  EXPECT_EQ(count, 4U);
  const std::string contacts = content(file("run.contacts.csv"));
  EXPECT_TRUE(contacts.starts_with("row,contacts interaction,contacts block,contacts gap [m]")) << contacts;
}

TEST_F(CsvRecorderTest, KeepsTheColumnsRightWhateverNamesHaveInThem) {
  ColumnOfBeads column(1, 0.15, 0.3, 0.5, 0.4);
  column.beads[0]->setName("bead \"A\", lower");
  column.contacts[0]->setName("ground, bead\nA");
  TimeStepping simulation = simulationOf(column.model, 2e-3);
  const auto recorder = std::make_shared<CsvRecorder>(file("run.csv"));
  recorder->record(column.beads[0], {{"q", "m", {"y", "x, sideways", "angle"}}});
  recorder->recordContacts({.rows = 1});
  simulation.addObserver(recorder);
  simulation.run();
  const std::string rows = content(file("run.csv")), contacts = content(file("run.contacts.csv"));
  EXPECT_EQ(rows.substr(0, rows.find('\n')),
            "time [s],step,\"bead \"\"A\"\", lower q y [m]\",\"bead \"\"A\"\", lower q x, sideways [m]\","
            "\"bead \"\"A\"\", lower q angle [m]\",contacts first,contacts count");
  std::istringstream lines(contacts);
  std::string line;
  std::size_t count = 0;
  std::getline(lines, line);
  for (; std::getline(lines, line); ++count) {
    EXPECT_NE(line.find(",\"ground, bead A\",0,"), std::string::npos) << line;
  }
  EXPECT_GT(count, 0U) << "no contact was recorded";
}

TEST_F(CsvRecorderTest, KeepsTheTableOfARunThatDidNotComplete) {
  const auto record = [&](std::size_t steps) {
    BallRun run;
    const auto recorder = std::make_shared<CsvRecorder>(file("run.csv"));
    recorder->record("ball");
    run.simulation.addObserver(recorder);
    run.simulation.run([&] {
      if (run.simulation.stepIndex() == steps) run.simulation.stop();
    });
  };
  record(100);
  const std::string table = content(file("run.csv.part"));
  expectError([&] { record(200); }, {"run.csv", "did not complete", "checkpoint", "another name", "remove"});
  EXPECT_EQ(content(file("run.csv.part")), table);
  std::filesystem::remove(file("run.csv.part"));
  record(200);
  record(200);
  EXPECT_FALSE(std::filesystem::exists(file("run.csv.part")));
}

}  // namespace
