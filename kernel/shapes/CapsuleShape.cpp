// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/CapsuleShape.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <numbers>

namespace delassus {

CapsuleShape::CapsuleShape(double radius, double length)
    : edge_{{}, {0., 0., 1.}, 0.5 * length, radius},
      corners_{RoundCorner{{0., 0., -0.5 * length}, radius, 0., {}},
               RoundCorner{{0., 0., 0.5 * length}, radius, 0., {}}} {
  shapes::requireLength(radius, false, "CapsuleShape", "radius");
  shapes::requireLength(length, false, "CapsuleShape", "length");
}

Settings CapsuleShape::settings() const {
  Settings settings;
  settings.add("capsule.radius", radius());
  settings.add("capsule.length", length());
  return settings;
}

Bounds CapsuleShape::bounds(const Placement& at) const {
  Vector3 extents;
  for (std::size_t i = 0; i < 3; ++i) extents[i] = radius() + std::abs(at.rotation[i + 6]) * edge_.half;
  return Bounds::about(at.position, extents);
}

// A cylinder, and two half spheres, whose centres of mass lie 3/8 of the radius from their faces.
MassProperties CapsuleShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double r = radius(), squared = r * r, h = length();
  const double cylinder = std::numbers::pi * squared * h * density;
  const double ball = 4. / 3. * std::numbers::pi * squared * r * density;
  const double along = cylinder * squared / 2. + ball * 0.4 * squared;
  const double across = cylinder * (squared / 4. + h * h / 12.) + ball * (0.4 * squared + h * h / 4. + 0.375 * r * h);
  return {cylinder + ball, {}, diagonal3(across, across, along)};
}

SurfaceFoot CapsuleShape::foot(const Vector3& point) const {
  const Vector3 nearest{0., 0., std::clamp(point[2], -edge_.half, edge_.half)};
  const Vector3 between = point - nearest;
  const double distance = norm(between);
  const Vector3 normal = distance > 0. ? 1. / distance * between : Vector3{1., 0., 0.};
  return {nearest + radius() * normal, normal, distance - radius()};
}

}  // namespace delassus
