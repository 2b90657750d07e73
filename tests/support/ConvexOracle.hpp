// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/Placement.hpp>
#include <vector>

// Distances and depths of convex shapes in extended precision. It knows shapes by their definition alone, and shares no
// code with kernel/collision.

namespace delassus::test {

using Real = long double;
using Real3 = std::array<Real, 3>;

/// What convex shape there is, all points within `rounding` of a core: of points, or of a cylinder about the z axis,
/// or of a cone about it, or an ellipsoid.
struct ConvexModel {
  std::vector<Real3> points;      ///< of the core; none for a cylinder, a cone and an ellipsoid
  Real rounding = 0.L;            ///< m
  Real radius = 0.L, half = 0.L;  ///< of a cylinder, or of the base of a cone, m
  Real tip = 0.L;                 ///< of a cone, whose base is at −half, m
  Real3 axes{};                   ///< half of those of an ellipsoid, m
  std::vector<Real3> normals;     ///< of its faces, unit
  std::vector<Real3> directions;  ///< of its edges, unit

  static ConvexModel sphere(double radius);
  static ConvexModel capsule(double radius, double length);
  static ConvexModel cylinder(double radius, double height);
  static ConvexModel cone(double radius, double height);
  /// The hull of points (of which no face has other faces in its plane), without a hull's algorithm: planes through
  /// three of them that no other point is in front of.
  static ConvexModel hull(const std::vector<Vector3>& corners);
  static ConvexModel ellipsoid(double a, double b, double c);
  static ConvexModel box(double lx, double ly, double lz);

  bool isEllipsoid() const { return axes[0] > 0.L; }
  bool isCone() const { return tip > 0.L; }
  bool isCylinder() const { return points.empty() && !isEllipsoid() && !isCone(); }
  /// The point of the core that is farthest along d, which is not zero.
  Real3 support(const Real3& d) const;
};

/// A model at a placement, relative to an origin near it, so that what is far from the origin keeps its digits.
struct PlacedModel {
  const ConvexModel& model;
  const Placement& place;

  Real3 turned(const Real3& d) const;  ///< from the model's frame
  Real3 back(const Real3& d) const;    ///< into the model's frame
  /// The farthest point of the core along d, without the position.
  Real3 support(const Real3& d) const { return turned(model.support(back(d))); }
};

/// The signed distance of two shapes, or of what it is known to be.
struct Apart {
  Real distance = 0.L;  ///< m; minus the depth if they overlap
  Real3 normal{};       ///< unit, out of the second shape into the first, of the axis along which it is
  Real uncertainty =
      0.L;  ///< by how much it may be more; known where the cores are apart, 0 for polyhedra that overlap
  bool isSampled = false;  ///< true for cylinders and cones that overlap: a better axis may have been missed
};

/// The distance along a unit vector by which planes across it hold the shapes apart: min n · x over the first less
/// max n · x over the second. By no axis it is more than the signed distance.
Real separationAlong(const Real3& n, const PlacedModel& first, const PlacedModel& second);

/// By the algorithm of Gilbert, Johnson and Keerthi where the cores are apart; its upper and lower bounds enclose the
/// distance. Otherwise by all normals of faces and crosses of edges, which have the depth of polyhedra, or for
/// cylinders and cones by many directions, of which the best are improved until none near them is better. `hint`: a
/// direction that is tried, too.
Apart signedDistance(const PlacedModel& first, const PlacedModel& second, const Real3& hint);

/// Of a point from the surface, negative inside.
Real signedDistance(const Vector3& point, const PlacedModel& from);

Real3 widened(const Vector3& v);
Vector3 narrowed(const Real3& v);

}  // namespace delassus::test
