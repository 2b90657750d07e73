// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/io/ProgressBar.hpp>
#include <exception>
#include <utility>

namespace delassus {

using Clock = std::chrono::steady_clock;

AutomaticCheckpoint::AutomaticCheckpoint(std::filesystem::path path, AutomaticCheckpointOptions options)
    : path_(std::move(path)), options_(std::move(options)) {
  if (options_.minutes > 0.) return;
  throw Error("AutomaticCheckpoint",
              "the minutes between checkpoints must be positive, got " + toText(options_.minutes) + ".");
}

AutomaticCheckpoint::~AutomaticCheckpoint() {
  explain();
}

// Writes the first one, so that a file that cannot be written is reported before the work and not after it. An existing
// one is kept until the next contains some work: a user may have forgotten to resume.
void AutomaticCheckpoint::begin(Simulation& simulation) {
  if (std::filesystem::exists(path_)) {
    std::filesystem::path trial = path_;
    trial += ".trial";
    saveCheckpoint(simulation, trial);
    std::filesystem::remove(trial);
    last_ = Clock::now();
    lastStep_ = simulation.stepIndex();
  } else {
    save(simulation);
  }
  listen();
}

// For a second run of one simulation: the end of the first has released the signals. An interruption of steps outside
// of run() is over.
void AutomaticCheckpoint::beginRun(Simulation&) {
  if (interrupted_) {
    explain();
    interruption_.reset();
  }
  listen();
}

void AutomaticCheckpoint::listen() {
  if (!options_.onInterruption || interruption_) return;
  interruption_.emplace();
  interrupted_ = explained_ = false;
}

bool AutomaticCheckpoint::isDue(const Simulation& simulation) const {
  if (options_.steps > 0 && simulation.stepIndex() >= lastStep_ + options_.steps) return true;
  return std::chrono::duration<double>(Clock::now() - last_).count() >= 60. * options_.minutes;
}

void AutomaticCheckpoint::afterStep(Simulation& simulation) {
  listen();
  if (interruption_ && Interruption::wasRequested() && !interrupted_) {
    save(simulation);
    interrupted_ = true;
    simulation.stop();
    return;
  }
  if (!isDue(simulation)) return;
  try {
    save(simulation);
  } catch (const std::exception& error) {
    last_ = Clock::now();
    lastStep_ = simulation.stepIndex();
    Log::warning("No checkpoint was written at t = " + toText(simulation.time()) + ". " + error.what());
  }
}

void AutomaticCheckpoint::end(Simulation& simulation, RunEnd how) {
  // A step that took too long was abandoned; the state is the one before it.
  const bool wasAbandoned = how == RunEnd::stopped && interruption_ && Interruption::wasRequested() && !interrupted_;
  // Before saving, which may solve problems of the mode that the state is in: an overdue request would end that too.
  interruption_.reset();
  if (wasAbandoned) {
    save(simulation);
    interrupted_ = true;
  }
  explain();
  if (how == RunEnd::failed || !options_.atEnd) return;
  if (count_ > 0 && lastStep_ == simulation.stepIndex() && lastTime_ == simulation.time()) return;
  save(simulation);
}

void AutomaticCheckpoint::save(Simulation& simulation) {
  saveCheckpoint(simulation, path_);
  ++count_;
  last_ = Clock::now();
  lastStep_ = simulation.stepIndex();
  lastTime_ = simulation.time();
}

void AutomaticCheckpoint::explain() {
  if (!interrupted_ || explained_) return;
  explained_ = true;
  TerminalLine::print("Interrupted at t = " + toText(lastTime_) + " after " + std::to_string(lastStep_) +
                      " steps. The checkpoint '" + path_.string() + "' was written; to go on, " + options_.resumeHint +
                      '.');
}

}  // namespace delassus
