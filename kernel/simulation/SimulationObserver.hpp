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

/// Observes a simulation while it runs: recorders, pictures, progress, checkpoints. An observer does not change the
/// model.
///
/// It serialises what it keeps from step to step (rows written so far), so that a run restored from a checkpoint goes
/// on in the same files. A checkpoint identifies it by its name; an observer that serialises nothing may be present or
/// absent.
class SimulationObserver {
 public:
  virtual ~SimulationObserver() = default;
  SimulationObserver(const SimulationObserver&) = delete;
  SimulationObserver& operator=(const SimulationObserver&) = delete;

  /// In messages and checkpoints; different for each observer of a simulation.
  virtual std::string_view name() const = 0;

  /// Called when it is added to a simulation, and when a checkpoint without data of this observer is restored, so that
  /// it forgets what it has seen.
  virtual void wasAdded(Simulation&) {}
  /// Before the first step of this process, when the model is initialised; and again before the first step after a
  /// checkpoint was restored, with the state of that. It is called after serializeState.
  virtual void begin(Simulation&) {}
  /// When run() begins, each time, after begin: where a run goes on after stop(), too. Not for steps outside of run().
  virtual void beginRun(Simulation&) {}
  /// After each step or output, and after the function that Simulation::run was given.
  virtual void afterStep(Simulation&) {}
  /// Within a step of an event-driven simulation, whose integration has come to t; the states are still those of
  /// time().
  virtual void withinStep(Simulation&, double /*t*/) {}
  /// At an instant of a clock in time stepping (ClockedSimulation), with the state that a step or a piece of one has
  /// reached, before the actions of the instant; afterStep follows where the step ends there.
  virtual void beforeActions(Simulation&) {}
  /// Around an instant of an event-driven simulation at which values may jump, an event of a clock or, where
  /// all systems are of first order, a switching: with the state and multipliers just before it and a time() next to
  /// it, and when all that happens there has, with those that go on.
  ///@{
  virtual void beforeEvents(Simulation&) {}
  virtual void afterEvents(Simulation&) {}
  ///@}
  /// After each event of an event-driven simulation or a clock, with the state just after it.
  virtual void onEvent(Simulation&, const Event&) {}
  /// When run() returns or throws, after begin. For `failed` it must not throw.
  virtual void end(Simulation&, RunEnd) {}

  /// True for an observer that must be notified after all others, whatever the order in which they were added: a
  /// checkpoint.
  virtual bool comesLast() const { return false; }
  /// True for an observer that only sums up what it sees: a checkpoint can be restored even if it has no data of this
  /// observer, which then begins there, or if the observer is no longer present.
  virtual bool isOptional() const { return false; }

  /// Saves or restores what is kept from step to step; called between steps, possibly before begin. Files must be on
  /// the disk when this returns: a recorder flushes.
  virtual void serializeState(StateArchive&) {}

 protected:
  SimulationObserver() = default;
};

}  // namespace delassus
