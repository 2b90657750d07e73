// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/SphereShape.hpp>

#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <numbers>

namespace delassus {

SphereShape::SphereShape(double radius) : corner_{{}, radius, 0., {}} {
  shapes::requireLength(radius, false, "SphereShape", "radius");
}

Settings SphereShape::settings() const {
  Settings settings;
  settings.add("sphere.radius", radius());
  return settings;
}

Bounds SphereShape::bounds(const Placement& at) const {
  return Bounds::about(at.position, {radius(), radius(), radius()});
}

MassProperties SphereShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double squared = radius() * radius();
  const double mass = 4. / 3. * std::numbers::pi * squared * radius() * density;
  const double inertia = 0.4 * mass * squared;
  return {mass, {}, diagonal3(inertia, inertia, inertia)};
}

SurfaceFoot SphereShape::foot(const Vector3& point) const {
  const double distance = norm(point);
  const Vector3 normal = distance > 0. ? 1. / distance * point : Vector3{1., 0., 0.};
  return {radius() * normal, normal, distance - radius()};
}

}  // namespace delassus
