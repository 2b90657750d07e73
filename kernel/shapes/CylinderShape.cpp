// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/CylinderShape.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/RoundEnd.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <numbers>

namespace delassus {

CylinderShape::CylinderShape(double radius, double height) {
  shapes::requireLength(radius, false, "CylinderShape", "radius");
  shapes::requireLength(height, false, "CylinderShape", "height");
  const double half = 0.5 * height;
  const auto data = std::make_shared<Data>();
  data->side = {{}, {0., 0., 1.}, half, radius};
  for (std::size_t end = 0; end < 2; ++end) {
    const double up = end == 0 ? -1. : 1.;
    data->ends[end] = shapes::makeRoundEnd(radius, up * half, up, {&data->outlines[end * sides], sides},
                                           {&data->feet[end * sides / 2], sides / 2}, data->rims[end]);
  }
  data_ = data;
}

Settings CylinderShape::settings() const {
  Settings settings;
  settings.add("cylinder.radius", radius());
  settings.add("cylinder.height", height());
  return settings;
}

Bounds CylinderShape::bounds(const Placement& at) const {
  Vector3 extents;
  for (std::size_t i = 0; i < 3; ++i) {
    extents[i] =
        data_->side.half * std::abs(at.rotation[i + 6]) + radius() * std::hypot(at.rotation[i], at.rotation[i + 3]);
  }
  return Bounds::about(at.position, extents);
}

double CylinderShape::size() const {
  return std::min(radius(), data_->side.half);
}

MassProperties CylinderShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double squared = radius() * radius(), h = height();
  const double mass = std::numbers::pi * squared * h * density;
  const double across = mass * (squared / 4. + h * h / 12.);
  return {mass, {}, diagonal3(across, across, mass * squared / 2.)};
}

Vector3 CylinderShape::support(const Vector3& d) const {
  const double across = std::hypot(d[0], d[1]);
  constexpr double none = 1e-150;  // a quotient by less might overflow
  const double scale = across > none ? radius() / across : 0.;
  return {scale * d[0], scale * d[1], std::copysign(data_->side.half, d[2])};
}

SurfaceFoot CylinderShape::foot(const Vector3& point) const {
  const double r = radius(), half = data_->side.half;
  const double across = std::hypot(point[0], point[1]);
  const Vector3 radial = across > 0. ? Vector3{point[0] / across, point[1] / across, 0.} : Vector3{1., 0., 0.};
  const double up = std::copysign(1., point[2]);
  const double outOfSide = across - r, outOfEnd = std::abs(point[2]) - half;
  if (outOfSide > 0. && outOfEnd > 0.) {
    const double distance = std::hypot(outOfSide, outOfEnd);
    const Vector3 normal = 1. / distance * (outOfSide * radial + Vector3{0., 0., up * outOfEnd});
    return {r * radial + Vector3{0., 0., up * half}, normal, distance};
  }
  if (outOfSide > outOfEnd) return {r * radial + Vector3{0., 0., point[2]}, radial, outOfSide};
  return {{point[0], point[1], up * half}, {0., 0., up}, outOfEnd};
}

Feature CylinderShape::feature(const Vector3& d) const {
  if (std::abs(d[2]) < shapes::upright) return {data_->rims, {}, nullptr};
  const std::size_t end = d[2] < 0. ? 0 : 1;
  return {{&data_->feet[end * sides / 2], sides / 2}, data_->ends[end].normal, data_->ends[end].rim};
}

}  // namespace delassus
