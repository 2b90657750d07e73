// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/PointsPlane.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus {
namespace {

std::vector<Vector3> boxCorners(double lx, double ly, double lz) {
  for (const double edge : {lx, ly, lz}) shapes::requireLength(edge, false, "BoxPlane", "edges");
  std::vector<Vector3> corners;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      for (const double z : {-0.5, 0.5}) corners.push_back({x * lx, y * ly, z * lz});
    }
  }
  return corners;
}

std::vector<Vector3> rectangleCorners(double lx, double ly) {
  for (const double edge : {lx, ly}) shapes::requireLength(edge, false, "RectanglePlane", "edges");
  std::vector<Vector3> corners;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) corners.push_back({x * lx, y * ly, 0.});
  }
  return corners;
}

}  // namespace

PointsPlane::PointsPlane(std::vector<Vector3> points, MovingPlane plane, double radius)
    : points_(std::move(points)), plane_(std::move(plane)), radius_(radius) {
  if (points_.empty()) throw Error("PointsPlane", "there must be at least one point.");
  for (const Vector3& point : points_) shapes::requirePoint(point, "PointsPlane", "points");
  shapes::requireLength(radius, true, "PointsPlane", "radius");
}

void PointsPlane::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  plane_.moveTo(t);
  const Matrix3 R = shapes::rotationOf(q);
  const Vector3 centre = shapes::centreOf(q);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Vector3 point = centre + multiply(R, points_[k]);
    plane_.touch(point - radius_ * plane_.normal(), plane_.distance(point) - radius_, contacts[k]);
  }
}

BoxPlane::BoxPlane(double lx, double ly, double lz, MovingPlane plane)
    : PointsPlane(boxCorners(lx, ly, lz), std::move(plane)) {
}

RectanglePlane::RectanglePlane(double lx, double ly, MovingPlane plane)
    : PointsPlane(rectangleCorners(lx, ly), std::move(plane)) {
}

Settings PointsPlane::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    settings.add("point " + std::to_string(k), std::span<const double>(points_[k]));
  }
  settings.add("radius", radius_);
  settings.add("plane", plane_.settings());
  return settings;
}

}  // namespace delassus
