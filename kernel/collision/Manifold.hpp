// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/collision/ContactCurve.hpp>
#include <limits>

namespace delassus {

/// Where two shapes touch or are nearest: up to eight points with one normal.
struct Manifold {
  static constexpr std::size_t mostSharp = 4;  ///< points of shapes with sharp corners
  static constexpr std::size_t maxPoints = 8;  ///< points where an end of a cylinder or a cone takes part

  /// What determines the normal of a point when the bodies move on. See ManifoldGeometry.
  enum class NormalOf {
    faces,  ///< along (1 − share) firstPart + share secondPart, the normals as a face of each gives them
    edges,  ///< along the cross product of the tangents of firstCurve and secondCurve, in the sense of secondPart
    feet    ///< from the foot of the ball `tip` of the point on the surface of the other shape
  };

  /// A point on each surface, one above the other along the normal.
  struct Point {
    Vector3 onFirst{};   ///< on the surface of the first shape
    Vector3 onSecond{};  ///< on the surface of the second, onFirst − gap · normal
    double gap = 0.;     ///< signed distance along the normal, m
    double share = 1.;   ///< of the second shape in the normal, in [0, 1]: 1 for a corner of the first on a face below
    RoundCorner tip{};   ///< where it is round: the corner of the first shape (share 1) or the second (share 0)
    NormalOf normalOf = NormalOf::faces;  ///< what the normal turns with
  };

  Vector3 normal{0., 0., 1.};             ///< unit, out of the second shape into the first
  Vector3 firstPart{0., 0., 1.};          ///< unit, turns with the first shape
  Vector3 secondPart{0., 0., 1.};         ///< unit, turns with the second shape
  ContactCurve firstCurve;                ///< of the first shape, of edges, in the inertial frame
  ContactCurve secondCurve;               ///< of the second shape
  std::size_t count = 0;                  ///< of valid points
  std::array<Point, maxPoints> points{};  ///< only the first `count` are valid
  /// Least width of what two shapes share, m: of the outline of two faces, 0 for edges with about the normal
  /// of a face; infinity for others.
  double width = std::numeric_limits<double>::infinity();
  /// Where a ball touches, sides of the other shape at which its surface goes on: those that it knows itself, or that
  /// CollisionManager finds for a box among its neighbours.
  ConvexShape::OpenSides openSides = 0;
  /// Whether the points are those where the shapes meet later in the step, with the first one displaced by `way` (m)
  /// relative to the second; see PairGeometry.
  bool isAhead = false;
  Vector3 way{};  ///< zero unless isAhead

  /// The same for both shapes.
  void setNormal(const Vector3& n) { normal = firstPart = secondPart = n; }
  /// Removes all points; the normal stays.
  void clear() {
    count = 0;
    width = std::numeric_limits<double>::infinity();
    openSides = 0;
    isAhead = false;
    way = {};
  }
  /// The normal of a point, as it was found.
  Vector3 normalAt(const Point& point) const {
    if (point.normalOf != NormalOf::faces) return normal;
    const Vector3 sum = (1. - point.share) * firstPart + point.share * secondPart;
    return 1. / norm(sum) * sum;
  }
  /// There must be fewer than maxPoints.
  void add(const Point& point) { points[count++] = point; }
  /// The smallest gap; infinity without a point.
  double gap() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < count; ++k) smallest = smallest < points[k].gap ? smallest : points[k].gap;
    return smallest;
  }
};

}  // namespace delassus
