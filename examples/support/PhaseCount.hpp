// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

/// Counts the phases that a closed form goes through in one call. With sensible parameters there are a few; senseless
/// ones, whose phases are infinitely many or lose themselves in rounding, end in an Error rather than in an endless
/// loop.
class PhaseCount {
 public:
  static constexpr int most = 10000;

  /// `solution` stands in the message: "exact solution of the network".
  explicit PhaseCount(std::string solution) : solution_(std::move(solution)) {}

  /// At the start of each phase. Throws Error at the one after the last.
  void next() {
    if (++count_ <= most) return;
    throw delassus::Error(solution_, "expected parameters with at most " + std::to_string(most) +
                                         " phases in a step, but they have more.");
  }

 private:
  std::string solution_;
  int count_ = 0;
};
