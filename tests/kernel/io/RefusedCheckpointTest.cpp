// SPDX-License-Identifier: Apache-2.0
//
// A refused checkpoint leaves everything as it was, including what was restored before the refusal.
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(RefusedCheckpoint, LeavesStatesAndTablesOfTheUserAsTheyWere) {
  const auto folder = std::filesystem::temp_directory_path() / "delassus_refused_checkpoint";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  BouncingBall ball(1., 0., 0.9, 1.);
  double gravity = 9.81;
  ball.ball->setExternalForces([&](double, Vector& F) { F(0) = -gravity; });
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP());
  TableWriter table(folder / "table.csv", {"t [s]"});
  double integral = 0.;
  simulation.addState("table", [&](StateArchive& archive) { table.serializeState(archive); });
  simulation.addState("the last one", [&](StateArchive& archive) { archive.value("integral", integral); });
  simulation.run([&] {
    table.writeRow({simulation.time()});
    integral += 1.;
    if (simulation.stepIndex() == 3) saveCheckpoint(simulation, folder / "run.checkpoint");
    if (simulation.stepIndex() != 8) return;
    gravity = 1.62;
    expectError([&] { restoreCheckpoint(simulation, folder / "run.checkpoint"); }, {"the force on", "has changed"});
    gravity = 9.81;
    EXPECT_EQ(integral, 8.);
    EXPECT_EQ(table.rows(), 8U);
  });
  table.close();
  EXPECT_EQ(integral, 10.);
  std::ifstream file(folder / "table.csv");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_EQ(lines, 11U);
  std::filesystem::remove_all(folder);
}

}  // namespace
