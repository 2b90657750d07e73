// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/VtkShape.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus {
namespace {

// Turns z to the unit vector n.
Quaternion rotationOfZ(const Vector3& n) {
  const Matrix3 frame = contactFrame(n);
  return rotations::quaternion({frame[3], frame[4], frame[5], frame[6], frame[7], frame[8], n[0], n[1], n[2]});
}

}  // namespace

VtkPlacement VtkPlacement::onPlane(const Plane& plane, const Vector3& near) {
  const Plane unit = plane.normalised();
  const Vector3& n = unit.normal;
  ContactPoint contact;
  contact.normal = n;
  contact.tangent = unit.tangent;
  const Matrix3 frame = contact.frame();
  return {near + (unit.offset - dot(n, near)) * n,
          rotations::quaternion({frame[3], frame[4], frame[5], frame[6], frame[7], frame[8], n[0], n[1], n[2]})};
}

VtkPlacement VtkPlacement::along(const Vector3& from, const Vector3& to) {
  const Vector3 way = to - from;
  const double length = norm(way);
  if (!(length > 0. && std::isfinite(length))) {
    throw Error("VtkPlacement::along",
                "the two points must be finite and apart, but their distance is " + toText(length) + ".");
  }
  return {0.5 * (from + to), rotationOfZ(1. / length * way)};
}

VtkShape::VtkShape(Surface surface) : surface_(std::move(surface)) {
}

VtkShape VtkShape::box(double lx, double ly, double lz) {
  return VtkShape(Surface::box(lx, ly, lz));
}

VtkShape VtkShape::sphere(double radius, std::size_t segments) {
  return VtkShape(Surface::sphere(radius, segments));
}

VtkShape VtkShape::cylinder(double radius, double height, std::size_t segments) {
  return VtkShape(Surface::cylinder(radius, height, segments));
}

VtkShape VtkShape::rod(const Vector3& from, const Vector3& to, double radius, std::size_t segments) {
  const VtkPlacement place = VtkPlacement::along(from, to);
  VtkShape shape = VtkShape(Surface{}).with(cylinder(radius, norm(to - from), segments), place);
  std::fill(shape.surface_.patches.begin(), shape.surface_.patches.end(), 0);
  return shape;
}

VtkShape VtkShape::revolution(const std::vector<std::array<double, 2>>& outline, std::size_t segments) {
  return VtkShape(Surface::revolution(outline, segments));
}

VtkShape VtkShape::rectangle(double lx, double ly) {
  return VtkShape(Surface::rectangle(lx, ly));
}

VtkShape VtkShape::mesh(std::vector<Vector3> points, std::vector<Polygon> polygons) {
  return VtkShape(Surface::mesh(std::move(points), std::move(polygons)));
}

VtkShape VtkShape::ball(double radius) {
  if (!(radius > 0. && std::isfinite(radius))) {
    throw Error("VtkShape::ball", "the radius must be positive and finite, got " + toText(radius) + ".");
  }
  VtkShape shape{Surface{}};
  shape.radius_ = radius;
  return shape;
}

VtkShape VtkShape::with(const VtkShape& other, const VtkPlacement& at) const {
  if (radius_ > 0. || other.radius_ > 0.) {
    throw Error("VtkShape::with", "a ball has no surface to put together with others; take a sphere.");
  }
  return VtkShape(surface_.with(other.surface_, {at.position, rotations::rotationMatrix(at.rotation)}));
}

}  // namespace delassus
