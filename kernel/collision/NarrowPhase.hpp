// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

/// Finds the points with a gap of at most `range` of two shapes, of which the first is convex and the second convex or
/// a half-space; no points for others.
///
/// Spheres have one point, at the foot of the centre on the other shape. All other pairs have the normal of the best of
/// these axes, the one along which the shapes are farthest apart, or overlap least:
///
/// - the normal of a face of either shape: up to four points (meetFace), where the other one's feature towards the face
///   is above it;
/// - the cross product of two edges, straight or rims of cylinders, where these are nearest: one point, and others of
///   the faces behind them (addCrossedFaces);
/// - the normal at the foot of a round corner, the end of a capsule say, or of a corner at a round side: one point;
/// - the direction across two parallel edges of which one is round, as of two capsules side by side: two points, at the
///   ends of what they have in common.
///
/// Near ties go to a face, and to that of the first shape unless this alone is a cylinder, so that bodies at rest keep
/// their points. Where faces at an angle separate two polyhedra about equally, parallel sharp edges of both meet, with
/// two points at the ends of what they have in common. Such edges have no normal of their own there; it is taken as if
/// they were rounded, by a hundredth of the size of the smaller shape, and turns from the normal of one face to that of
/// the other over this width.
///
/// While sharp shapes are apart the gap along the axis is at most their distance, and less where a corner faces a
/// corner. Nothing is inflated: gaps are exact while faces, edges and round parts meet.
void findManifold(const Shape& first, const Placement& firstPlace, const Shape& second, const Placement& secondPlace,
                  double range, Manifold& manifold);

}  // namespace delassus
