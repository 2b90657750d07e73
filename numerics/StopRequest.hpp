// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace delassus {

/// Work that was abandoned since a stop was requested (see StopRequest). Not an Error: nothing is wrong, and nobody who
/// makes up for errors is to catch it.
class Interrupted : public std::runtime_error {
 public:
  /// Says that a stop was requested.
  Interrupted();
};

/// A request to end what the process is doing; signal handlers may make it (see Interruption). Whoever works step by
/// step asks isMade() after each step, and ends in order. The step itself is given some time, the patience, so that
/// nearly always it comes to its end; then solvers stop and Interrupted is thrown out of the step.
class StopRequest {
 public:
  /// Makes the request; false if there was one already. Safe in a signal handler.
  static bool make() noexcept;
  /// Takes the request back.
  static void withdraw() noexcept { deadline_.store(none, std::memory_order_relaxed); }
  /// True between make and withdraw.
  static bool isMade() noexcept { return deadline_.load(std::memory_order_relaxed) != none; }
  /// True once the patience is over. For loops: without a request it costs one load.
  static bool isOverdue() noexcept { return isMade() && isPast(); }
  /// Throws Interrupted if it is.
  static void throwIfOverdue() {
    if (isOverdue()) throw Interrupted();
  }

  /// Of requests that are made from now on, s (default 5). Throws Error unless it is finite and not negative.
  static void setPatience(double seconds);

 private:
  static constexpr std::int64_t none = 0;
  static bool isPast() noexcept;

  static std::atomic<std::int64_t> deadline_, patience_;  // of the steady clock, ns
};

}  // namespace delassus
