// SPDX-License-Identifier: Apache-2.0
//
// Recordings, pictures and checkpoints of runs whose steps are cut by clocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/VtkWriter.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>
#include <vector>

#include "RecorderFixture.hpp"

namespace delassus::test {
namespace {

using ClockedRunsTest = RecorderFixture;

// A ball on a floor in ten steps of 0.1 s, with a controller that pushes it every 0.07 s and cuts most of them.
struct PushedBall {
  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<LagrangianLinearTIDS> ball =
      std::make_shared<LagrangianLinearTIDS>(Vector(1, 0.2), Vector(1), Matrix(1, 1, 2.));
  std::unique_ptr<TimeStepping> simulation;
  double integral = 0.;
  std::function<void()> afterPush;

  explicit PushedBall(bool hasClock = true) {
    model.insert("ball", ball);
    model.link("floor", NewtonImpactNSL(0.6), LagrangianLinearTIR(Matrix(1, 1, 1.)), ball);
    simulation = std::make_unique<TimeStepping>(model, 0.1);
    if (hasClock) simulation->addSampling("controller", TimeDiscretisation(0., 0.07), [this] { push(); });
    simulation->addState("controller", [this](StateArchive& archive) {
      archive.value("integral", integral);
      if (archive.restores()) ball->setExternalForces(Vector(1, force()));
    });
  }
  double force() const { return -20. + integral; }
  void push() {
    integral += 0.3 - ball->q()(0);
    ball->setExternalForces(Vector(1, force()));
    if (afterPush) afterPush();
  }
};

std::vector<std::vector<std::string>> rowsOf(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_F(ClockedRunsTest, RecordTheEndsOfStepsAndNotOfPieces) {
  PushedBall pushed;
  const auto recorder = std::make_shared<CsvRecorder>(file("run.csv"));
  recorder->record(pushed.ball, {{"q", "m"}});
  recorder->every(2);
  recorder->at({0.07, 0.3, 0.55});  // the first of them is that of a push
  pushed.simulation->addObserver(recorder);
  std::vector<double> positions = {0.2};
  pushed.simulation->run([&] { positions.push_back(pushed.ball->q()(0)); });
  const auto rows = rowsOf(content(file("run.csv")));
  const std::vector<std::size_t> steps = {0, 1, 2, 3, 4, 6, 8, 10};  // 1 and 3 and 6: the first ones after the instants
  ASSERT_EQ(rows.size(), steps.size() + 1);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::vector<std::string>& row = rows[k + 1];
    EXPECT_NEAR(std::stod(row[0]), 0.1 * static_cast<double>(steps[k]), 1e-14);
    EXPECT_EQ(row[1], std::to_string(steps[k]));
    EXPECT_EQ(std::stod(row[2]), positions[steps[k]]) << "all digits";
  }
}

// With atEvents() each push has its row, of its instant and of the step that it falls into.
TEST_F(ClockedRunsTest, RecordEventsAtTheirInstants) {
  PushedBall pushed;
  const auto recorder = std::make_shared<CsvRecorder>(file("run.csv"));
  recorder->record(pushed.ball, {{"q", "m"}});
  recorder->atEvents();
  pushed.simulation->addObserver(recorder);
  std::vector<double> times, positions;
  pushed.afterPush = [&] {
    times.push_back(pushed.simulation->time());
    positions.push_back(pushed.ball->q()(0));
  };
  pushed.simulation->run();
  const auto rows = rowsOf(content(file("run.csv")));
  const auto& header = rows.front();
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  ASSERT_LT(column("event_source"), header.size()) << "no column of that name";
  std::size_t k = 0, steps = 0;
  double last = 0.;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double time = std::stod(rows[i][0]);
    EXPECT_GE(time, last) << "rows do not ascend";
    last = time;
    if (rows[i][column("event")] == "contacts") ++steps;
    if (rows[i][column("event_source")] != "controller") continue;
    ASSERT_LT(k, times.size());
    EXPECT_EQ(rows[i][column("event")], "sample");
    EXPECT_EQ(time, times[k]);
    EXPECT_EQ(std::stod(rows[i][column("ball q [m]")]), positions[k]);
    EXPECT_EQ(std::stod(rows[i][1]), std::floor(times[k] / 0.1 + 1e-9)) << "steps that are done";
    ++k;
  }
  EXPECT_EQ(k, 15U);
  EXPECT_GT(steps, 0U) << "the contact never changes";
}

TEST_F(ClockedRunsTest, AreDrawnAtTheEndsOfSteps) {
  const auto timesOf = [&](const VtkOptions& options) {
    PushedBall pushed;
    const auto vtk = std::make_shared<VtkWriter>(file("scene"), options);
    vtk->add("ball", pushed.ball, VtkShape::sphere(0.1), [](double, const Vector& q) {
      return VtkPlacement{{0., 0., q(0)}};
    });
    pushed.simulation->addObserver(vtk);
    pushed.simulation->run();
    const std::string list = content(file("scene") / "bodies.pvd");
    std::vector<double> times;
    const std::string key = "timestep=\"";
    for (std::size_t at = list.find(key); at != std::string::npos; at = list.find(key, at + 1)) {
      times.push_back(std::stod(list.substr(at + key.size())));
    }
    EXPECT_EQ(vtk->frames(), times.size());
    return times;
  };
  const auto expectTimes = [](const std::vector<double>& times, const std::vector<double>& expected) {
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], expected[k], 1e-12) << k;
  };
  expectTimes(timesOf({.every = 3}), {0., 0.3, 0.6, 0.9, 1.});
  expectTimes(timesOf({.interval = 0.25}), {0., 0.3, 0.5, 0.8, 1.});
}

