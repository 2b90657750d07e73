// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/CylinderPlane.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus {
namespace {

constexpr double pi = 3.14159265358979323846;

// Sine of the angle between axis and normal below which a cylinder counts as standing.
constexpr double standingSine = 0.05;
// That beyond which a standing one may roll on its rim, and the cosine of the angle between the lowest point and the
// supports that would be in its way: 45°, more than it turns by in a step.
constexpr double rollingSine = 1e-3;
constexpr double wayOfRim = 0.7;

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

  const auto touchNothing = [&](std::size_t k) {
    touch(centre, k);
    contacts[k].gap += absent;
  };

  // Down along the faces of the ends; where the axis is the normal, any direction is.
  const Vector3 toLowest = -radius_ * shapes::across(plane_.normal(), axis, column(R, 0));
  const double sine = norm(cross(plane_.normal(), axis));
  if (sine >= standingSine) {
    touch(end(1.) + toLowest, 0);
    touch(end(-1.) + toLowest, 1);
    for (std::size_t k = 2; k < points(); ++k) touchNothing(k);
    return;
  }
  const Vector3 lower = end(cosine > 0. ? -1. : 1.);
  touch(lower + toLowest, 0);
  const Vector3 onRim = multiplyTransposed(R, toLowest);
  const double limit = sine < rollingSine ? 2. : wayOfRim;
  for (std::size_t k = 0; k < supports_.size(); ++k) {
    if (dot(supports_[k], onRim) > limit * radius_ * radius_) {
      touchNothing(k + 1);
    } else {
      touch(lower + multiply(R, supports_[k]), k + 1);
    }
  }
}

Settings CylinderPlane::settings() const {
  Settings settings;
  settings.add("radius", radius_);
  settings.add("halfHeight", halfHeight_);
  settings.add("plane", plane_.settings());
  return settings;
}

}  // namespace delassus
