// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>

namespace delassus {

/// A pin in a bushing: a disk of radius r in the first body and, around it, a ring of inner radius R > r in the second,
/// with the axis of the disk: a pivot with the clearance R − r, in planar motion. With ρ the component of P₁ − P₂
/// orthogonal to the axis,
///
///     gap = R − r − ‖ρ‖,     n = −ρ/‖ρ‖.
///
/// The point is in the plane of the ring's centre. Where the centres coincide, the normal is an arbitrary direction
/// orthogonal to the axis. The first tangent is in the plane, t₁ = n × axis. Pivots elsewhere, or a CylindricalJointR,
/// have to keep the axes together.
class DiskInRing final : public ContactGeometry {
 public:
  /// Centres in the frames of their bodies, the axis (of any length) in that of the first. Throws Error unless the
  /// radii are not negative with disk smaller than ring, the axis is not zero, and all are finite.
  DiskInRing(double diskRadius, double ringRadius, const Vector3& axis, const Vector3& diskCentre = {},
             const Vector3& ringCentre = {});
  std::string_view className() const override { return "DiskInRing"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 2; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double diskRadius_, ringRadius_;
  Vector3 axis_, diskCentre_, ringCentre_;
};

}  // namespace delassus
