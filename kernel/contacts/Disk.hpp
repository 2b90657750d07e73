// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/MovingPlane.hpp>

namespace delassus {

/// A thin disk about an axis fixed in a body, and a plane at rest or moving: its lowest point. The first tangent lies
/// in the plane of the disk, t₁ = n × axis (to the right, with n up and the axis towards the reader), so that
/// NewtonEuler2DR is planar motion; with three rows it is a wheel or a coin. If disk and plane are parallel, it is an
/// arbitrary point of the rim.
class DiskPlane final : public ContactGeometry {
 public:
  /// Axis, of any length, and centre in the body's frame. Throws Error unless the radius is not negative, the axis not
  /// zero, and all finite.
  DiskPlane(double radius, MovingPlane plane, const Vector3& axis = {0., 0., 1.}, const Vector3& centre = {});
  std::string_view className() const override { return "DiskPlane"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 1; }
  bool isTimeDependent() const override { return plane_.isMoving(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double radius_;
  MovingPlane plane_;
  Vector3 axis_, centre_;
};

/// Two disks in one plane, about an axis fixed in the first body: planar motion of two bodies. The normal is along the
/// line of the centres, and t₁ = n × axis lies in the plane. Where the centres coincide, the normal is along x of the
/// frame that contactFrame makes of the axis. (Out of the plane the contact is that of two spheres.)
class DiskDisk final : public ContactGeometry {
 public:
  /// Axis in the first body's frame, centres in those of their bodies. Throws Error as DiskPlane.
  DiskDisk(double firstRadius, double secondRadius, const Vector3& axis = {0., 0., 1.}, const Vector3& firstCentre = {},
           const Vector3& secondCentre = {});
  std::string_view className() const override { return "DiskDisk"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 2; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double firstRadius_, secondRadius_;
  Vector3 axis_, firstCentre_, secondCentre_;
};

}  // namespace delassus
