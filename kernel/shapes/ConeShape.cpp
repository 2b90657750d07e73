// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConeShape.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/RoundEnd.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <numbers>

namespace delassus {

ConeShape::ConeShape(double radius, double height) {
  shapes::requireLength(radius, false, "ConeShape", "radius");
  shapes::requireLength(height, false, "ConeShape", "height");
  const auto data = std::make_shared<Data>();
  const double below = 0.25 * height;
  data->tip.centre = {0., 0., 3. * below};
  data->base = shapes::makeRoundEnd(radius, -below, -1., data->outline, data->feet, data->rim);
  data->side = {data->tip, data->rim};
  data->ruled = {{0., 0., 1.}, radius / std::hypot(radius, height)};
  data_ = data;
}

Settings ConeShape::settings() const {
  Settings settings;
  settings.add("cone.radius", radius());
  settings.add("cone.height", height());
  return settings;
}

Bounds ConeShape::bounds(const Placement& at) const {
  const Vector3 tip = at.place(data_->tip.centre), middle = at.place(data_->rim.centre);
  Bounds bounds;
  for (std::size_t i = 0; i < 3; ++i) {
    const double reach = radius() * std::hypot(at.rotation[i], at.rotation[i + 3]);
    bounds.lower[i] = std::min(tip[i], middle[i] - reach);
    bounds.upper[i] = std::max(tip[i], middle[i] + reach);
  }
  return bounds;
}

double ConeShape::size() const {
  return radius() * height() / (radius() + std::hypot(radius(), height()));
}

double ConeShape::spinRadius() const {
  return std::max(data_->tip.centre[2], std::hypot(radius(), data_->rim.centre[2]));
}

MassProperties ConeShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double squared = radius() * radius(), h = height();
  const double mass = std::numbers::pi / 3. * squared * h * density;
  const double across = 3. / 80. * mass * (4. * squared + h * h);
  return {mass, {}, diagonal3(across, across, 0.3 * mass * squared)};
}

Surface ConeShape::surface(std::size_t segments) const {
  return Surface::revolution({{radius(), data_->rim.centre[2]}, {0., data_->tip.centre[2]}}, segments);
}

Vector3 ConeShape::support(const Vector3& d) const {
  const double across = std::hypot(d[0], d[1]);
  if (height() * d[2] > radius() * across) return data_->tip.centre;
  constexpr double none = 1e-150;  // a quotient by less might overflow
  const double scale = across > none ? radius() / across : 0.;
  return {scale * d[0], scale * d[1], data_->rim.centre[2]};
}

// In the plane of the point and the axis, where (x, z) is relative to the rim and the side goes from there along
// (−r, h).
SurfaceFoot ConeShape::foot(const Vector3& point) const {
  const double r = radius(), h = height(), slant = std::hypot(r, h);
  const double across = std::hypot(point[0], point[1]);
  const Vector3 radial = across > 0. ? Vector3{point[0] / across, point[1] / across, 0.} : Vector3{1., 0., 0.};
  const double x = across - r, z = point[2] - data_->rim.centre[2];
  const double outOfSide = (h * x + r * z) / slant, outOfBase = -z;
  const bool isInside = outOfSide <= 0. && outOfBase <= 0.;
  if (isInside ? outOfBase >= outOfSide : outOfBase > 0. && x <= 0.) {
    return {{point[0], point[1], data_->rim.centre[2]}, data_->base.normal, outOfBase};
  }
  const double along = (h * z - r * x) / (slant * slant);  // 0 at the rim, 1 at the tip
  const Vector3 ofSide = h / slant * radial + Vector3{0., 0., r / slant};
  if (isInside || (along >= 0. && along <= 1.)) {
    const double part = std::clamp(along, 0., 1.);
    return {r * (1. - part) * radial + Vector3{0., 0., data_->rim.centre[2] + part * h}, ofSide, outOfSide};
  }
  const Vector3 corner = along > 1. ? data_->tip.centre : r * radial + data_->rim.centre;
  const Vector3 from = point - corner;
  const double distance = norm(from);
  constexpr double rounding = 1e-13;  // of the side: below, the direction is
  if (distance > rounding * slant) return {corner, 1. / distance * from, distance};
  return {corner, outOfBase > outOfSide ? data_->base.normal : ofSide, distance};
}

RoundEdge ConeShape::lineOfSide(const Vector3& d) const {
  const Vector3 low = data_->rim.towards(d), up = data_->tip.centre - low;
  const double length = norm(up);
  return {low + 0.5 * up, 1. / length * up, 0.5 * length, 0.};
}

Feature ConeShape::feature(const Vector3& d) const {
  if (d[2] > -shapes::upright) return {data_->side, {}, nullptr};
  return {data_->feet, data_->base.normal, data_->base.rim};
}

}  // namespace delassus