// An action saves as its last deed, within a step and at the end of one: the restored run ends the step that was cut,
// and goes on to the same bits.
TEST_F(ClockedRunsTest, GoOnFromACheckpointThatAnActionHasWritten) {
  for (const std::size_t push : {4U, 11U}) {  // at 0.21, and at 0.7, the end of a step
    const std::filesystem::path path = file("run.checkpoint");
    PushedBall first;
    std::size_t pushes = 0;
    first.afterPush = [&] {
      if (++pushes == push) saveCheckpoint(*first.simulation, path);
    };
    first.simulation->run();
    EXPECT_NEAR(checkpointInfo(path).time, 0.07 * static_cast<double>(push - 1), 1e-14);
    const std::vector<double> end = imageOf(*first.simulation);

    PushedBall second;
    restoreCheckpoint(*second.simulation, path);
    EXPECT_EQ(second.simulation->time(), checkpointInfo(path).time);
    std::vector<double> outputs;
    std::size_t left = 0;
    second.afterPush = [&] { ++left; };
    second.simulation->run([&] { outputs.push_back(second.simulation->time()); });
    EXPECT_EQ(left, 15U - push) << "the push that has saved comes no second time";
    EXPECT_EQ(firstDifference(imageOf(*second.simulation), end), "");
    EXPECT_EQ(outputs.size(), push == 4 ? 8U : 3U);
    EXPECT_NEAR(outputs.front(), push == 4 ? 0.3 : 0.8, 1e-14);

    // The first run goes back, too, though its clock has nothing more to come.
    first.afterPush = {};
    restoreCheckpoint(*first.simulation, path);
    first.simulation->run();
    EXPECT_EQ(firstDifference(imageOf(*first.simulation), end), "");
  }
}

TEST_F(ClockedRunsTest, CannotGoOnWithinAStepWithoutTheirClock) {
  const std::filesystem::path path = file("run.checkpoint");
  PushedBall first;
  std::size_t pushes = 0;
  first.afterPush = [&] {
    if (++pushes == 4) saveCheckpoint(*first.simulation, path);
  };
  first.simulation->run();
  PushedBall without(false);
  expectError([&] { restoreCheckpoint(*without.simulation, path); }, {"step 2", "not an instant"});
  EXPECT_EQ(without.simulation->time(), 0.);
  without.simulation->run();
}

}  // namespace
}  // namespace delassus::test
