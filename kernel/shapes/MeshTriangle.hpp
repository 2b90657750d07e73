// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/shapes/ConvexShape.hpp>
#include <delassus/kernel/shapes/MeshTopology.hpp>
#include <memory>

namespace delassus {

/// A triangle of a TriangleMesh, one-sided: its normal points out of the obstacle. It knows its neighbours, so that
/// several triangles together have the contacts of their surface:
///
/// - an edge beyond which the surface goes on, flat or upwards, is no edge: only the face of the triangle has contacts
///   there, and during a step it goes on beyond it (footBeyond);
/// - an edge beyond which it falls off has contacts along the normals between those of both faces, and a corner along
///   those of its cone, each as part of one of its triangles.
///
/// An edge without a neighbour is the end of the surface, with all normals that point away from it and not behind.
class MeshTriangle final : public ConvexShape {
 public:
  /// Triangle `number` of the mesh.
  MeshTriangle(std::shared_ptr<const MeshTopology> mesh, std::size_t number);

  std::string_view className() const override { return "MeshTriangle"; }
  /// The coordinates of its corners. (makeConvexShape has no such class: a triangle belongs to a mesh.)
  std::vector<double> parameters() const override;
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  /// Half its least height.
  double size() const override { return size_; }
  double spinRadius() const override;
  /// Throws Error: it has none.
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;

  Vector3 support(const Vector3& d) const override;
  /// On the triangle; points below it have a negative distance.
  SurfaceFoot foot(const Vector3& point) const override;
  /// On its plane, beyond edges where the surface goes on, and on the triangle elsewhere.
  SurfaceFoot footBeyond(const Vector3& point, OpenSides open) const override;
  /// 1, all sides where the surface goes on, for what is on the face.
  OpenSides openAt(const SurfaceFoot& foot) const override;
  Feature feature(const Vector3&) const override { return {corners_, face_.normal, nullptr}; }
  Vector3 centre() const override;
  std::span<const Face> faces() const override { return {&face_, 1}; }
  std::span<const RoundEdge> edges() const override { return edges_; }
  std::span<const Vector3> directions() const override { return directions_; }
  std::span<const RoundCorner> corners() const override { return corners_; }

  bool isOneSided() const override { return true; }
  bool admits(const Vector3& point, const Vector3& n) const override;
  bool isWithin(const Vector3& point, double depth) const override;
  /// At an end of the surface, the unit vector across the edge in the plane of the triangle.
  const Vector3* beyondRidge(std::size_t edge) const override;

 private:
  // How far a point is beyond edge k, in the plane.
  double beyond(std::size_t k, const Vector3& point) const;
  SurfaceFoot footOnPlane(const Vector3& point) const;
  SurfaceFoot footOnEdge(std::size_t k, const Vector3& point) const;
  bool edgeAdmits(std::size_t k, const Vector3& n) const;

  std::shared_ptr<const MeshTopology> mesh_;
  std::size_t number_;
  std::array<RoundCorner, 3> corners_;
  std::array<RoundEdge, 3> edges_;
  std::array<Vector3, 3> directions_, outward_;  // along the edges, and across them
  Face face_;
  double size_ = 0.;
};

}  // namespace delassus
