// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/ShapeDistance.hpp>

namespace delassus {

/// Where two shapes meet, or are nearest, while the first moves straight by a displacement relative to the second.
struct MeetingAhead {
  double part = 0.;        ///< of the displacement, in [0, 1]
  ShapeDistance distance;  ///< there; its gap is at most `touch` if they meet
};

/// The first place where the gap of two shapes, of which neither is a half-space, is at most `touch` (m, positive); it
/// is not less than half of that, unless it was at the beginning. It is found if they come as near as half of `touch`;
/// otherwise the part is one at which they are apart. By the planes across the normal of their distance, which hold the
/// shapes apart up to where the first one has moved through the gap along it (Mirtich, Impulse-based Dynamic
/// Simulation of Rigid Body Systems, 1996, conservative advancement).
MeetingAhead findMeeting(const Shape& first, const Placement& firstPlace, const Vector3& displacement,
                         const Shape& second, const Placement& secondPlace, double touch);

}  // namespace delassus
