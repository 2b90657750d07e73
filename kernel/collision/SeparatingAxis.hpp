// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/ContactCurve.hpp>
#include <limits>

namespace delassus {

/// A convex shape at a place.
struct PlacedConvex {
  const ConvexShape& shape;  ///< in its frame
  const Placement& place;    ///< in the inertial frame

  /// The largest n · x.
  double reach(const Vector3& n) const {
    const Vector3 d = multiplyTransposed(place.rotation, n);
    return dot(n, place.position) + dot(d, shape.support(d));
  }
  /// The point where n · x is largest, for a unit vector n.
  Vector3 support(const Vector3& n) const { return place.place(shape.support(multiplyTransposed(place.rotation, n))); }
  /// A point inside.
  Vector3 centre() const { return place.place(shape.centre()); }
  /// A direction in the inertial frame.
  Vector3 turned(const Vector3& direction) const { return multiply(place.rotation, direction); }
  /// The largest feature about farthest along n, in the shape's frame.
  Feature feature(const Vector3& n) const { return shape.feature(multiplyTransposed(place.rotation, n)); }
  /// The edge in the inertial frame.
  RoundEdge placed(const RoundEdge& edge) const {
    return {place.place(edge.middle), turned(edge.direction), edge.half, edge.rounding};
  }
  /// The line of the ruled side whose normal is nearest to n, both in the inertial frame.
  RoundEdge lineOfSide(const Vector3& n) const {
    return placed(shape.lineOfSide(multiplyTransposed(place.rotation, n)));
  }
};

/// A straight edge in the inertial frame, or a line of a ruled side.
struct EdgeOrLine {
  RoundEdge edge;         ///< which may be round; a line is sharp
  bool isOfSide = false;  ///< whether it is such a line
};

/// Calls visit(EdgeOrLine) for all edges, then for the line of the ruled side that lies farthest along n (unit, in the
/// inertial frame), until one returns true; false if none does.
template <class Visit>
bool anyLine(const PlacedConvex& owner, const Vector3& n, const Visit& visit) {
  for (const RoundEdge& edge : owner.shape.edges()) {
    if (visit(EdgeOrLine{owner.placed(edge)})) return true;
  }
  return owner.shape.ruledSide() != nullptr && visit(EdgeOrLine{owner.lineOfSide(n), true});
}

/// The distance by which planes across the unit vector n separate two shapes, negative if they overlap along it: the
/// least n · x of the first less the largest of the second.
inline double separationAlong(const PlacedConvex& first, const PlacedConvex& second, const Vector3& n) {
  return -first.reach(-n) - second.reach(n);
}

/// A unit vector n with the distance that separates two convex shapes along it, which is at most that of the shapes.
struct SeparatingAxis {
  /// What of the shapes it belongs to.
  enum class Of {
    none,        ///< no axis
    face,        ///< the face `number` of one shape
    edges,       ///< straight edges along the directions `number` and `numberOfSecond`, or lines of a ruled side
    curves,      ///< `first` and `second`, of which one is a circle
    sideBySide,  ///< parallel straight edges, of which one is round
    firstBall,   ///< the corner `number` of the first shape and whatever of the second
    supports,    ///< whatever the support points are of, where a rim or a smooth shape is near; see findOverlapNormal
    secondBall   ///< the corner `number` of the second shape and whatever of the first
  };
  /// The number of a direction for the ruled side of a shape.
  static constexpr std::size_t ofSide = static_cast<std::size_t>(-1);

  double separation = -std::numeric_limits<double>::infinity();  ///< m
  Vector3 normal{};                                              ///< n, out of the second shape into the first
  Of of = Of::none;                                              ///< the kind
  std::size_t number = 0;                                        ///< see Of
  std::size_t numberOfSecond = 0;                                ///< see Of
  ContactCurve first;                                            ///< see Of
  ContactCurve second;                                           ///< see Of
};

/// The best axis of each kind.
struct SeparatingAxes {
  SeparatingAxis firstFace;   ///< of the faces of the first shape
  SeparatingAxis secondFace;  ///< of those of the second
  SeparatingAxis others;      ///< of edges, rims and round corners

  /// That which separates most.
  const SeparatingAxis& best() const {
    const SeparatingAxis& face = secondFace.separation > firstFace.separation ? secondFace : firstFace;
    return others.separation >= face.separation ? others : face;
  }
};

/// Finds the best axes among those that faces, pairs of edges and rims, ruled sides, and round corners give. For
/// polyhedra these are all that matter (Gottschalk, Lin and Manocha, SIGGRAPH 1996), and for spheres, capsules and
/// polyhedra together the best one has the distance while they are apart. Its sense is that of the way between the
/// centres, so that shapes that overlap by about half may have a worse one. False as soon as one separates by more than
/// `range`.
bool findSeparatingAxes(const PlacedConvex& first, const PlacedConvex& second, double range, SeparatingAxes& axes);

}  // namespace delassus
