// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <vector>

namespace delassus {

/// The triangles of a surface and what they have in common: which are beside which, and where the surface bends.
class MeshTopology {
 public:
  /// The numbers of its points, anticlockwise seen from outside.
  using Triangle = std::array<std::size_t, 3>;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  ///< no triangle

  /// What is at edge k of a triangle, from its corner k to the next one.
  struct Edge {
    std::size_t neighbour = none;  ///< the other triangle
    Vector3 inwards{};             ///< unit, in the plane of the neighbour, from the edge into it
    bool goesOn = false;           ///< in the neighbour, flat or upwards
  };

  /// Throws Error naming `owner` and the triangle, or the point, unless all points are finite, each triangle names
  /// three different ones and has an area (its height at least 1e-9 of its length), and each edge has at most two
  /// triangles, which go round it in opposite senses.
  MeshTopology(std::vector<Vector3> points, std::vector<Triangle> triangles, const char* owner);

  const std::vector<Vector3>& points() const { return points_; }         ///< m
  const std::vector<Triangle>& triangles() const { return triangles_; }  ///< in the order given
  /// Corner k of a triangle, 0 for 3.
  const Vector3& corner(std::size_t triangle, std::size_t k) const { return points_[triangles_[triangle][k % 3]]; }
  /// Unit, to the outside.
  const Vector3& normal(std::size_t triangle) const { return normals_[triangle]; }
  /// Edge k of a triangle.
  const Edge& edge(std::size_t triangle, std::size_t k) const { return edges_[triangle][k]; }
  /// Whether each edge has two triangles: the surface encloses a volume.
  bool isClosed() const;

  /// The triangle that has the contacts of a point: the first one beyond whose edges at the point the surface falls
  /// off. `none` if it goes on beyond all edges there.
  std::size_t ownerOf(std::size_t point) const { return owners_[point]; }
  /// Whether the surface ends at a point.
  bool isEnd(std::size_t point) const { return isEnd_[point] != 0; }
  /// Whether n points away from all edges at a point, to the sine 1e-6.
  bool isInCone(std::size_t point, const Vector3& n) const;

 private:
  void checkTriangles(const char* owner);
  void joinEdges(const char* owner);
  void bend();
  void gatherFans();

  std::vector<Vector3> points_;
  std::vector<Triangle> triangles_;
  std::vector<Vector3> normals_;
  std::vector<std::array<Edge, 3>> edges_;
  std::vector<char> isEnd_;             // by points
  std::vector<std::size_t> owners_;     // by points
  std::vector<std::size_t> fanBegins_;  // by points, in fans_, and the end
  std::vector<Vector3> fans_;           // unit vectors along the edges at a point
};

}  // namespace delassus
