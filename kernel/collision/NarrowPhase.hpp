// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/collision/Shapes.hpp>
#include <limits>

namespace delassus {

/// Where two shapes touch or are nearest: up to four points with one normal.
struct Manifold {
  static constexpr std::size_t maxPoints = 4;  ///< the corners of a face on a face

  /// A point on each surface, one above the other along the normal.
  struct Point {
    Vector3 onFirst{};   ///< on the surface of the first shape
    Vector3 onSecond{};  ///< on the surface of the second, onFirst − gap · normal
    double gap = 0.;     ///< signed distance along the normal, m
    double share = 1.;   ///< of the second shape in the normal, in [0, 1]: 1 for a corner of the first on a face below
  };

  /// What determines the normal when the bodies move on. See ManifoldGeometry.
  enum class NormalOf {
    faces,  ///< along (1 − share) firstPart + share secondPart, the normals as a face of each gives them
    edges   ///< along firstPart × secondPart, the directions of an edge of each
  };

  Vector3 normal{0., 0., 1.};             ///< unit, out of the second shape into the first
  NormalOf normalOf = NormalOf::faces;    ///< what the normal turns with
  Vector3 firstPart{0., 0., 1.};          ///< unit, turns with the first shape
  Vector3 secondPart{0., 0., 1.};         ///< unit, turns with the second shape
  std::size_t count = 0;                  ///< of valid points
  std::array<Point, maxPoints> points{};  ///< only the first `count` are valid
  /// Least width of what two boxes share, m: of the outline of two faces, 0 for edges with about the normal
  /// of a face; infinity for others.
  double width = std::numeric_limits<double>::infinity();
  /// Of a box with a ball: sides at which its surface goes on in a neighbour (seams::Sides); for CollisionManager.
  std::uint8_t openSides = 0;

  /// The same for both shapes, from faces.
  void setNormal(const Vector3& n) {
    normal = firstPart = secondPart = n;
    normalOf = NormalOf::faces;
  }
  /// Removes all points; the normal stays.
  void clear() {
    count = 0;
    width = std::numeric_limits<double>::infinity();
    openSides = 0;
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

/// Finds the points with a gap of at most `range`; the second shape may be a plane. Exact for spheres against spheres,
/// planes and boxes. For a box and a plane it takes the four lowest corners; for two boxes see findBoxManifold.
void findManifold(const Shape& first, const Placement& firstPlace, const Shape& second, const Placement& secondPlace,
                  double range, Manifold& manifold);

/// Where two lines are nearest to each other: at these multiples of their directions.
struct NearestOnLines {
  double along = 0.;        ///< of the first direction, from the first point
  double alongSecond = 0.;  ///< of the second direction, from the second point
};
/// Lines through a point along a unit vector each, which are not parallel.
NearestOnLines nearestOnLines(const Vector3& first, const Vector3& a, const Vector3& second, const Vector3& b);

/// Two boxes. The normal is the one of the fifteen separating axes (three faces of each, nine of pairs of edges) with
/// the largest separation, which is negative if the boxes overlap. If it is that of a face, the facing face of the
/// other box is clipped to its outline; of the resulting corners, the deepest and the three that span the largest area
/// with it are kept. If it is that of two edges, there is one point, where these are nearest. Near ties go to a face,
/// and to the first box, so that boxes at rest keep their points.
///
/// Where faces at an angle separate two boxes about equally, parallel edges of both meet, with two points at the ends
/// of what they have in common. Sharp edges have no normal of their own there; it is taken as if they were rounded, by
/// a hundredth of half the smallest edge, and turns from the normal of one face to that of the other over this width.
///
/// While the boxes are apart the separation is at most their distance, and less where a corner faces a corner.
/// (Separating axes: Gottschalk, Lin and Manocha, SIGGRAPH 1996. Clipping: Sutherland and Hodgman, CACM 17, 1974.)
void findBoxManifold(const BoxShape& first, const Placement& firstPlace, const BoxShape& second,
                     const Placement& secondPlace, double range, Manifold& manifold);

}  // namespace delassus
