// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

/// How far two shapes are apart.
struct ShapeDistance {
  double gap = 0.;     ///< m; where they overlap, minus the depth along `normal`
  Vector3 normal{};    ///< unit, out of the second shape into the first
  Vector3 onFirst{};   ///< on the surface of the first shape, m
  Vector3 onSecond{};  ///< on the surface of the second, nearest to that: onFirst − gap · normal
};

/// The distance of two shapes in the outer frame, and the points where they are nearest. Parts of a compound, and the
/// triangles of a mesh, count by themselves. Of a half-space and of solids the gap is negative where they overlap:
/// exactly minus the depth along the best of the axes that findManifold takes. A triangle has no inside; what cuts it
/// has a gap of 0 or less, and what is behind it is as far away as before it.
///
/// For convex shapes apart the gap is the largest separation along an axis, n · onFirst − n · onSecond, and no other
/// axis has more. Axes are those of findManifold and of all corners and pairs of edges; where round shapes need more,
/// feet are taken in turn on one shape and the other, which end where they are nearest. It is exact to 1e-12 of the
/// size of the smaller shape for spheres, capsules and polyhedra (1e-10 where sides are nearly parallel at gaps of
/// 1e-6, and not beyond the rounding of positions), and to 1e-5 where a rim or a shape of one's own takes part. This is
/// for questions; findManifold is cheaper, and says where contacts act.
///
/// Throws Error for two half-spaces, for a shape without a part, and for a placement that is not finite or no rotation.
ShapeDistance findDistance(const Shape& first, const Placement& firstPlace, const Shape& second,
                           const Placement& secondPlace);

/// The distance of a point, which is the first shape. Throws Error also if the point is not finite.
ShapeDistance findDistance(const Vector3& point, const Shape& shape, const Placement& at);

}  // namespace delassus
