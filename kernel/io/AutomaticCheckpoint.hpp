// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <delassus/kernel/io/Interruption.hpp>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace delassus {

/// Options of AutomaticCheckpoint.
struct AutomaticCheckpointOptions {
  double minutes = 10.;        ///< of wall time between checkpoints; infinity: none
  std::size_t steps = 0;       ///< also after every this many steps; 0: never
  bool atEnd = true;           ///< at the end of a run too: it may be continued to a later T
  bool onInterruption = true;  ///< Ctrl-C and SIGTERM stop the run after the step, with a checkpoint
  /// How to continue, for the message after an interruption: "run again with --resume".
  std::string resumeHint = "restore it with restoreCheckpoint and run again";
};

/// Writes checkpoints of a run at intervals, at its end, and when it is interrupted:
///
///     simulation.addObserver(std::make_shared<AutomaticCheckpoint>("study.checkpoint"));
///     simulation.run();
///
/// Ctrl-C (or SIGTERM, as batch systems send it) lets the step finish, writes a checkpoint, says on standard error how
/// to continue, and makes run() return; a second Ctrl-C ends the process at once. A step that takes longer than the
/// patience of StopRequest is abandoned, and the checkpoint is of the state before it: the run goes on from there,
/// though not always to the same bits. Programs that call step() themselves check wasInterrupted() after it, and get
/// Interrupted out of a step that is abandoned.
///
/// It is notified of a step after all other observers, in whatever order they were added, so that their files are
/// consistent with the checkpoint. If a checkpoint cannot be written during the run (a full disk), the Log has a
/// warning and the next interval tries again. The first one, written when the run begins (and not kept if a checkpoint
/// exists already), and those at the end and at an interruption throw Error. After a run that failed the last
/// checkpoint stays as it is.
class AutomaticCheckpoint final : public SimulationObserver {
 public:
  /// Throws Error unless the minutes are positive.
  explicit AutomaticCheckpoint(std::filesystem::path path, AutomaticCheckpointOptions options = {});
  ~AutomaticCheckpoint() override;

  /// True if the run was stopped by a signal.
  bool wasInterrupted() const { return interrupted_; }
  /// Checkpoints written.
  std::size_t count() const { return count_; }
  /// Where the last checkpoint is.
  const std::filesystem::path& path() const { return path_; }

  std::string_view name() const override { return "AutomaticCheckpoint"; }
  bool comesLast() const override { return true; }
  void begin(Simulation& simulation) override;
  void beginRun(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  void end(Simulation& simulation, RunEnd how) override;

 private:
  bool isDue(const Simulation& simulation) const;
  void save(Simulation& simulation);
  void listen();
  void explain();

  std::filesystem::path path_;
  AutomaticCheckpointOptions options_;
  std::optional<Interruption> interruption_;
  std::chrono::steady_clock::time_point last_;
  std::size_t lastStep_ = 0;
  double lastTime_ = 0.;
  std::size_t count_ = 0;
  bool interrupted_ = false;
  bool explained_ = false;
};

}  // namespace delassus
