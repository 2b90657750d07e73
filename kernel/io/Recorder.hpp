// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <delassus/kernel/io/RecordPlan.hpp>
#include <delassus/kernel/io/RecordSchedule.hpp>
#include <delassus/kernel/io/RecordSelection.hpp>
#include <delassus/kernel/io/RecordSink.hpp>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// Records a run in a file in HDF5, which can be read while it is written (SWMR) and after the program was killed:
///
///     auto recorder = std::make_shared<Recorder>("run.h5");
///     recorder->record(ball, {{"q", "m"}, {"velocity", "m/s"}});
///     recorder->record("floor");
///     recorder->recordEnergy([&] { return m * g * ball->q()(0); });
///     recorder->every(10);
///     simulation.addObserver(recorder);
///
/// What is recorded is chosen before the first step; quantities, their paths in the file and how to read them are in
/// docs/recording.md and RecordReader. A row has the step, the time and all quantities.
///
/// The file is begun with the first step. It replaces the recording of a run that completed; the first step refuses to
/// replace any other. Rows are gathered and committed about every 2 s, by checkpoints, and at the end: committed rows
/// survive when the program is killed. A run restored from a checkpoint continues after the rows that the file had at
/// the checkpoint; later rows, which will come again, are dropped.
class Recorder : public SimulationObserver {
 public:
  /// Throws Error for options that make no sense, or if the library was built without HDF5.
  explicit Recorder(std::filesystem::path path, const RecordFileOptions& options = {});
  /// To another kind of file.
  explicit Recorder(std::unique_ptr<RecordSink> sink);
  ~Recorder() override;

  /// "recorder of run.h5"; to be set if two recorders of a simulation have files of the same name.
  ///@{
  std::string_view name() const override { return name_; }
  void setName(std::string name) { name_ = std::move(name); }
  ///@}

  // Choice of quantities. Mistakes in names are found by the first step, since the model may be built later.

  /// A system's "q", "velocity", "acceleration" (event-driven), "p", "kinetic_energy", or "x", "r"; q and velocity, or
  /// x, by default. The user gives the units of coordinates; only those of rigid bodies are known.
  void record(std::shared_ptr<DynamicalSystem> system, std::vector<RecordChoice> choices = {});
  /// An interaction's "y0", "y1", "lambda0", "lambda1" and "active"; by default all of its levels.
  void record(std::shared_ptr<Interaction> interaction, std::vector<RecordChoice> choices = {});
  /// A system or an interaction of the model by its name.
  void record(std::string name, std::vector<RecordChoice> choices = {});
  /// The usual quantities of all systems and interactions that are in the model at the beginning, except for
  /// interactions that a manager links and removes (Simulation::managedInteractions): recordContacts records these.
  void recordAll();
  /// Many alike systems in one quantity of m members.
  template <std::derived_from<DynamicalSystem> System>
  void recordTogether(std::string name, const std::vector<std::shared_ptr<System>>& systems,
                      std::vector<RecordChoice> choices = {}) {
    requireNotBegun();
    selection_.together(std::move(name), {systems.begin(), systems.end()}, std::move(choices));
  }
  /// A number that `f` computes, or `size` numbers that it writes, as "user/<name>". Throws Error if `f` is empty or
  /// `size` is 0.
  ///@{
  void record(std::string name, std::string unit, std::function<double()> f);
  void record(std::string name, std::string unit, std::size_t size, std::function<void(double*)> f);
  ///@}
  /// Kinetic energy of all mechanical systems, and, where the potential energy is known, that and the sum. A function
  /// gives it; without one it is that of the model's gravity (NonSmoothDynamicalSystem::setGravity) and of its force
  /// elements, where there are any.
  void recordEnergy(std::function<double()> potential = {});
  /// Numbers of the last step (Simulation::stepNumbers), and the sizes of the index sets.
  void recordSolver();
  /// Contacts that come and go, each with name, gap, relative velocity and impulse: a ragged table.
  void recordContacts(ContactChoice choice = {});

  /// A parameter or an option of the program, for the record (RecordReader::options). A recording that is continued
  /// keeps its own; one of the same name gets the new value. Tables of comma-separated values cannot hold them and omit
  /// them. Throws Error for a name that is empty or was given before, or once the recording has begun.
  void setting(std::string name, std::string value);

  // When to record; every step by default. Several choices add up.

  /// The initial state, and after every n-th step. Throws Error for 0.
  void every(std::size_t steps);
  /// After the first step that ends at or after each instant. Throws Error unless they are finite and ascend.
  void at(std::vector<double> instants);
  /// After each event of an event-driven simulation; after each sampling or switching of a clock, also within a step,
  /// and each step of time stepping in which a contact became active, or no longer was. Rows then have "event", its
  /// kind, and "event_source".
  void atEvents();

  /// How long rows may wait to be committed, 2 s by default; with 0 each row is committed. Throws Error if it is
  /// negative.
  void setFlushSeconds(double seconds);

  /// Commits all rows so far.
  void flush();
  /// Finishes the file, as the end of the run does. A later step continues the file.
  void close();
  /// Rows so far.
  std::uint64_t rows() const { return sink_->rows(0); }
  /// Path of the file; with several tables, that of the table of rows.
  const std::filesystem::path& path() const { return sink_->path(); }

  void begin(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  void onEvent(Simulation& simulation, const Event& event) override;
  void end(Simulation& simulation, RunEnd how) override;
  void serializeState(StateArchive& archive) override;

 private:
  using Clock = std::chrono::steady_clock;

  void requireNotBegun() const;
  void open(const Simulation& simulation);
  void makePlan(const Simulation& simulation);
  void writeRow(const Simulation& simulation, double time, std::string_view event, std::string_view source);

  std::unique_ptr<RecordSink> sink_;
  std::string name_;
  RecordSelection selection_;
  RecordSchedule schedule_;
  RecordPlan plan_;
  Settings options_;
  bool begun_ = false;
  bool restored_ = false;
  std::uint64_t lastStep_ = 0;  // the last step considered
  RecordStatus status_ = RecordStatus::running;
  Clock::duration flushInterval_ = std::chrono::seconds(2);
  Clock::time_point lastFlush_;

  // The row that is written, and where.
  double step_ = 0.;
  double time_ = 0.;
  double event_ = 0.;
  double source_ = 0.;
};

/// Records a run as comma-separated values, for small runs: one table with a column for each number, as "run.csv.part"
/// until the run is complete (see TableWriter). Ragged tables are written next to it, "run.contacts.csv".
class CsvRecorder final : public Recorder {
 public:
  /// The table of rows under this path, ragged ones beside it. Throws Error for a path without a name of a file.
  explicit CsvRecorder(std::filesystem::path path) : Recorder(makeCsvSink(std::move(path))) {}
};

}  // namespace delassus
