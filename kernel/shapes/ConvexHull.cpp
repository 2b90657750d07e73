// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexHull.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/HullOfPoints.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Finds the corners of a face: of points that lie about in its plane those of their hull, anticlockwise about the
// normal (Andrew's monotone chain, Inf. Process. Lett. 9, 1979).
std::vector<std::size_t> cornersInPlane(const std::vector<Vector3>& points, const HullFace& face) {
  constexpr double straight = 1e-10;  // of the sine of the angle at a corner that is none
  const Matrix3 frame = contactFrame(face.normal);
  const Vector3 u = column(frame, 1), v = column(frame, 2);
  struct Flat {
    double x, y;
    std::size_t number;
  };
  std::vector<Flat> sorted;
  for (const std::size_t k : face.points) sorted.push_back({dot(u, points[k]), dot(v, points[k]), k});
  std::sort(sorted.begin(), sorted.end(),
            [](const Flat& a, const Flat& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Flat> chain;
  const auto turnsLeft = [](const Flat& a, const Flat& b, const Flat& c) {
    const double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    return ux * vy - uy * vx > straight * std::hypot(ux, uy) * std::hypot(vx, vy);
  };
  const auto extend = [&](const Flat& point, std::size_t fixed) {
    while (chain.size() > fixed + 1 && !turnsLeft(chain[chain.size() - 2], chain.back(), point)) chain.pop_back();
    chain.push_back(point);
  };
  for (const Flat& point : sorted) extend(point, 0);
  const std::size_t lower = chain.size() - 1;
  for (auto point = sorted.rbegin() + 1; point != sorted.rend(); ++point) extend(*point, lower);
  chain.pop_back();
  std::vector<std::size_t> corners;
  corners.reserve(chain.size());
  for (const Flat& point : chain) corners.push_back(point.number);
  return corners;
}

// Takes one of all points that are at one place, to 1e-9 of the extent, in their order: faces between them would be
// rounding.
std::vector<Vector3> withoutDoubles(const std::vector<Vector3>& points) {
  constexpr double same = 1e-9, smallest = 1e-50, largest = 1e50;
  Vector3 lower = points[0], upper = lower;
  for (const Vector3& point : points) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], point[k]);
      upper[k] = std::max(upper[k], point[k]);
    }
  }
  const double extent = norm(upper - lower);
  if (extent > 0. && !(extent > smallest && extent < largest)) {
    throw Error("ConvexHull", "the points extend over " + toText(extent) + " m, out of all measure.");
  }
  std::vector<std::size_t> byX(points.size());
  for (std::size_t k = 0; k < byX.size(); ++k) byX[k] = k;
  std::sort(byX.begin(), byX.end(), [&](std::size_t i, std::size_t j) {
    return points[i][0] < points[j][0] || (points[i][0] == points[j][0] && i < j);
  });
  std::vector<char> isDouble(points.size(), 0);
  for (std::size_t i = 0; i < byX.size(); ++i) {
    for (std::size_t j = i + 1; j < byX.size() && points[byX[j]][0] - points[byX[i]][0] <= same * extent; ++j) {
      const std::size_t first = std::min(byX[i], byX[j]), second = std::max(byX[i], byX[j]);
      if (isDouble[first] == 0 && norm(points[first] - points[second]) <= same * extent) isDouble[second] = 1;
    }
  }
  std::vector<Vector3> apart;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (isDouble[k] == 0) apart.push_back(points[k]);
  }
  return apart;
}

Vector3 normalOf(const std::vector<RoundCorner>& corners, const std::vector<std::size_t>& polygon) {
  Vector3 sum{};
  const Vector3& from = corners[polygon[0]].centre;
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    sum += cross(corners[polygon[k]].centre - from, corners[polygon[k + 1]].centre - from);
  }
  return 1. / norm(sum) * sum;
}

}  // namespace

ConvexHull::ConvexHull(const std::vector<Vector3>& points) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (isFinite(points[k])) continue;
    throw Error("ConvexHull", "the point " + std::to_string(k) + " is not finite.");
  }
  if (points.size() < 4) {
    throw Error("ConvexHull", "at least 4 points are needed, got " + std::to_string(points.size()) + ".");
  }
  const std::vector<Vector3> apart = withoutDoubles(points);
  const auto data = std::make_shared<Data>();
  if (apart.size() >= 4) takePolygons(*data, apart);
  if (data->polygons.size() < 4) {
    throw Error("ConvexHull", "the " + std::to_string(points.size()) + " points do not span a volume.");
  }
  addFaces(*data);
  addEdges(*data);
  measure(*data);
  if (!isSound(*data, points)) {
    throw Error("ConvexHull", "the " + std::to_string(points.size()) +
                                  " points do not span a volume, or one that is flat up to rounding.");
  }
  data_ = data;
}

