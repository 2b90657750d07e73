// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// The convex hull of points, in their frame; the centre of mass is where massProperties finds it.
///
/// Faces are found by the library Qhull (Barber, Dobkin and Huhdanpaa, The Quickhull Algorithm for Convex Hulls, ACM
/// Trans. Math. Softw. 22, 1996), which joins those that rounding alone tells apart. A face with more than
/// `mostCorners` corners meets other faces as a polygon of so many of them.
class ConvexHull final : public ConvexShape {
 public:
  static constexpr std::size_t mostCorners = 32;  ///< of the outline of a face

  /// Points in m, in any order, also inside or twice; those within 1e-9 of the extent of each other count as one.
  /// Throws Error unless all are finite and they span a volume (thicker than 1e-8 of the extent), and where the library
  /// was built without Qhull.
  explicit ConvexHull(const std::vector<Vector3>& points);

  std::string_view className() const override { return "ConvexHull"; }
  /// The coordinates of the corners, one after the other.
  std::vector<double> parameters() const override;
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  /// Half the least distance of two parallel planes, one along a face, that hold the hull.
  double size() const override { return data_->size; }
  double spinRadius() const override { return data_->reach; }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;

  Vector3 support(const Vector3& d) const override { return data_->corners[supportNumber(d)].centre; }
  SurfaceFoot foot(const Vector3& point) const override;
  /// The face whose normal is most along d among those at the support point.
  Feature feature(const Vector3& d) const override;
  Vector3 centre() const override { return data_->unit.centre; }
  std::span<const Face> faces() const override { return data_->faces; }
  std::span<const RoundEdge> edges() const override { return data_->edges; }
  std::span<const Vector3> directions() const override { return data_->directions; }
  std::span<const RoundCorner> corners() const override { return data_->corners; }

 private:
  using Polygon = std::vector<std::size_t>;
  // Copies share it: faces point to their outlines.
  struct Data {
    std::vector<RoundCorner> corners;
    std::vector<Polygon> polygons;  // by faces, all corners
    std::vector<RoundCorner> outlines;
    std::vector<Face> faces;
    std::vector<std::vector<std::size_t>> facesAt;  // by corners
    std::vector<RoundEdge> edges;
    std::vector<Vector3> directions;
    MassProperties unit;  // of density 1
    double size = 0., reach = 0.;
  };
  static void takePolygons(Data& data, const std::vector<Vector3>& points);
  static void addFaces(Data& data);
  static void addEdges(Data& data);
  static void measure(Data& data);
  static bool isClosed(const std::vector<Polygon>& polygons);
  static bool isSound(const Data& data, const std::vector<Vector3>& points);
  std::size_t supportNumber(const Vector3& d) const;
  bool isOver(std::size_t face, const Vector3& point) const;

  std::shared_ptr<const Data> data_;
};

}  // namespace delassus
