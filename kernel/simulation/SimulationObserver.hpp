// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/StateArchive.hpp>
#include <string_view>

namespace delassus {

class Simulation;
struct Event;

/// How a run ended.
enum class RunEnd {
  completed,  ///< at the final time
  stopped,    ///< by Simulation::stop(), or in mid-step by a StopRequest
  failed      ///< by an exception, which goes on to the caller
};

/// Looks on while a simulation runs: recorders, pictures, progress, checkpoints. An observer does not change the model.
///
/// Where it keeps something from step to step (rows written so far), it serialises it, so that a run that is restored
/// from a checkpoint goes on in the same files. A checkpoint asks it by its name; an observer that serialises nothing
/// may be there or not.
class SimulationObserver {
 public:
  virtual ~SimulationObserver() = default;
  SimulationObserver(const SimulationObserver&) = delete;
  SimulationObserver& operator=(const SimulationObserver&) = delete;

  /// In messages and checkpoints; different for each observer of a simulation.
  virtual std::string_view name() const = 0;

  /// When it is added to a simulation; and, to forget what it has seen there, where a checkpoint is restored that has
  /// nothing of it.
  virtual void wasAdded(Simulation&) {}
  /// Before the first step of this process, when the model is initialised; and again before the first step after a
  /// checkpoint was restored, with the state of that. It comes after serializeState.
  virtual void begin(Simulation&) {}
  /// When run() begins, each time, after begin: where a run goes on after stop(), too. Not for steps outside of run().
  virtual void beginRun(Simulation&) {}
  /// After each step or output, and after the function that Simulation::run was given.
  virtual void afterStep(Simulation&) {}
  /// After each event of an event-driven simulation, with the state just after it.
  virtual void onEvent(Simulation&, const Event&) {}
  /// When run() returns or throws, after begin. For `failed` it must not throw.
  virtual void end(Simulation&, RunEnd) {}

  /// True for one that is to be told after all others, whatever the order in which they were added: a checkpoint.
  virtual bool comesLast() const { return false; }
  /// True for one that only sums up what it sees: a checkpoint is restored also where it has nothing of this observer,
  /// which then begins there, or where the observer is not there any more.
  virtual bool isOptional() const { return false; }

  /// Saves or restores what goes from step to step, between steps, and possibly before begin. What is saved is to be on
  /// the disk when this returns: a recorder flushes.
  virtual void serializeState(StateArchive&) {}

 protected:
  SimulationObserver() = default;
};

}  // namespace delassus
