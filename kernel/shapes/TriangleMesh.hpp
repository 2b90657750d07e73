// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/MeshTopology.hpp>
#include <delassus/kernel/shapes/Shape.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// A surface of triangles, for obstacles: ground, a bowl, a part of a machine. It is one-sided: what is behind it is
/// inside of the obstacle. What crosses edges where it is flat or bends upwards does not notice them (MeshTriangle).
///
///     TriangleMesh(points, {{0, 1, 2}, {0, 2, 3}})
///     TriangleMesh::ofHeights(heights, 0.1, 0.1)
///     TriangleMesh::of(Surface::revolution({{0., 0.}, {0.5, 0.1}, {0.6, 0.4}, {0.65, 0.4}, {0.55, -0.1}, {0., -0.1}}))
///
/// A closed mesh has mass properties; a body that is not convex is a CompoundShape of hulls.
class TriangleMesh final : public Shape {
 public:
  /// Points in m; triangles name theirs anticlockwise seen from outside. Throws Error as MeshTopology.
  TriangleMesh(std::vector<Vector3> points, std::vector<MeshTopology::Triangle> triangles);
  /// The polygons of a surface, in triangles from their first corners; points of equal coordinates are one. Throws
  /// Error as Surface::mesh and MeshTopology.
  static TriangleMesh of(const Surface& surface);
  /// The ground z = heights(i, j) at (i dx, j dy), with two triangles a cell. Throws Error unless there are two rows
  /// and columns, the heights are finite, and dx and dy positive and finite.
  static TriangleMesh ofHeights(const Matrix& heights, double dx, double dy);

  std::string_view className() const override { return "TriangleMesh"; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override;
  double spinRadius() const override;
  /// Throws Error also unless it is closed and its triangles are seen from outside.
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;
  std::span<const PlacedShape> parts() const override { return parts_; }

  /// What its triangles have in common.
  const MeshTopology& topology() const { return *topology_; }

 private:
  std::shared_ptr<const MeshTopology> topology_;
  std::vector<PlacedShape> parts_;
};

}  // namespace delassus
