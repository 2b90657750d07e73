// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/Disk.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <utility>

namespace delassus {

DiskPlane::DiskPlane(double radius, MovingPlane plane, const Vector3& axis, const Vector3& centre)
    : radius_(radius), plane_(std::move(plane)), axis_(shapes::unitAxis(axis, "DiskPlane")), centre_(centre) {
  shapes::requireLength(radius, true, "DiskPlane", "radius");
  shapes::requirePoint(centre, "DiskPlane", "centre");
}

void DiskPlane::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  plane_.moveTo(t);
  const Matrix3 R = shapes::rotationOf(q);
  const Vector3 axis = multiply(R, axis_);
  const Vector3 radial = shapes::across(plane_.normal(), axis, multiply(R, column(contactFrame(axis_), 1)));
  const Vector3 point = shapes::centreOf(q) + (multiply(R, centre_) - radius_ * radial);
  plane_.touch(point, plane_.distance(point), *contacts);
  contacts->tangent = cross(radial, axis);
}

DiskDisk::DiskDisk(double firstRadius, double secondRadius, const Vector3& axis, const Vector3& firstCentre,
                   const Vector3& secondCentre)
    : firstRadius_(firstRadius),
      secondRadius_(secondRadius),
      axis_(shapes::unitAxis(axis, "DiskDisk")),
      firstCentre_(firstCentre),
      secondCentre_(secondCentre) {
  for (const double radius : {firstRadius, secondRadius}) shapes::requireLength(radius, true, "DiskDisk", "radius");
  for (const Vector3& centre : {firstCentre, secondCentre}) shapes::requirePoint(centre, "DiskDisk", "centre");
}

void DiskDisk::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Vector3 axis = multiply(shapes::rotationOf(q, 0), axis_);
  const Vector3 second = shapes::place(q, secondCentre_, 1);
  const Vector3 between = shapes::place(q, firstCentre_, 0) - second;
  const double distance = norm(between);
  const Vector3 normal = distance > 0. ? 1. / distance * between : column(contactFrame(axis), 1);
  const double gap = distance - firstRadius_ - secondRadius_;
  contacts->gap = gap;
  contacts->normal = normal;
  contacts->point = second + (secondRadius_ + 0.5 * gap) * normal;
  contacts->tangent = cross(normal, axis);
}

Settings DiskPlane::settings() const {
  Settings settings;
  settings.add("radius", radius_);
  settings.add("plane", plane_.settings());
  settings.add("axis", std::span<const double>(axis_));
  settings.add("centre", std::span<const double>(centre_));
  return settings;
}

Settings DiskDisk::settings() const {
  Settings settings;
  settings.add("firstRadius", firstRadius_);
  settings.add("secondRadius", secondRadius_);
  settings.add("axis", std::span<const double>(axis_));
  settings.add("firstCentre", std::span<const double>(firstCentre_));
  settings.add("secondCentre", std::span<const double>(secondCentre_));
  return settings;
}

}  // namespace delassus
