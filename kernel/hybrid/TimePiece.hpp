// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <delassus/numerics/StateArchive.hpp>
#include <limits>

namespace delassus {

/// The time between two time events, s. Functions of time may jump at its ends: they are evaluated strictly inside.
struct TimePiece {
  double begin = -std::numeric_limits<double>::infinity();  ///< a time event
  double end = std::numeric_limits<double>::infinity();     ///< the next one
  double first = begin;                                     ///< time inside that is next to begin
  double last = end;                                        ///< time inside that is next to end

  /// From begin to end, with times inside `margin` away from them.
  static TimePiece between(double begin, double end, double margin) {
    const double first = begin + margin;
    return {begin, end, first, std::max(first, end - margin)};
  }

  /// t, or the nearest time inside.
  double inside(double t) const { return std::clamp(t, first, last); }
  /// The instant that a time inside stands for, for messages: an end of the piece, or t itself.
  double instant(double t) const { return t <= first ? begin : t >= last ? end : t; }

  /// Saves or restores it.
  void serializeState(StateArchive& archive) {
    archive.value("begin", begin);
    archive.value("end", end);
    archive.value("first", first);
    archive.value("last", last);
  }
};

}  // namespace delassus
