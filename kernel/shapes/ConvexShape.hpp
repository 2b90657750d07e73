// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

/// A corner of a convex shape, sharp or round: the point, a ball about it, or a rim (a circle) about an axis through
/// it. The part of the surface at a unit vector d is where d · x is largest, the support point in that direction.
struct RoundCorner {
  Vector3 centre{};  ///< m
  double ball = 0.;  ///< radius of the ball, m; 0 for none
  double rim = 0.;   ///< radius of the circle, m; 0 for none
  Vector3 axis{};    ///< of the circle, unit

  /// The support point of the corner in the direction of a unit vector. Of a rim whose axis is d every point is one; it
  /// is any of them.
  Vector3 towards(const Vector3& d) const;
  /// True if it is one point.
  bool isSharp() const { return ball == 0. && rim == 0.; }
  /// In the outer frame.
  RoundCorner placed(const Placement& at) const { return {at.place(centre), ball, rim, multiply(at.rotation, axis)}; }
};

/// A straight edge of a convex shape, sharp or round: a segment, with a ball about each of its points.
struct RoundEdge {
  Vector3 middle{};      ///< m
  Vector3 direction{};   ///< unit
  double half = 0.;      ///< half the length, m
  double rounding = 0.;  ///< radius of the balls, m; 0 if it is sharp
};

/// A curved side of a convex shape that consists of straight lines, that of a cone: along each of them the normal is
/// the same, and all have one angle with the axis, which goes through the origin of the shape.
struct RuledSide {
  Vector3 axis{};      ///< unit
  double cosine = 0.;  ///< n · axis of the unit normals n, outwards
};

/// A flat face of a convex shape.
struct Face {
  Vector3 normal{};                      ///< unit, outwards
  double offset = 0.;                    ///< n · x on the face, m
  std::span<const RoundCorner> outline;  ///< its corners, sharp, anticlockwise seen from outside
  const RoundCorner* rim = nullptr;      ///< the circle that the outline stands for, if it is one
};

/// What lies farthest along a direction: a corner, an edge (two corners), or a face (more).
struct Feature {
  std::span<const RoundCorner> corners;  ///< anticlockwise seen from outside
  Vector3 normal{};                      ///< of a face, unit, outwards; zero for others
  const RoundCorner* rim = nullptr;      ///< the circle that the corners stand for, if they are on one
};

/// Where the surface of a shape is nearest to a point.
struct SurfaceFoot {
  Vector3 point{};       ///< on the surface, m
  Vector3 normal{};      ///< unit, from there to the point outside, or outwards if that is inside or on the surface
  double distance = 0.;  ///< m, negative inside
};

/// The coordinates of corners, one after the other.
std::vector<double> coordinatesOf(std::span<const RoundCorner> corners);

/// The smallest box about sharp corners at a placement.
Bounds boundsOf(std::span<const RoundCorner> corners, const Placement& at);

/// A convex shape as its contacts see it, all in its own frame. Shapes are given by their support points, and by what
/// they are made of: flat faces, straight edges and rims. Edges and corners may be round; the axis of a cylinder is an
/// edge with its radius.
///
/// A shape of one's own gives all its parts, each outline and feature with at most 32 corners; a smooth one has none,
/// and isRound() is true. Where it gives its largestCurvatureRadius(), its contacts are exact at every configuration
/// (SmoothGeometry), as they are with half-spaces and balls without. Where it does not, it meets others at support
/// points, and point and normal stay as they were found at the beginning of a step.
class ConvexShape : public Shape {
 public:
  const ConvexShape* convex() const final { return this; }
  /// The numbers that it was made from, in the order of the constructor; of a class of the library
  /// makeConvexShape(className(), parameters()) is the same shape.
  virtual std::vector<double> parameters() const = 0;

  /// The point where d · x is largest, for a unit vector d.
  virtual Vector3 support(const Vector3& d) const = 0;
  /// The point of the surface that is nearest to a point. One inside leaves where the way is shortest.
  virtual SurfaceFoot foot(const Vector3& point) const = 0;
  /// The largest feature that lies about farthest along d; without corners for a smooth shape.
  virtual Feature feature(const Vector3& d) const = 0;
  /// A point inside, m.
  virtual Vector3 centre() const { return {}; }

  /// All flat faces.
  virtual std::span<const Face> faces() const { return {}; }
  /// All straight edges.
  virtual std::span<const RoundEdge> edges() const { return {}; }
  /// Unit vectors along the edges, each direction once, up to its sign.
  virtual std::span<const Vector3> directions() const { return {}; }
  /// All corners, without those that are rims.
  virtual std::span<const RoundCorner> corners() const { return {}; }
  /// All rims.
  virtual std::span<const RoundCorner> rims() const { return {}; }
  /// The side that is made of straight lines; null where there is none.
  virtual const RuledSide* ruledSide() const { return nullptr; }
  /// Its line whose normal is nearest to a unit vector, sharp; to be overridden by shapes that have such a side.
  virtual RoundEdge lineOfSide(const Vector3&) const { return {}; }
  /// The largest radius of curvature of a smooth shape, or a bound of it, m; 0 where it is not known.
  virtual double largestCurvatureRadius() const { return 0.; }
  /// True if an edge, a corner or all of the surface is round, so that normals of contacts turn along it.
  virtual bool isRound() const { return false; }

  /// A set of sides beyond which the surface goes on in neighbours; empty where it is 0.
  using OpenSides = std::uint8_t;
  /// The foot on the shape as if it did not end at these sides, which only shapes with sides have.
  virtual SurfaceFoot footBeyond(const Vector3& point, OpenSides) const { return foot(point); }
  /// The sides that are open by themselves for what touches at this foot, as those of a part of a surface are.
  virtual OpenSides openAt(const SurfaceFoot&) const { return 0; }
  /// Whether only the side to which its faces look is outside, as of a part of a surface; nothing is behind it then.
  virtual bool isOneSided() const { return false; }
  /// Whether it has contacts at this point of its surface with this normal (unit, outwards): a part of a surface leaves
  /// to its neighbours what is theirs.
  virtual bool admits(const Vector3&, const Vector3&) const { return true; }
  /// Whether the surface goes on to all sides of this point of it, in a neighbour if it is at an edge. The point is the
  /// foot of one that lies deeper, by `depth`: below a valley it may come to lie beyond the edge, on both sides.
  virtual bool isWithin(const Vector3&, [[maybe_unused]] double depth) const { return true; }
  /// Of a part of a surface, the normal of the face beyond an edge (its number in edges()) where the surface falls off,
  /// if the contacts of that edge belong to this part; null otherwise.
  virtual const Vector3* beyondRidge(std::size_t) const { return nullptr; }

  /// Radius of a sphere about the origin; 0 for other shapes.
  virtual double ballRadius() const { return 0.; }
  /// Half the edges of a box about the origin along the axes, null for other shapes: a box may go on in another one
  /// (seams).
  virtual const Vector3* boxEdges() const { return nullptr; }
};

}  // namespace delassus
