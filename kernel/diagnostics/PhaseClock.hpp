// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace delassus {

/// The phases on which a simulation spends its time.
enum class Phase : unsigned char {
  preparation,    ///< checks and workspaces: at the beginning, and after a change of the model
  collision,      ///< interaction manager: detection of contacts
  freeState,      ///< forces, Jacobians, factorisation, free state
  assembly,       ///< matrix and vector of the one-step problem
  solve,          ///< its solver, certificate included
  update,         ///< new state, Newton's test, outputs
  projection,     ///< on constraints
  integration,    ///< event-driven: smooth motion between events
  eventLocation,  ///< event-driven: roots
  modes,          ///< event-driven: impacts and the choice of modes
  output          ///< observers and the function that run() is given
};
/// Number of the phases above.
constexpr std::size_t phases = 11;

/// In words, for tables.
std::string_view toString(Phase phase);

/// Wall time by phase. The clock is not read in every step: a step of 0.4 µs would take half as long again. One step in
/// n is measured from beginning to end, and stands for those since the last one; n follows from the duration of steps,
/// so that the clock takes below 0.5 % of the time. Steps of more than about 50 µs are all measured (n = 1). The
/// intervals are irregular, so that they do not beat with a period of the model.
///
/// Phases that end with an exception are not counted.
class PhaseClock {
 public:
  /// A clock that does not jump with the time of day.
  using Clock = std::chrono::steady_clock;

  // For simulations.

  /// Around all steps of a run, whose wall time is then known exactly.
  ///@{
  void beginRun();
  void endRun();
  ///@}
  /// Begins a step.
  void beginStep(Phase phase) {
    if (left_ > 1) {
      --left_;
    } else {
      begin(phase);  // restarts if the last step ended with an exception
    }
  }
  /// The step enters this phase.
  void enter(Phase phase) {
    if (measures_) change(phase);
  }
  /// Ends a step that has not thrown.
  void endStep() {
    ++steps_;
    if (measures_) end();
  }

  /// Wall time of all runs and steps, in seconds; that of steps outside of run() is an estimate.
  double wallTime() const;
  /// Estimated time of a phase, in seconds; the phases add up to wallTime().
  double seconds(Phase phase) const;
  /// Steps made in wallTime(), without those that ended with an exception. A checkpoint contains no times, so these are
  /// the steps of this process alone.
  std::size_t steps() const { return steps_; }
  /// Steps that were measured.
  std::size_t measuredSteps() const { return measured_; }

 private:
  void begin(Phase phase);
  void change(Phase phase);
  void end();
  void chooseInterval(double duration);
  double sum() const;

  std::uint64_t left_ = 1;      // steps until one is measured
  std::uint64_t interval_ = 1;  // number of steps that the next measured one stands for
  bool measures_ = false;
  bool runs_ = false;
  Phase phase_ = Phase::preparation;
  std::size_t marks_ = 0;  // readings of the clock in this step
  std::size_t steps_ = 0;
  std::size_t measured_ = 0;
  std::uint64_t random_ = 1;
  double reading_ = 0.;  // seconds that reading the clock takes
  Clock::time_point runBegin_, last_;
  std::array<double, phases> step_{};   // of the step that is measured
  std::array<double, phases> total_{};  // scaled
  double runTime_ = 0.;                 // of runs, exact
  double outside_ = 0.;                 // of steps outside of runs, scaled
};

}  // namespace delassus
