// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/TriangleMesh.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/MeshTriangle.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <map>
#include <utility>

namespace delassus {

TriangleMesh::TriangleMesh(std::vector<Vector3> points, std::vector<MeshTopology::Triangle> triangles)
    : topology_(std::make_shared<const MeshTopology>(std::move(points), std::move(triangles), "TriangleMesh")) {
  parts_.reserve(topology_->triangles().size());
  for (std::size_t k = 0; k < topology_->triangles().size(); ++k) {
    parts_.push_back({std::make_shared<const MeshTriangle>(topology_, k), {}});
  }
}

TriangleMesh TriangleMesh::of(const Surface& any) {
  const Surface surface = Surface::mesh(any.points, any.polygons);  // checked
  std::vector<Vector3> points;
  std::map<Vector3, std::size_t> known;
  std::vector<std::size_t> numbers;
  for (const Vector3& point : surface.points) {
    const auto [place, isNew] = known.emplace(point, points.size());
    if (isNew) points.push_back(point);
    numbers.push_back(place->second);
  }
  std::vector<MeshTopology::Triangle> triangles;
  for (const Surface::Polygon& polygon : surface.polygons) {
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
      triangles.push_back({numbers[polygon[0]], numbers[polygon[k]], numbers[polygon[k + 1]]});
    }
  }
  return TriangleMesh(std::move(points), std::move(triangles));
}

TriangleMesh TriangleMesh::ofHeights(const Matrix& heights, double dx, double dy) {
  for (const double width : {dx, dy}) shapes::requireLength(width, false, "TriangleMesh::ofHeights", "width of a cell");
  const std::size_t rows = heights.size1(), columns = heights.size2();
  if (rows < 2 || columns < 2) {
    throw Error("TriangleMesh::ofHeights", "at least 2 x 2 heights are needed, got " + std::to_string(rows) + " x " +
                                               std::to_string(columns) + ".");
  }
  std::vector<Vector3> points;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      points.push_back({static_cast<double>(i) * dx, static_cast<double>(j) * dy, heights(i, j)});
    }
  }
  std::vector<MeshTopology::Triangle> triangles;
  for (std::size_t i = 0; i + 1 < rows; ++i) {
    for (std::size_t j = 0; j + 1 < columns; ++j) {
      const std::size_t near = i * columns + j, far = near + columns;
      triangles.push_back({near, far, far + 1});
      triangles.push_back({near, far + 1, near + 1});
    }
  }
  return TriangleMesh(std::move(points), std::move(triangles));
}

Settings TriangleMesh::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    settings.add("triangle " + std::to_string(k), parts_[k].shape->settings());
  }
  return settings;
}

Bounds TriangleMesh::bounds(const Placement& at) const {
  Bounds all = parts_.front().shape->bounds(at);
  for (const PlacedShape& part : parts_) all.add(part.shape->bounds(at));
  return all;
}

double TriangleMesh::size() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const PlacedShape& part : parts_) smallest = std::min(smallest, part.shape->size());
  return smallest;
}

double TriangleMesh::spinRadius() const {
  double largest = 0.;
  for (const Vector3& point : topology_->points()) largest = std::max(largest, norm(point));
  return largest;
}

MassProperties TriangleMesh::massProperties(double density) const {
  shapes::requireDensity(density, className());
  if (!topology_->isClosed()) {
    throw Error("TriangleMesh", "a mesh that is open, with edges of one triangle, has no mass.");
  }
  EnclosedMass enclosed(topology_->points()[topology_->triangles()[0][0]]);
  for (std::size_t k = 0; k < topology_->triangles().size(); ++k) {
    enclosed.add(topology_->corner(k, 0), topology_->corner(k, 1), topology_->corner(k, 2));
  }
  if (!(enclosed.volume() > 0.)) {
    throw Error("TriangleMesh",
                "its volume is " + toText(enclosed.volume()) + " m³: it is turned inside out, or flat.");
  }
  MassProperties mass = enclosed.result();
  mass.mass *= density;
  for (double& entry : mass.inertia) entry *= density;
  return mass;
}

Surface TriangleMesh::surface(std::size_t) const {
  std::vector<Surface::Polygon> polygons;
  for (const MeshTopology::Triangle& triangle : topology_->triangles()) {
    polygons.emplace_back(triangle.begin(), triangle.end());
  }
  return Surface::mesh(topology_->points(), std::move(polygons));
}

}  // namespace delassus
