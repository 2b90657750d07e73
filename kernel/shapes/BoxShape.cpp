// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/BoxShape.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr std::array<Vector3, 3> axes{Vector3{1., 0., 0.}, Vector3{0., 1., 0.}, Vector3{0., 0., 1.}};

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

// Half the vector from the middle of the face to that of the face beside it.
Vector3 toSide(const Vector3& half, std::size_t axis, double side) {
  return side * half[axis] * axes[axis];
}

}  // namespace

BoxShape::BoxShape(double lx, double ly, double lz) : half_{0.5 * lx, 0.5 * ly, 0.5 * lz} {
  for (const double edge : {lx, ly, lz}) shapes::requireLength(edge, false, "BoxShape", "edge");
  const auto data = std::make_shared<Data>();
  for (std::size_t k = 0; k < 8; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      data->corners[k].centre[axis] = ((k >> axis) & 1u) != 0 ? half_[axis] : -half_[axis];
    }
  }
  // Face 2 k at the lower end of axis k, face 2 k + 1 at the upper one.
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t axis = k / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = k % 2 == 0 ? -1. : 1.;
    for (std::size_t i = 0; i < 4; ++i) {
      const double alongU = i == 0 || i == 3 ? side : -side, alongV = i < 2 ? 1. : -1.;
      data->outlines[4 * k + i].centre =
          toSide(half_, axis, side) + (toSide(half_, u, alongU) + toSide(half_, v, alongV));
    }
    data->faces[k] = {side * axes[axis], half_[axis], {&data->outlines[4 * k], 4}, nullptr};
  }
  for (std::size_t k = 0; k < 12; ++k) {
    const std::size_t axis = k / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double alongU = k % 2 == 0 ? -1. : 1., alongV = k / 2 % 2 == 0 ? -1. : 1.;
    data->edges[k] = {toSide(half_, u, alongU) + toSide(half_, v, alongV), axes[axis], half_[axis], 0.};
  }
  data_ = data;
}

SurfaceFoot BoxShape::footBeyond(const Vector3& from, OpenSides open) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bounds box{-half_, half_};
  for (std::size_t k = 0; k < 3; ++k) {
    if ((open >> (2 * k) & 1u) != 0) box.lower[k] = -infinity;
    if ((open >> (2 * k + 1) & 1u) != 0) box.upper[k] = infinity;
  }
  Vector3 nearest;
  for (std::size_t k = 0; k < 3; ++k) nearest[k] = std::clamp(from[k], box.lower[k], box.upper[k]);
  const Vector3 between = from - nearest;
  const double distance = norm(between);
  if (distance > 0.) return {nearest, 1. / distance * between, distance};
  return footFromInside(box, from);
}

Settings BoxShape::settings() const {
  Settings settings;
  settings.add("box.halfEdges", std::span<const double>(half_));
  return settings;
}

Bounds BoxShape::bounds(const Placement& at) const {
  Vector3 extents{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) extents[i] += std::abs(at.rotation[i + 3 * j]) * half_[j];
  }
  return Bounds::about(at.position, extents);
}

double BoxShape::size() const {
  return *std::min_element(half_.begin(), half_.end());
}

MassProperties BoxShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double mass = 8. * half_[0] * half_[1] * half_[2] * density;
  const double x = half_[0] * half_[0], y = half_[1] * half_[1], z = half_[2] * half_[2];
  return {mass, {}, diagonal3(mass / 3. * (y + z), mass / 3. * (x + z), mass / 3. * (x + y))};
}

std::span<const Vector3> BoxShape::directions() const {
  return axes;
}

Feature BoxShape::feature(const Vector3& d) const {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(d[k]) > std::abs(d[axis])) axis = k;
  }
  const Face& face = data_->faces[2 * axis + (d[axis] < 0. ? 0 : 1)];
  return {face.outline, face.normal, nullptr};
}

}  // namespace delassus
