// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <vector>

namespace delassus {

/// When a row is recorded: after every n-th step, at instants, at events, or any of these. Every step by default.
class RecordSchedule {
 public:
  /// After steps n, 2n, …, and the initial state. Throws Error for 0.
  void every(std::size_t steps);
  /// After the first step that ends at or after each instant. Throws Error unless they are finite and ascend.
  void at(std::vector<double> instants);
  /// See Recorder::atEvents.
  void atEvents() { events_ = true; }

  /// True after atEvents().
  bool includesEvents() const { return events_; }

  /// Begins with the present state, or continues from a restored one.
  void begin(const Simulation& simulation);
  /// Why the present state is to be recorded: "start", "step", "instant", "contacts"; null if it is not. Advances past
  /// the instants that were reached. To be called once for the initial state, and once after each step.
  ///@{
  const char* reasonForStart(const Simulation& simulation);
  const char* reasonForStep(const Simulation& simulation);
  ///@}

  /// Saves or restores the next instant and the active contacts.
  void serializeState(StateArchive& archive);

 private:
  bool reachesInstant(const Simulation& simulation);
  static std::uint64_t activeContacts(const Simulation& simulation);

  std::size_t every_ = 0;
  std::vector<double> instants_;
  bool events_ = false;

  std::size_t next_ = 0;              // of the instants
  std::uint64_t activeContacts_ = 0;  // a hash of the set, as of the last step
  bool begun_ = false;
  bool restored_ = false;
};

}  // namespace delassus
