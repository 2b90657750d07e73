// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks that a run restored from a checkpoint goes on to the same bits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace delassus::test {

/// A model and its simulation, built again for each run.
struct RestartRun {
  std::shared_ptr<void> owner;  ///< of the model
  std::shared_ptr<Simulation> simulation;
  std::function<void()> afterStep;
};
using MakeRun = std::function<RestartRun()>;

/// Owns a model of a struct and its simulation.
template <class Model>
RestartRun restartRun(std::shared_ptr<Model> model, std::shared_ptr<Simulation> simulation,
                      std::function<void()> afterStep = {}) {
  return {std::move(model), std::move(simulation), std::move(afterStep)};
}

/// All that a run has computed, number by number.
inline std::vector<double> imageOf(const Simulation& simulation) {
  std::vector<double> image{simulation.time(), static_cast<double>(simulation.stepIndex())};
  const auto add = [&](const Vector& v) { image.insert(image.end(), v.begin(), v.end()); };
  for (const auto& system : simulation.model().topology().systems()) {
    if (const SecondOrderDS* const body = system->secondOrder()) {
      add(body->q());
      add(body->velocity());
      add(body->p());
      for (std::size_t k = 1; k <= body->history().size(); ++k) add(body->history().at(k).q);
    }
    if (const FirstOrderDS* const flow = system->firstOrder()) {
      add(flow->x());
      add(flow->r());
      add(flow->z());
      for (std::size_t k = 1; k <= flow->history().size(); ++k) add(flow->history().at(k).x);
    }
  }
  for (const auto& interaction : simulation.model().topology().interactions()) {
    for (std::size_t level = 0; level < interaction->levels(); ++level) {
      add(interaction->y(level));
      add(interaction->lambda(level));
    }
    for (std::size_t block = 0; block < interaction->blocks(); ++block) image.push_back(interaction->isActive(block));
  }
  if (const auto* const stepping = dynamic_cast<const TimeStepping*>(&simulation)) {
    const StepStatistics& s = stepping->statistics();
    for (const std::size_t n :
         {s.steps, s.newtonIterations, s.solves, s.solverIterations, s.acceptedFailures, s.projections,
          s.projectionIterations, s.repeatedSteps, s.fallbacks, s.relaxed, s.rejectedSteps}) {
      image.push_back(static_cast<double>(n));
    }
    for (const double x : {s.worstError, s.worstResidual, s.worstViolation}) image.push_back(x);
    const StepReport& report = stepping->lastStep();
    image.push_back(static_cast<double>(report.problemSize));
    image.push_back(static_cast<double>(report.solve.iterations));
    image.push_back(report.solve.error);
    image.push_back(report.newtonResidual);
  }
  return image;
}

/// The first number that has other bits; empty if there is none.
inline std::string firstDifference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::to_string(a.size()) + " against " + std::to_string(b.size()) + " numbers";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i])) continue;
    std::ostringstream text;
    text.precision(17);
    text << "number " << i << " of " << a.size() << " is " << a[i] << " against " << b[i];
    return text.str();
  }
  return {};
}

/// A folder of its own for each test program, in memory where there is one: checkpoints wait for the disk.
inline std::filesystem::path restartFolder() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path memory = "/dev/shm";
    const bool hasMemory = ::access(memory.c_str(), W_OK) == 0;
    auto path = (hasMemory ? memory : std::filesystem::temp_directory_path()) /
                ("delassus_restart_" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
    return path;
  }();
  return folder;
}

inline std::string bytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return std::move(all).str();
}

inline void stepOnce(RestartRun& run) {
  // As Simulation::run does, one step at a time.
  run.simulation->step();
  if (run.afterStep) run.afterStep();
}

/// Steps worth a checkpoint: the first and the last ones, some between, and those in which a contact opens or closes.
inline std::set<std::size_t> checkpointSteps(const std::vector<std::vector<char>>& activity) {
  const std::size_t last = activity.size() - 1;
  std::set<std::size_t> steps{0, 1, 2, last / 3, last / 2, last - 1, last};
  std::size_t changes = 0;
  for (std::size_t k = 1; k < last && changes < 3; ++k) {
    if (activity[k] == activity[k - 1]) continue;
    steps.insert(k - 1);
    steps.insert(k);
    ++changes;
  }
  return steps;
}

inline std::vector<char> activityOf(const Simulation& simulation) {
  std::vector<char> active;
  for (const auto& interaction : simulation.model().topology().interactions()) {
    for (std::size_t block = 0; block < interaction->blocks(); ++block) {
      active.push_back(interaction->isActive(block) ? 1 : 0);
    }
  }
  return active;
}

/// Runs it once through, and from checkpoints at many steps; `sameBytes`: a checkpoint of a restored run equals, byte
/// by byte, the one it was restored from.
inline void expectSameAfterRestart(const std::string& name, const MakeRun& make, bool sameBytes = true) {
  SCOPED_TRACE(name);
  std::vector<std::vector<double>> images;
  std::vector<std::vector<char>> activity;
  {
    RestartRun run = make();
    run.simulation->initialise();
    for (;;) {
      images.push_back(imageOf(*run.simulation));
      activity.push_back(activityOf(*run.simulation));
      if (!run.simulation->hasNextStep()) break;
      stepOnce(run);
    }
  }
  const std::set<std::size_t> wanted = checkpointSteps(activity);
  const auto pathOf = [&](std::size_t step) { return restartFolder() / (std::to_string(step) + ".checkpoint"); };
  {
    // Saving must not change the run either.
    RestartRun run = make();
    run.simulation->initialise();
    for (std::size_t k = 0; k < images.size(); ++k) {
      if (wanted.contains(k)) saveCheckpoint(*run.simulation, pathOf(k));
      ASSERT_EQ(firstDifference(imageOf(*run.simulation), images[k]), "") << "with checkpoints, after step " << k;
      if (k + 1 < images.size()) stepOnce(run);
    }
  }
  for (const std::size_t begin : wanted) {
    RestartRun run = make();
    restoreCheckpoint(*run.simulation, pathOf(begin));
    ASSERT_EQ(firstDifference(imageOf(*run.simulation), images[begin]), "") << "just restored, after step " << begin;
    if (sameBytes) {
      saveCheckpoint(*run.simulation, restartFolder() / "again.checkpoint");
      EXPECT_EQ(bytesOf(restartFolder() / "again.checkpoint") == bytesOf(pathOf(begin)), true)
          << "saved again, after step " << begin;
    }
    for (std::size_t k = begin + 1; k < images.size(); ++k) {
      stepOnce(run);
      ASSERT_EQ(firstDifference(imageOf(*run.simulation), images[k]), "")
          << "restarted after step " << begin << ", after step " << k;
    }
  }
  std::filesystem::remove_all(restartFolder());
}

}  // namespace delassus::test
