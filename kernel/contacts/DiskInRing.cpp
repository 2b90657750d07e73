// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/DiskInRing.hpp>

#include <cmath>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {
namespace {

Quaternion orientationOf(const double* q) {
  return {q[3], q[4], q[5], q[6]};
}

}  // namespace

DiskInRing::DiskInRing(double diskRadius, double ringRadius, const Vector3& axis, const Vector3& diskCentre,
                       const Vector3& ringCentre)
    : diskRadius_(diskRadius), ringRadius_(ringRadius), diskCentre_(diskCentre), ringCentre_(ringCentre) {
  if (!(diskRadius >= 0. && ringRadius > diskRadius && std::isfinite(ringRadius))) {
    throw Error("DiskInRing", "the disk, of radius " + toText(diskRadius) +
                                  ", must have a radius that is not negative and fit into the ring, of radius " +
                                  toText(ringRadius) + ".");
  }
  if (!isFinite(axis) || !isFinite(diskCentre) || !isFinite(ringCentre)) {
    throw Error("DiskInRing", "axis and centres must be finite.");
  }
  const double length = norm(axis);
  if (!(length > 0.)) throw Error("DiskInRing", "the axis must not be zero.");
  axis_ = 1. / length * axis;
}

void DiskInRing::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const double* const first = data(q);
  const double* const second = first + 7;
  const Vector3 axis = rotations::rotate(orientationOf(first), axis_);
  const Vector3 disk = vector3(first) + rotations::rotate(orientationOf(first), diskCentre_);
  const Vector3 ring = vector3(second) + rotations::rotate(orientationOf(second), ringCentre_);
  const Vector3 between = disk - ring;
  const Vector3 across = between - dot(axis, between) * axis;
  const double distance = norm(across);
  const Vector3 outward = distance > 0. ? 1. / distance * across : column(contactFrame(axis), 1);
  const double gap = ringRadius_ - diskRadius_ - distance;
  contacts->gap = gap;
  contacts->normal = -outward;
  contacts->tangent = cross(contacts->normal, axis);
  // With that height along the axis the derivative of the gap is the velocity of the material point, even if the bodies
  // tilt.
  contacts->point = ring + (ringRadius_ - 0.5 * gap) * outward;
}

Settings DiskInRing::settings() const {
  Settings settings;
  settings.add("diskRadius", diskRadius_);
  settings.add("ringRadius", ringRadius_);
  settings.add("axis", std::span<const double>(axis_));
  settings.add("diskCentre", std::span<const double>(diskCentre_));
  settings.add("ringCentre", std::span<const double>(ringCentre_));
  return settings;
}

}  // namespace delassus
