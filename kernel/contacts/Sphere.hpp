// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/MovingPlane.hpp>

namespace delassus {

/// A sphere fixed in a body, and a plane at rest or moving.
class SpherePlane final : public ContactGeometry {
 public:
  /// `centre` in the body's frame. Throws Error unless the radius is not negative and all is finite.
  SpherePlane(double radius, MovingPlane plane, const Vector3& centre = {});
  std::string_view className() const override { return "SpherePlane"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 1; }
  bool isTimeDependent() const override { return plane_.isMoving(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double radius_;
  MovingPlane plane_;
  Vector3 centre_;
};

/// Two spheres fixed in two bodies. Where the centres coincide, the normal is along x.
class SphereSphere final : public ContactGeometry {
 public:
  /// Centres in the frames of their bodies. Throws Error unless the radii are not negative and all is finite.
  SphereSphere(double firstRadius, double secondRadius, const Vector3& firstCentre = {},
               const Vector3& secondCentre = {});
  std::string_view className() const override { return "SphereSphere"; }
  Settings settings() const override;
  std::size_t bodies() const override { return 2; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double firstRadius_, secondRadius_;
  Vector3 firstCentre_, secondCentre_;
};

}  // namespace delassus
