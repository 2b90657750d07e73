// SPDX-License-Identifier: Apache-2.0
#include "ExampleRun.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/simulation/ProgressObserver.hpp>
#include <delassus/numerics/Error.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace {

/// Interrupts a run at a step, as Ctrl-C would.
class StopAfter final : public delassus::SimulationObserver {
 public:
  explicit StopAfter(std::size_t step) : step_(step) {}

  std::string_view name() const override { return "stop"; }
  void afterStep(delassus::Simulation& simulation) override {
    if (simulation.stepIndex() == step_) simulation.stop();
  }

 private:
  std::size_t step_;
};

/// Writes the row of the initial state once the observers before it have begun: a recording that is refused leaves the
/// tables of the run before as they are.
class FirstRow final : public delassus::SimulationObserver {
 public:
  explicit FirstRow(std::function<void()> record) : record_(std::move(record)) {}

  std::string_view name() const override { return "first row"; }
  void begin(delassus::Simulation& simulation) override {
    if (simulation.stepIndex() == 0) record_();
  }

 private:
  std::function<void()> record_;
};

}  // namespace

int runProgram(int argc, char** argv, const char* description, const std::function<void(CommandLine&)>& addOptions,
               const std::function<void()>& work) {
  const std::string program = std::filesystem::path(argv[0]).filename().string();
  CommandLine line(program, description);
  addOptions(line);
  if (const std::optional<int> end = line.parse(argc, argv)) return *end;
  try {
    work();
  } catch (const Interrupted&) {
    constexpr int afterInterrupt = 130;
    return afterInterrupt;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", line.program().c_str(), error.what());
    return 1;
  }
  return 0;
}

int runExample(int argc, char** argv, const char* description, RunOptions& run,
               const std::function<void(CommandLine&)>& addOptions, const std::function<void()>& work) {
  const auto allOptions = [&](CommandLine& line) {
    addOptions(line);
    run.addTo(line);
  };
  return runProgram(argc, argv, description, allOptions, work);
}

void RunOptions::addTo(CommandLine& line) {
  program = &line;
  if (!std::isnan(step)) line.add("--step", step, "Step h, s");
  if (!std::isnan(end)) line.add("--end", end, "Final time, s");
  if (!std::isnan(theta)) line.add("--theta", theta, "Theta of the scheme");
  line.add("--output", output, "Folder for the tables");
  line.addFlag("--resume", resume, "Go on from the checkpoint in the output folder");
  line.add("--checkpoint-every", checkpointEvery, "Minutes between checkpoints; 0: only when interrupted")
      .notNegative();
  line.add("--record", record, "File in the output folder to record all states, outputs and multipliers: .h5 or .csv");
  line.add("--save-problem", saveProblem,
           "File in the output folder for the one-step problem of the last step, as delassus-solve reads it: .dat, "
           "or .hdf5 for friction");
  line.add("--stop-after", stopAfter,
           "Step after which the run is interrupted, as by Ctrl-C, or part of all steps below 1; 0: none")
      .between(0., 1e15);
}

ExampleRun::ExampleRun(const RunOptions& options, delassus::Simulation& simulation)
    : options_(options), simulation_(simulation) {
}

ExampleRun::ExampleRun(const RunOptions& options, delassus::TimeStepping& simulation)
    : ExampleRun(options, static_cast<delassus::Simulation&>(simulation)) {
  problem_ = &simulation.problem();
}

ExampleRun& ExampleRun::keep(delassus::TableWriter& table) {
  const std::string name = "table " + std::to_string(tables_.size());
  tables_.push_back(&table);
  return keep(name, [&table](delassus::StateArchive& archive) { table.serializeState(archive); });
}

ExampleRun& ExampleRun::keep(std::string name, std::function<void(delassus::StateArchive&)> serialize) {
  simulation_.addState(std::move(name), std::move(serialize));
  return *this;
}

ExampleRun& ExampleRun::keep(std::string name, std::vector<double*> numbers) {
  return keep(std::move(name), [numbers = std::move(numbers)](delassus::StateArchive& archive) {
    for (double* const number : numbers) archive.value("number", *number);
  });
}

void ExampleRun::addRecorder() {
  const std::filesystem::path path = options_.file(options_.record);
  std::shared_ptr<delassus::Recorder> recorder;
  if (path.extension() == ".csv") {
    recorder = std::make_shared<delassus::CsvRecorder>(path);
  } else if (path.extension() == ".h5") {
    recorder = std::make_shared<delassus::Recorder>(path);
  } else {
    throw delassus::Error("--record", "expected a file that ends in .h5 or .csv, but got '" + options_.record + "'.");
  }
  recorder->recordAll();
  recorder->recordSolver();
  for (const auto& [name, value] : options_.program->settings()) recorder->setting(name, value);
  simulation_.addObserver(std::move(recorder));
}

std::size_t ExampleRun::stepToStopAfter() const {
  const double wanted = options_.stopAfter;
  if (wanted < 1.) {
    const double steps = wanted * static_cast<double>(simulation_.steps());
    return static_cast<std::size_t>(std::max(1., steps));
  }
  if (wanted != std::floor(wanted)) {
    throw delassus::Error("--stop-after",
                          "expected the number of a step or a part of the run between 0 and 1, but got " +
                              delassus::toText(wanted) + ".");
  }
  return static_cast<std::size_t>(wanted);
}

void ExampleRun::begin(const std::function<void()>& record) {
  if (!options_.saveProblem.empty() && problem_ == nullptr) {
    throw delassus::Error("--save-problem", "this run is not by time stepping: it has no problem of a last step.");
  }
  if (options_.stopAfter > 0) simulation_.addObserver(std::make_shared<StopAfter>(stepToStopAfter()));
  if (!options_.record.empty()) addRecorder();
  if (!options_.resume) simulation_.addObserver(std::make_shared<FirstRow>(record));
  simulation_.addObserver(std::make_shared<delassus::ProgressObserver>(options_.program->program()));
  delassus::AutomaticCheckpointOptions checkpoints;
  checkpoints.minutes = options_.checkpointEvery > 0. ? options_.checkpointEvery : HUGE_VAL;
  checkpoints.resumeHint = "run the same command again with --resume";
  const std::filesystem::path checkpoint = options_.file("run.checkpoint");
  simulation_.addObserver(std::make_shared<delassus::AutomaticCheckpoint>(checkpoint, checkpoints));
  if (options_.resume) delassus::restoreCheckpoint(simulation_, checkpoint);
}

void ExampleRun::finish() {
  if (!options_.saveProblem.empty()) problem_->saveProblem(options_.file(options_.saveProblem));
  if (simulation_.hasNextStep()) throw Interrupted();
  for (delassus::TableWriter* const table : tables_) table->close();
  std::printf("%s\nTables: %s\n", simulation_.summary().c_str(), options_.output.c_str());
}

void ExampleRun::toTheEnd(const std::function<void()>& record, const std::function<void()>& afterStep) {
  begin(record);
  simulation_.run(afterStep);
  finish();
}
