// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/shapes/Surface.hpp>
#include <vector>

namespace delassus {

/// The place of a shape: x = position + R(rotation) · (coordinates in the shape's frame).
struct VtkPlacement {
  Vector3 position{};                   ///< of the shape's origin, in the inertial frame, m
  Quaternion rotation{1., 0., 0., 0.};  ///< unit

  /// z along the normal of a plane, the origin at its point nearest to `near`; x along its tangent where it has one.
  static VtkPlacement onPlane(const Plane& plane, const Vector3& near = {});
  /// z from `from` to `to`, the origin halfway. Throws Error if they are one point.
  static VtkPlacement along(const Vector3& from, const Vector3& to);

  /// The place of a point given in the shape's frame.
  Vector3 place(const Vector3& point) const { return position + rotations::rotate(rotation, point); }
};

/// The shape that a VtkWriter draws for a body or an obstacle: a surface of polygons in its frame, or a ball that is
/// only a point with a radius, for many of them.
class VtkShape {
 public:
  /// The numbers of its points.
  using Polygon = Surface::Polygon;

  /// Any surface, that of a Shape say (Shape::surface).
  explicit VtkShape(Surface surface);

  // Those of Surface, which throw Error unless lengths are positive and finite and there are enough segments.

  /// Edges along the axes, m.
  static VtkShape box(double lx, double ly, double lz);
  /// About the origin; patches of two kinds let its spin be seen.
  static VtkShape sphere(double radius, std::size_t segments = 32);
  /// About the z axis, the centre halfway.
  static VtkShape cylinder(double radius, double height, std::size_t segments = 32);
  /// A cylinder from point to point. Throws Error also if they are one.
  static VtkShape rod(const Vector3& from, const Vector3& to, double radius, std::size_t segments = 16);
  /// The surface that an outline (r, z) makes about the z axis, its points from the lower end to the upper one; it is
  /// closed by a disc if r > 0 at an end, except for an outline that ends where it begins (anticlockwise), which makes
  /// a ring. Quarters of two kinds let its rotation be seen. Throws Error for fewer than two points or a negative r.
  static VtkShape revolution(const std::vector<std::array<double, 2>>& outline, std::size_t segments = 32);
  /// In the plane z = 0 about the origin: a part of a Plane.
  static VtkShape rectangle(double lx, double ly);
  /// Any surface; polygons name their points from 0, anticlockwise seen from outside. Throws Error if a polygon has
  /// fewer than three points or names one that does not exist, or a point is not finite.
  static VtkShape mesh(std::vector<Vector3> points, std::vector<Polygon> polygons);
  /// No surface: a point of the series "centres", with its radius, for glyphs.
  static VtkShape ball(double radius);

  /// This shape combined with another one at a place in this one's frame.
  VtkShape with(const VtkShape& other, const VtkPlacement& at = {}) const;

  /// The points of the surface in the shape's frame, m; a ball has none.
  const std::vector<Vector3>& points() const { return surface_.points; }
  /// The faces of the surface, anticlockwise seen from outside; a ball has none.
  const std::vector<Polygon>& polygons() const { return surface_.polygons; }
  /// 0 or 1 for each polygon: the kind of its patch.
  const std::vector<int>& patches() const { return surface_.patches; }
  /// Of a ball; 0 otherwise.
  double radius() const { return radius_; }

 private:
  Surface surface_;
  double radius_ = 0.;
};

}  // namespace delassus