// Corners in the order of the points, and faces by their corners, so that the hull of the corners is the same.
void ConvexHull::takePolygons(Data& data, const std::vector<Vector3>& points) {
  std::map<std::size_t, std::size_t> numberOf;
  for (const HullFace& face : facesOfHull(points)) {
    Polygon polygon = cornersInPlane(points, face);
    if (polygon.size() < 3) continue;
    std::rotate(polygon.begin(), std::min_element(polygon.begin(), polygon.end()), polygon.end());
    for (const std::size_t point : polygon) numberOf[point] = 0;
    data.polygons.push_back(std::move(polygon));
  }
  std::sort(data.polygons.begin(), data.polygons.end());
  for (auto& [point, number] : numberOf) {
    number = data.corners.size();
    data.corners.push_back({points[point], 0., 0., {}});
  }
  for (Polygon& polygon : data.polygons) {
    for (std::size_t& point : polygon) point = numberOf[point];
  }
}

void ConvexHull::addFaces(Data& data) {
  data.facesAt.resize(data.corners.size());
  std::vector<std::size_t> counts;
  for (std::size_t face = 0; face < data.polygons.size(); ++face) {
    const Polygon& polygon = data.polygons[face];
    for (const std::size_t corner : polygon) data.facesAt[corner].push_back(face);
    counts.push_back(std::min(polygon.size(), mostCorners));
    for (std::size_t k = 0; k < counts.back(); ++k) {
      data.outlines.push_back(data.corners[polygon[k * polygon.size() / counts.back()]]);
    }
  }
  std::size_t begin = 0;
  for (std::size_t face = 0; face < data.polygons.size(); ++face) {
    Face made{normalOf(data.corners, data.polygons[face]), -infinity, {&data.outlines[begin], counts[face]}, nullptr};
    for (const RoundCorner& corner : data.corners) made.offset = std::max(made.offset, dot(made.normal, corner.centre));
    data.faces.push_back(made);
    begin += counts[face];
  }
}

void ConvexHull::addEdges(Data& data) {
  constexpr double parallel = 1e-9;  // of the sine
  for (const Polygon& polygon : data.polygons) {
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const std::size_t from = polygon[k], to = polygon[(k + 1) % polygon.size()];
      if (from > to) continue;  // its other face has it
      const Vector3& a = data.corners[from].centre;
      const Vector3& b = data.corners[to].centre;
      const double length = norm(b - a);
      const Vector3 direction = 1. / length * (b - a);
      data.edges.push_back({0.5 * (a + b), direction, 0.5 * length, 0.});
      const bool isKnown = std::ranges::any_of(
          data.directions, [&](const Vector3& known) { return norm(cross(known, direction)) < parallel; });
      if (!isKnown) data.directions.push_back(direction);
    }
  }
}

void ConvexHull::measure(Data& data) {
  EnclosedMass mass(data.corners[0].centre);
  for (const Polygon& polygon : data.polygons) {
    const auto corner = [&](std::size_t k) { return data.corners[polygon[k]].centre; };
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) mass.add(corner(0), corner(k), corner(k + 1));
  }
  data.unit = mass.result();

  data.size = infinity;
  for (const Face& face : data.faces) {
    double lowest = infinity;
    for (const RoundCorner& corner : data.corners) lowest = std::min(lowest, dot(face.normal, corner.centre));
    data.size = std::min(data.size, 0.5 * (face.offset - lowest));
  }
  for (const RoundCorner& corner : data.corners) data.reach = std::max(data.reach, norm(corner.centre));
}

// Whether each side of a face is one of another face, the other way round.
bool ConvexHull::isClosed(const std::vector<Polygon>& polygons) {
  std::set<std::pair<std::size_t, std::size_t>> sides;
  for (const Polygon& polygon : polygons) {
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      if (!sides.emplace(polygon[k], polygon[(k + 1) % polygon.size()]).second) return false;
    }
  }
  return std::ranges::all_of(sides, [&](const auto& side) { return sides.contains({side.second, side.first}); });
}

