// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>

namespace delassus {

/// Options of HybridMotion; all positive and finite.
struct HybridMotionOptions {
  /// A contact that would fly for less than this, s, before its next impact is closed at once; contacts that close
  /// within this time of an event belong to the event.
  double minimalFlight = 1e-8;
  double gapTolerance = 1e-9;        ///< up to this, a gap of an initial or reset state is closed, and a joint fits
  double velocityTolerance = 1e-10;  ///< rates of gaps and slips below this count as zero throughout the run
  /// In 3D, a slip that begins takes its direction from the forces up to this speed, m/s; one that ends below it is at
  /// rest if friction can hold it.
  double creepSpeed = 1e-6;
  /// For relations that do not know their bias, s: increment of the differences, shortened where directions change so
  /// fast that differences of two orders do not agree.
  double differenceTime = 2e-4;

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"minimalFlight", &minimalFlight, range::positive, "flights that are shorter end at once, s"},
            {"gapTolerance", &gapTolerance, range::positive, "up to which a given gap is closed"},
            {"velocityTolerance", &velocityTolerance, range::positive, "below which a rate is zero"},
            {"creepSpeed", &creepSpeed, range::positive, "up to which a slip in 3D follows the forces, m/s"},
            {"differenceTime", &differenceTime, range::positive, "increment of differences in time, s"}};
  }
};

/// Options of HybridFlow.
struct HybridFlowOptions {
  /// Accumulating switchings closer together than this, s, or than 1e-9 of the time from t0 to T where that is less,
  /// are taken as simultaneous: the rows are held as at the end of the series, and the state moves as far as it would
  /// have moved in the time left out. Positive.
  double minimalDwell = 1e-9;
};

}  // namespace delassus
