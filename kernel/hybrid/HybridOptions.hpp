// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>

namespace delassus {

/// Options of HybridMotion; all positive and finite.
struct HybridMotionOptions {
  DELASSUS_OPTIONS((double, minimalFlight, 1e-8, range::positive,
                    "flights that are shorter than this, s, end at once, and contacts that close within this time of "
                    "an event belong to it"),
                   (double, gapTolerance, 1e-9, range::positive,
                    "up to which a gap of an initial or reset state is closed, and a joint fits"),
                   (double, velocityTolerance, 1e-10, range::positive,
                    "rates of gaps and slips below this count as zero throughout the run"),
                   (double, creepSpeed, 1e-6, range::positive,
                    "speed, m/s, up to which a slip in 3D that begins takes its direction from the forces; one that "
                    "ends below it is at rest if friction can hold it"),
                   (double, differenceTime, 2e-4, range::positive,
                    "increment of differences in time, s, for relations that do not know their bias; shortened where "
                    "directions change so fast that two orders do not agree"))
};

/// Options of HybridFlow.
struct HybridFlowOptions {
  /// Accumulating switchings closer together than this, s, or than 1e-9 of the time from t0 to T where that is less,
  /// are taken as simultaneous: the rows are held as at the end of the series, and the state moves as far as it would
  /// have moved in the time left out. Positive.
  double minimalDwell = 1e-9;
  /// An initial state that only a jump could make consistent with the laws is an Error; if false, it jumps. States that
  /// are set later, and those that switchings leave, always jump.
  bool requireConsistentStart = true;
};

}  // namespace delassus