// Points that are flat up to rounding have faces that do not close, or that other points are in front of.
bool ConvexHull::isSound(const Data& data, const std::vector<Vector3>& points) {
  constexpr double rounding = 1e-9;  // of the extent
  double extent = 0.;
  for (const Vector3& point : points) extent = std::max(extent, norm(point - data.unit.centre));
  const double tolerance = rounding * extent;
  // Written so that NaN is not sound.
  if (!(data.unit.mass > 0. && data.size > 10. * tolerance && extent < infinity)) return false;
  if (!isClosed(data.polygons)) return false;
  return std::ranges::all_of(data.faces, [&](const Face& face) {
    const auto isBehind = [&](const Vector3& point) { return dot(face.normal, point) <= face.offset + tolerance; };
    const auto isOn = [&](const RoundCorner& corner) {
      return dot(face.normal, corner.centre) >= face.offset - tolerance;
    };
    return std::ranges::all_of(face.outline, isOn) && std::ranges::all_of(points, isBehind);
  });
}

std::vector<double> ConvexHull::parameters() const {
  return coordinatesOf(data_->corners);
}

Settings ConvexHull::settings() const {
  const std::vector<double> coordinates = parameters();
  Settings settings;
  settings.add("hull.corners", std::span<const double>(coordinates));
  return settings;
}

Bounds ConvexHull::bounds(const Placement& at) const {
  return boundsOf(data_->corners, at);
}

MassProperties ConvexHull::massProperties(double density) const {
  shapes::requireDensity(density, className());
  MassProperties scaled = data_->unit;
  scaled.mass *= density;
  for (double& entry : scaled.inertia) entry *= density;
  return scaled;
}

Surface ConvexHull::surface(std::size_t) const {
  std::vector<Vector3> points;
  for (const RoundCorner& corner : data_->corners) points.push_back(corner.centre);
  return Surface::mesh(std::move(points), data_->polygons);
}

std::size_t ConvexHull::supportNumber(const Vector3& d) const {
  std::size_t best = 0;
  double farthest = -infinity;
  for (std::size_t k = 0; k < data_->corners.size(); ++k) {
    const double along = dot(d, data_->corners[k].centre);
    if (along <= farthest) continue;
    farthest = along;
    best = k;
  }
  return best;
}

Feature ConvexHull::feature(const Vector3& d) const {
  const Face* best = nullptr;
  for (const std::size_t k : data_->facesAt[supportNumber(d)]) {
    const Face& face = data_->faces[k];
    if (best == nullptr || dot(d, face.normal) > dot(d, best->normal)) best = &face;
  }
  return {best->outline, best->normal, nullptr};
}

bool ConvexHull::isOver(std::size_t face, const Vector3& point) const {
  const Polygon& polygon = data_->polygons[face];
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector3& from = data_->corners[polygon[k]].centre;
    const Vector3& to = data_->corners[polygon[(k + 1) % polygon.size()]].centre;
    if (dot(cross(data_->faces[face].normal, to - from), point - from) < 0.) return false;
  }
  return true;
}

SurfaceFoot ConvexHull::foot(const Vector3& point) const {
  constexpr double rounding = 1e-12;  // of the reach: nearer points have the normal of a face
  SurfaceFoot nearest{{}, {}, -infinity};
  for (const Face& face : data_->faces) {
    const double height = dot(face.normal, point) - face.offset;
    if (height > nearest.distance) nearest = {point - height * face.normal, face.normal, height};
  }
  if (nearest.distance <= rounding * data_->reach) return nearest;
  nearest.distance = infinity;
  for (std::size_t k = 0; k < data_->faces.size(); ++k) {
    const Face& face = data_->faces[k];
    const double height = dot(face.normal, point) - face.offset;
    if (height <= 0. || height >= nearest.distance || !isOver(k, point)) continue;
    nearest = {point - height * face.normal, face.normal, height};
  }
  for (const RoundEdge& edge : data_->edges) {
    const double along = std::clamp(dot(edge.direction, point - edge.middle), -edge.half, edge.half);
    const Vector3 foot = edge.middle + along * edge.direction;
    const double distance = norm(point - foot);
    if (distance < nearest.distance) nearest = {foot, 1. / distance * (point - foot), distance};
  }
  return nearest;
}

}  // namespace delassus
