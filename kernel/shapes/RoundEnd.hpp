// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {
namespace shapes {

/// Cosine of three degrees: a round end is the feature in directions that are as near to its normal.
inline constexpr double upright = 0.9986;

/// Makes the flat end, bounded by a rim about the z axis, of a shape that stands upright: at the height z, its normal
/// up (1) or down (−1). What lies on it lies on `outline`, a regular polygon, and it stands on `feet`, every second
/// corner of that. Outline, feet and rim must stay where they are.
Face makeRoundEnd(double radius, double z, double up, std::span<RoundCorner> outline, std::span<RoundCorner> feet,
                  RoundCorner& rim);

}  // namespace shapes
}  // namespace delassus
