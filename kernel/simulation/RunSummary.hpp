// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Settings.hpp>
#include <string>
#include <vector>

namespace delassus {

/// The work and the cost of a run, as numbers and as text:
///
///     std::cout << RunSummary::of(simulation).text();
///
/// Steps and counts are those of the whole run, even if it was restored from a checkpoint. Times and messages are those
/// of this process alone: `timedSteps` says for how many steps.
struct RunSummary {
  /// The part of wallTime that a phase took.
  struct PhaseTime {
    Phase phase;          ///< what the time was spent on
    double seconds = 0.;  ///< an estimate
  };

  std::string simulation;             ///< its class
  std::string method;                 ///< of the simulation: scheme and problem; may be empty
  double begin = 0.;                  ///< t0
  double time = 0.;                   ///< reached
  double end = 0.;                    ///< T
  std::size_t systems = 0;            ///< of the model, when the summary is made
  std::size_t interactions = 0;       ///< of the model, when the summary is made
  std::size_t steps = 0;              ///< done
  std::size_t allSteps = 0;           ///< of the whole run
  RunCounts counts;                   ///< of the simulation
  std::string motion;                 ///< what the audit of the motion has found; may be empty
  std::size_t warnings = 0;           ///< messages of the log, of the whole process
  std::size_t errors = 0;             ///< error messages, of the whole process
  double wallTime = 0.;               ///< s, of this process
  std::size_t timedSteps = 0;         ///< steps that were done in it
  std::vector<PhaseTime> phaseTimes;  ///< those that took any time; estimates of PhaseClock, which add up to wallTime
  std::size_t measuredSteps = 0;      ///< that they were measured in

  /// The run so far.
  static RunSummary of(const Simulation& simulation);

  /// Several lines.
  std::string text() const;
  /// Names and values.
  Settings asSettings() const;
};

}  // namespace delassus
