// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/Surface.hpp>

#include <cmath>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>
#include <string>
#include <utility>

namespace delassus {
namespace {

void requireSegments(std::size_t segments, const char* shape) {
  constexpr std::size_t fewest = 3, most = 10000;
  if (fewest <= segments && segments <= most) return;
  throw Error(std::string("Surface::") + shape,
              "there must be 3 to 10000 segments, got " + std::to_string(segments) + ".");
}

}  // namespace

Surface Surface::box(double lx, double ly, double lz) {
  for (const double length : {lx, ly, lz}) shapes::requireLength(length, false, "Surface::box", "edge");
  std::vector<Vector3> points;
  for (std::size_t k = 0; k < 8; ++k) {
    const auto side = [k](std::size_t axis) { return (k >> axis & 1u) != 0 ? 0.5 : -0.5; };
    points.push_back({side(0) * lx, side(1) * ly, side(2) * lz});
  }
  return mesh(std::move(points), {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}});
}

Surface Surface::sphere(double radius, std::size_t segments) {
  shapes::requireLength(radius, false, "Surface::sphere", "radius");
  requireSegments(segments, "sphere");
  std::vector<std::array<double, 2>> outline;
  const std::size_t rings = segments / 2 + 1;
  for (std::size_t k = 0; k <= rings; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(rings);
    const bool isPole = k == 0 || k == rings;
    outline.push_back({isPole ? 0. : radius * std::sin(angle), -radius * std::cos(angle)});
  }
  Surface surface = revolution(outline, segments);
  // Eighths of the sphere, in turns of both kinds.
  for (std::size_t k = 0; k < surface.polygons.size(); ++k) {
    Vector3 centre{};
    for (const std::size_t point : surface.polygons[k]) centre += surface.points[point];
    surface.patches[k] = (centre[0] > 0.) != ((centre[1] > 0.) != (centre[2] > 0.)) ? 1 : 0;
  }
  return surface;
}

Surface Surface::cylinder(double radius, double height, std::size_t segments) {
  shapes::requireLength(radius, false, "Surface::cylinder", "radius");
  shapes::requireLength(height, false, "Surface::cylinder", "height");
  requireSegments(segments, "cylinder");
  return revolution({{radius, -0.5 * height}, {radius, 0.5 * height}}, segments);
}

Surface Surface::revolution(const std::vector<std::array<double, 2>>& outline, std::size_t segments) {
  requireSegments(segments, "revolution");
  if (outline.size() < 2) throw Error("Surface::revolution", "the outline must have at least two points.");
  std::vector<Vector3> points;
  std::vector<Polygon> polygons;
  std::vector<int> patches;
  // A ring of points, or a single one on the axis, for each point of the outline.
  std::vector<std::size_t> begins;
  for (const auto& [r, z] : outline) {
    if (!(r >= 0. && std::isfinite(r) && std::isfinite(z))) {
      throw Error("Surface::revolution",
                  "the outline must be finite with r >= 0, got (" + toText(r) + ", " + toText(z) + ").");
    }
    begins.push_back(points.size());
    const std::size_t around = r > 0. ? segments : 1;
    for (std::size_t i = 0; i < around; ++i) {
      const double angle = 2. * std::numbers::pi * static_cast<double>(i) / static_cast<double>(segments);
      points.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
  }
  const auto isRing = [&](std::size_t k) { return outline[k][0] > 0.; };
  const auto at = [&](std::size_t k, std::size_t i) { return begins[k] + (isRing(k) ? i % segments : 0); };
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) {
    for (std::size_t i = 0; i < segments; ++i) {
      Polygon polygon;
      if (isRing(k) || isRing(k + 1)) polygon = {at(k, i)};
      if (isRing(k)) polygon.push_back(at(k, i + 1));
      if (isRing(k + 1)) polygon.push_back(at(k + 1, i + 1));
      if (!polygon.empty()) polygon.push_back(at(k + 1, i));
      if (polygon.empty()) continue;
      polygons.push_back(std::move(polygon));
      patches.push_back(static_cast<int>(4 * i / segments % 2));
    }
  }
  Polygon lower, upper;
  for (std::size_t i = 0; i < segments; ++i) {
    lower.push_back(at(0, segments - 1 - i));
    upper.push_back(at(outline.size() - 1, i));
  }
  const bool isClosed = outline.front() == outline.back();
  if (isRing(0) && !isClosed) polygons.push_back(std::move(lower));
  if (isRing(outline.size() - 1) && !isClosed) polygons.push_back(std::move(upper));
  patches.resize(polygons.size(), 0);
  Surface surface = mesh(std::move(points), std::move(polygons));
  surface.patches = std::move(patches);
  return surface;
}

Surface Surface::rectangle(double lx, double ly) {
  for (const double length : {lx, ly}) shapes::requireLength(length, false, "Surface::rectangle", "edge");
  const double x = 0.5 * lx;
  const double y = 0.5 * ly;
  return mesh({{-x, -y, 0.}, {x, -y, 0.}, {x, y, 0.}, {-x, y, 0.}}, {{0, 1, 2, 3}});
}

Surface Surface::mesh(std::vector<Vector3> points, std::vector<Polygon> polygons) {
  for (const Vector3& point : points) {
    if (!isFinite(point)) throw Error("Surface::mesh", "a point is not finite.");
  }
  for (const Polygon& polygon : polygons) {
    if (polygon.size() < 3) {
      throw Error("Surface::mesh",
                  "a polygon must have at least 3 points, got " + std::to_string(polygon.size()) + ".");
    }
    for (const std::size_t point : polygon) {
      if (point < points.size()) continue;
      throw Error("Surface::mesh", "a polygon names the point " + std::to_string(point) + ", but there are " +
                                       std::to_string(points.size()) + ", numbered from 0.");
    }
  }
  Surface surface;
  surface.points = std::move(points);
  surface.polygons = std::move(polygons);
  surface.patches.assign(surface.polygons.size(), 0);
  return surface;
}

Surface Surface::capsule(double radius, double length, std::size_t segments) {
  shapes::requireLength(radius, false, "Surface::capsule", "radius");
  shapes::requireLength(length, false, "Surface::capsule", "length");
  requireSegments(segments, "capsule");
  std::vector<std::array<double, 2>> outline;
  const std::size_t rings = segments / 4 + 1;
  const auto addCap = [&](double side) {
    for (std::size_t k = 0; k <= rings; ++k) {
      const std::size_t step = side < 0. ? k : rings - k;
      const double angle = 0.5 * std::numbers::pi * static_cast<double>(step) / static_cast<double>(rings);
      outline.push_back({step == 0 ? 0. : radius * std::sin(angle), side * (0.5 * length + radius * std::cos(angle))});
    }
  };
  addCap(-1.);
  addCap(1.);
  return revolution(outline, segments);
}

void Surface::add(const Surface& other, const Placement& at) {
  const std::size_t before = points.size();
  for (const Vector3& point : other.points) points.push_back(at.place(point));
  for (Polygon polygon : other.polygons) {
    for (std::size_t& point : polygon) point += before;
    polygons.push_back(std::move(polygon));
  }
  patches.insert(patches.end(), other.patches.begin(), other.patches.end());
}

Surface Surface::with(const Surface& other, const Placement& at) const {
  Surface both = *this;
  both.add(other, at);
  return both;
}

}  // namespace delassus
