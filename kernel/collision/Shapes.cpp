// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Shapes.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

void requireLength(double length, const char* shape, const char* what) {
  if (length > 0. && std::isfinite(length)) return;
  throw Error(shape, std::string(what) + " must be positive and finite, got " + toText(length) + ".");
}

Bounds boundsAbout(const Vector3& centre, const Vector3& extents) {
  return {centre - extents, centre + extents};
}

struct FindBounds {
  const Placement& placement;

  Bounds operator()(const SphereShape& sphere) const {
    const double r = sphere.radius();
    return boundsAbout(placement.position, {r, r, r});
  }
  Bounds operator()(const BoxShape& box) const {
    Vector3 extents{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) extents[i] += std::abs(placement.rotation[i + 3 * j]) * box.halfEdges()[j];
    }
    return boundsAbout(placement.position, extents);
  }
  Bounds operator()(const Plane&) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  }
};

struct FindSpinRadius {
  double operator()(const SphereShape&) const { return 0.; }
  double operator()(const BoxShape& box) const { return norm(box.halfEdges()); }
  double operator()(const Plane&) const { return 0.; }
};

struct FindSize {
  double operator()(const SphereShape& sphere) const { return sphere.radius(); }
  double operator()(const BoxShape& box) const {
    return *std::min_element(box.halfEdges().begin(), box.halfEdges().end());
  }
  double operator()(const Plane&) const { return 0.; }
};

// Of a point in the box.
SurfaceFoot footFromInside(const Bounds& box, const Vector3& from) {
  SurfaceFoot foot{from, {}, -std::numeric_limits<double>::infinity()};
  std::size_t axis = 0;
  bool isUpper = false;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const bool upper : {true, false}) {
      const double distance = upper ? from[k] - box.upper[k] : box.lower[k] - from[k];
      if (distance <= foot.distance) continue;
      foot.distance = distance;
      axis = k;
      isUpper = upper;
    }
  }
  foot.normal[axis] = isUpper ? 1. : -1.;
  foot.point[axis] = isUpper ? box.upper[axis] : box.lower[axis];
  return foot;
}

}  // namespace

SurfaceFoot footOn(const Bounds& box, const Vector3& from) {
  Vector3 nearest;
  for (std::size_t k = 0; k < 3; ++k) nearest[k] = std::clamp(from[k], box.lower[k], box.upper[k]);
  const Vector3 between = from - nearest;
  const double distance = norm(between);
  if (distance > 0.) return {nearest, 1. / distance * between, distance};
  return footFromInside(box, from);
}

SphereShape::SphereShape(double radius) : radius_(radius) {
  requireLength(radius, "SphereShape", "the radius");
}

BoxShape::BoxShape(double lx, double ly, double lz) : halfEdges_{0.5 * lx, 0.5 * ly, 0.5 * lz} {
  for (const double edge : {lx, ly, lz}) requireLength(edge, "BoxShape", "each edge");
}

void Bounds::inflate(double distance) {
  for (std::size_t k = 0; k < 3; ++k) {
    lower[k] -= distance;
    upper[k] += distance;
  }
}

void Bounds::sweep(const Vector3& displacement) {
  for (std::size_t k = 0; k < 3; ++k) {
    lower[k] += std::min(0., displacement[k]);
    upper[k] += std::max(0., displacement[k]);
  }
}

Bounds boundsOf(const Shape& shape, const Placement& placement) {
  return std::visit(FindBounds{placement}, shape);
}

double spinRadius(const Shape& shape) {
  return std::visit(FindSpinRadius{}, shape);
}

double sizeOf(const Shape& shape) {
  return std::visit(FindSize{}, shape);
}

Settings settingsOf(const Shape& shape) {
  Settings settings;
  if (const auto* const sphere = std::get_if<SphereShape>(&shape)) {
    settings.add("sphere.radius", sphere->radius());
  } else if (const auto* const box = std::get_if<BoxShape>(&shape)) {
    settings.add("box.halfEdges", std::span<const double>(box->halfEdges()));
  } else {
    settings.add("plane", MovingPlane(std::get<Plane>(shape)).settings());
  }
  return settings;
}

}  // namespace delassus
