// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/CylinderPlane.hpp>

#include <algorithm>
#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus {
namespace {

constexpr double pi = 3.14159265358979323846;

// Sine of the angle between axis and normal below which a cylinder counts as standing.
constexpr double standingSine = 0.05;
// That beyond which a standing one may roll on its rim.
constexpr double rollingSine = 1e-3;

}  // namespace

CylinderPlane::CylinderPlane(double radius, double height, MovingPlane plane, std::size_t supports)
    : radius_(radius), halfHeight_(0.5 * height), plane_(std::move(plane)) {
  shapes::requireLength(radius, false, "CylinderPlane", "radius");
  shapes::requireLength(height, false, "CylinderPlane", "height");
  if (supports < 3 || supports > 1000) {
    throw Error("CylinderPlane", "a cylinder stands on at least 3 points of its rim and on at most 1000, got " +
                                     std::to_string(supports));
  }
  for (std::size_t k = 0; k < supports; ++k) {
    const double angle = 2. * pi * static_cast<double>(k) / static_cast<double>(supports);
    supports_.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.});
  }
}

void CylinderPlane::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  plane_.moveTo(t);
  const Matrix3 R = shapes::rotationOf(q);
  const Vector3 centre = shapes::centreOf(q);
  const Vector3 axis = column(R, 2);
  const double cosine = dot(plane_.normal(), axis);
  const auto end = [&](double side) { return centre + side * halfHeight_ * axis; };
  const auto touch = [&](const Vector3& point, std::size_t k) {
    plane_.touch(point, plane_.distance(point), contacts[k]);
  };

  // Down along the faces of the ends; where the axis is the normal, any direction is.
  const Vector3 toLowest = -radius_ * shapes::across(plane_.normal(), axis, column(R, 0));
  const double sine = norm(cross(plane_.normal(), axis));
  if (sine >= standingSine) {
    touch(end(1.) + toLowest, 0);
    touch(end(-1.) + toLowest, 1);
    for (std::size_t k = 2; k < points(); ++k) touch(centre, k);
    return;
  }
  const Vector3 lower = end(cosine > 0. ? -1. : 1.);
  touch(lower + toLowest, 0);
  const std::size_t replaced = sine < rollingSine ? supports_.size() : nearestSupport(multiplyTransposed(R, toLowest));
  for (std::size_t k = 0; k < supports_.size(); ++k) {
    touch(k == replaced ? centre : lower + multiply(R, supports_[k]), k + 1);
  }
}

std::size_t CylinderPlane::nearestSupport(const Vector3& toRim) const {
  const auto isFarther = [&toRim](const Vector3& a, const Vector3& b) { return dot(a, toRim) < dot(b, toRim); };
  return static_cast<std::size_t>(std::max_element(supports_.begin(), supports_.end(), isFarther) - supports_.begin());
}

Settings CylinderPlane::settings() const {
  Settings settings;
  settings.add("radius", radius_);
  settings.add("halfHeight", halfHeight_);
  settings.add("plane", plane_.settings());
  return settings;
}

}  // namespace delassus
