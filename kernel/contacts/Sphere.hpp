// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>

namespace delassus {

/// A fixed plane { x : n · x = offset }; the free side is where n points.
struct Plane {
  Vector3 normal{0., 0., 1.};  ///< unit
  double offset = 0.;          ///< m

  /// Through a point, with a normal of any length. Throws Error if that is zero or a number not finite.
  static Plane through(const Vector3& point, const Vector3& normal);
};

/// A sphere about the centre of mass of a body, and a fixed plane.
class SpherePlane final : public ContactGeometry {
 public:
  /// Throws Error unless the radius is not negative and finite.
  SpherePlane(double radius, Plane plane);
  std::string_view className() const override { return "SpherePlane"; }
  std::size_t bodies() const override { return 1; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double radius_;
  Plane plane_;
};

/// Two spheres about the centres of mass of their bodies. Where the centres coincide, the normal is along x.
class SphereSphere final : public ContactGeometry {
 public:
  /// Throws Error unless the radii are not negative and finite.
  SphereSphere(double firstRadius, double secondRadius);
  std::string_view className() const override { return "SphereSphere"; }
  std::size_t bodies() const override { return 2; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  double firstRadius_, secondRadius_;
};

}  // namespace delassus
