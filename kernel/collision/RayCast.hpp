// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Shape.hpp>
#include <optional>

namespace delassus {

/// Where a segment first meets a shape.
struct RayHit {
  double fraction = 0.;  ///< of the way from the beginning of the segment to its end, in [0, 1]
  Vector3 point{};       ///< in the outer frame, m
  Vector3 normal{};      ///< of the surface, unit, outwards
};

/// Where the segment from `from` to `to` (m, in the outer frame) first meets a shape at a placement; none if it does
/// not. To touch is to meet. A segment that begins inside or on the surface meets the shape there, with the fraction 0
/// and the normal of the surface nearest to it, unless that is one-sided. What is one-sided, as a triangle of a mesh,
/// is met from its outside alone. A compound or a mesh is met where one of its parts is.
///
/// From each point of the segment x the shape lies behind the plane through its foot f across n, the way from there to
/// x, so that the point of the segment in that plane,
///
///     t ← t − ‖x − f‖ / (n · (to − from)),
///
/// is no farther than the hit, and there is none if n does not look back. This is Newton's method for the distance of
/// the segment, a convex function of t: a few steps for round shapes, one for each face or edge that is nearest on the
/// way for others. Answers are exact to rounding, divided by the sine of the angle to the surface where a ray grazes
/// it, for shapes of one's own too.
///
/// Throws Error if an end is not finite, both are the same, or the placement is not finite or no rotation.
std::optional<RayHit> castRay(const Vector3& from, const Vector3& to, const Shape& shape, const Placement& at = {});

/// Throws Error if an end is not finite or both are the same, as castRay does.
void requireSegment(const Vector3& from, const Vector3& to);

}  // namespace delassus
