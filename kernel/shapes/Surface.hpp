// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/shapes/Placement.hpp>
#include <vector>

namespace delassus {

/// A surface of polygons, for pictures.
struct Surface {
  /// The numbers of its points.
  using Polygon = std::vector<std::size_t>;

  std::vector<Vector3> points;    ///< m
  std::vector<Polygon> polygons;  ///< anticlockwise seen from outside
  std::vector<int> patches;       ///< 0 or 1 for each polygon: the kind of its patch

  // Each throws Error unless lengths are positive and finite and there are enough segments.

  /// Edges along the axes, m.
  static Surface box(double lx, double ly, double lz);
  /// About the origin; patches of two kinds let its spin be seen.
  static Surface sphere(double radius, std::size_t segments = 32);
  /// About the z axis, the centre halfway.
  static Surface cylinder(double radius, double height, std::size_t segments = 32);
  /// About the z axis, the centre halfway: a cylinder of that length between two half spheres.
  static Surface capsule(double radius, double length, std::size_t segments = 32);
  /// The surface that an outline (r, z) makes about the z axis, its points from the lower end to the upper one; it is
  /// closed by a disc if r > 0 at an end, except for an outline that ends where it begins (anticlockwise), which makes
  /// a ring. Quarters of two kinds let its rotation be seen. Throws Error for fewer than two points or a negative r.
  static Surface revolution(const std::vector<std::array<double, 2>>& outline, std::size_t segments = 32);
  /// In the plane z = 0 about the origin: a part of a Plane.
  static Surface rectangle(double lx, double ly);
  /// Any surface; polygons name their points from 0, anticlockwise seen from outside. Throws Error if a polygon has
  /// fewer than three points or names one that does not exist, or a point is not finite.
  static Surface mesh(std::vector<Vector3> points, std::vector<Polygon> polygons);

  /// Adds another surface at a place in this one's frame.
  void add(const Surface& other, const Placement& at = {});
  /// This surface combined with another one.
  Surface with(const Surface& other, const Placement& at = {}) const;
};

}  // namespace delassus
