// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/SeparatingAxis.hpp>

namespace delassus {

/// Where a smooth shape is nearest to another one, or overlaps it least.
struct SmoothMeeting {
  Vector3 normal{};    ///< unit, out of the other shape into the smooth one
  Vector3 onSmooth{};  ///< m
  Vector3 onOther{};   ///< onSmooth − gap · normal, m
  double gap = 0.;     ///< along the normal, m
  SurfaceFoot foot{};  ///< on the other shape, in its frame: its point and normal are those above
};

/// Whether a shape is curved everywhere, without faces, edges, corners and rims.
bool isSmooth(const ConvexShape& shape);

/// Whether it is smooth and its largest radius of curvature is known.
bool hasBoundedCurvature(const ConvexShape& shape);

/// Of a smooth shape whose largest radius of curvature R is known (ConvexShape::largestCurvatureRadius) with a convex
/// one. With its support point a(−n) the normal n is that of the foot of
///
///     c = a(−n) + R n
///
/// on the other shape, n = Φ(n): the feet of points outside a convex shape are no farther apart than the points, so
/// that Φ contracts, by 1 − (least radius of curvature)/R where the other shape is a corner, and at once where it is
/// flat. Newton's method takes over with differences of Φ. Where neither ends at a fixed point (to 1e-10), from starts
/// of the polytopes of Bullet either, the gap is the separation along the best of these normals, which is at most the
/// distance. `about` is where it begins; open sides as ConvexShape has
/// them.
SmoothMeeting meetSmooth(const PlacedConvex& smooth, const PlacedConvex& other, const Vector3& about,
                         ConvexShape::OpenSides open = 0);

/// A direction to begin with: that in which the centre of the smooth shape leaves the other one.
Vector3 directionOf(const PlacedConvex& smooth, const PlacedConvex& other);

/// The same with a half-space, in closed form.
SmoothMeeting meetSmooth(const PlacedConvex& smooth, const Plane& plane);

}  // namespace delassus
