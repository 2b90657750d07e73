// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "CommandLine.hpp"

/// Thrown where a run was interrupted, after its checkpoint was written.
struct Interrupted {};

/// What the main function of an example does: `addOptions(line)` says what its options are, the command line is
/// parsed, and `work` is called. Returns 0 after that; 1 where `work` throws
/// an error, which is written to the standard error after the name of the program; 130, as shells have it after Ctrl-C,
/// where the run was interrupted, so that what a script does next is not done with half of the results; and what CLI11
/// returns where the command line is refused.
int runProgram(int argc, char** argv, const char* description, const std::function<void(CommandLine&)>& addOptions,
               const std::function<void()>& work);

/// The options that all examples have for their run.
struct RunOptions {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double step = none;    ///< h, s; what is `none` here is no option of the program
  double end = none;     ///< T, s
  double theta = none;   ///< of the scheme
  std::string output{};  ///< folder for the tables

  bool resume = false;           ///< go on from the checkpoint in the output folder
  double checkpointEvery = 10.;  ///< minutes; 0: only when interrupted
  double stopAfter = 0.;         ///< step (output) at which the run is interrupted, or part of all below 1; 0: none
  std::string record{};          ///< file for a recording of all objects, .h5 or .csv; none where it is empty
  std::string saveProblem{};     ///< file for the one-step problem of the last step, .dat or .hdf5; empty: none

  /// Whose options a recording has; set by addTo(), and must live as long as the run.
  const CommandLine* program = nullptr;

  void addTo(CommandLine& line);

  /// The path of a file in the output folder.
  std::filesystem::path file(const std::string& name) const { return std::filesystem::path(output) / name; }
};

/// runProgram() with those of `run` after the program's own options.
int runExample(int argc, char** argv, const char* description, RunOptions& run,
               const std::function<void(CommandLine&)>& addOptions, const std::function<void()>& work);

/// What all examples do around the run of a simulation: progress on the terminal, a checkpoint now and then and at
/// Ctrl-C, and going on from one, so that the tables end as if nothing had happened; and a recording of all that is in
/// the model, if one is asked for. At the end it prints the summary of the simulation.
///
///     ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
class ExampleRun {
 public:
  /// The first is for runs that are not by time stepping.
  ///@{
  ExampleRun(const RunOptions& options, delassus::Simulation& simulation);
  ExampleRun(const RunOptions& options, delassus::TimeStepping& simulation);
  ///@}

  /// A table that is closed at the end. After --resume it goes on where the checkpoint was written.
  ExampleRun& keep(delassus::TableWriter& table);
  /// What the example itself remembers from step to step.
  ExampleRun& keep(std::string name, std::function<void(delassus::StateArchive&)> serialize);
  ExampleRun& keep(std::string name, std::vector<double*> numbers);

  /// Calls `record` for the initial state, before the first step (unless it is resumed), then simulates, with
  /// `afterStep` called after each step, and closes the tables. Throws Interrupted where it did not come to the end:
  /// the files are not complete then.
  void toTheEnd(const std::function<void()>& record, const std::function<void()>& afterStep);
  void toTheEnd(const std::function<void()>& record) { toTheEnd(record, record); }

  // The same in parts, for examples that run the simulation themselves.
  void begin(const std::function<void()>& record);
  void finish();

 private:
  void addRecorder();
  std::size_t stepToStopAfter() const;

  RunOptions options_;
  delassus::Simulation& simulation_;
  const delassus::OneStepNSProblem* problem_ = nullptr;
  std::vector<delassus::TableWriter*> tables_;
};
