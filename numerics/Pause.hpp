// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>

namespace delassus {

/// Leaves out what does not help, but tries it again: after failures in a row it is left out 1, 3, 7, … 63 times. The
/// first failures may be spared.
class Pause {
 public:
  /// None is spared.
  Pause() = default;
  /// `spared`: failures in a row after which it is not left out.
  explicit Pause(std::size_t spared) : spared_(spared) {}

  /// Whether it is left out now.
  bool isOn() const { return left_ > 0; }
  /// It was left out.
  void pass() { --left_; }
  /// It was tried in vain.
  void lengthen() {
    if (failures_ < spared_) {
      ++failures_;
      return;
    }
    last_ = std::min(2 * last_ + 1, longest);
    left_ = last_;
  }
  /// It has helped.
  void end() { failures_ = left_ = last_ = 0; }

  /// Saves or restores it.
  void serializeState(StateArchive& archive) {
    archive.value("failures", failures_);
    archive.value("pause", left_);
    archive.value("lastPause", last_);
  }

 private:
  static constexpr std::size_t longest = 63;

  std::size_t spared_ = 0;
  std::size_t failures_ = 0;  // in a row, those that are spared
  std::size_t left_ = 0;      // times that it is left out
  std::size_t last_ = 0;      // as the pause began
};

}  // namespace delassus
