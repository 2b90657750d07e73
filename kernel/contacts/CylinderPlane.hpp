// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <vector>

namespace delassus {

/// A cylinder about the z axis of a body, its centre of mass halfway, and a plane at rest or moving.
///
/// A lying or tilted cylinder touches with the lowest point of each rim, point 0 at the end at +z and point 1 at the
/// other: a line when it lies. A nearly upright one, whose axis is within about three degrees of the normal, stands on
/// the lowest point of the lower rim (point 0) and on points fixed in that rim (the others), since one point alone does
/// not support it. Fixed points would make a rolling cylinder stumble, so they exist only while it stands, and where it
/// tilts by more than 1e-3, as a coin that spins down, without those within 45° of the lowest point. Points that are
/// not used are at the centre of mass, with a gap beyond ContactGeometry::absent.
class CylinderPlane final : public ContactGeometry {
 public:
  /// `supports`: the fixed points of each rim, at equal angles. Throws Error unless radius and height are positive and
  /// finite and there are at least 3 of them.
  CylinderPlane(double radius, double height, MovingPlane plane, std::size_t supports = 3);
  std::string_view className() const override { return "CylinderPlane"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 1; }
  std::size_t points() const override { return 1 + supports_.size(); }
  bool isTimeDependent() const override { return plane_.isMoving(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double radius_, halfHeight_;
  MovingPlane plane_;
  std::vector<Vector3> supports_;  // from the centre of an end, in the body's frame
};

}  // namespace delassus
