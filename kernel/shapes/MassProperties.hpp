// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Placement.hpp>

namespace delassus {

/// Mass, centre and inertia of a body.
struct MassProperties {
  double mass = 0.;   ///< kg
  Vector3 centre{};   ///< of mass, m
  Matrix3 inertia{};  ///< about the centre of mass, along the axes of the frame, kg m²

  /// The same body seen from the outer frame of a placement.
  MassProperties placed(const Placement& at) const;
  /// Both bodies together.
  MassProperties operator+(const MassProperties& other) const;
};

/// What a closed surface encloses: adds up the tetrahedra between a point and the triangles of the surface, each of
/// which is anticlockwise seen from outside.
class EnclosedMass {
 public:
  /// The point, about in the middle for the sake of rounding.
  explicit EnclosedMass(const Vector3& origin) : origin_(origin) {}
  /// A triangle.
  void add(const Vector3& a, const Vector3& b, const Vector3& c);
  /// Of density 1; only where that has a volume.
  MassProperties result() const;
  /// m³, negative for a surface that is turned inside out.
  double volume() const { return volume_; }

 private:
  Vector3 origin_;
  double volume_ = 0.;
  Vector3 first_{};   // ∫ x, from the origin
  Matrix3 second_{};  // ∫ x xᵀ
};

/// The inertia of a mass in one point at `arm` from the origin: m (|a|² 1 − a aᵀ), kg m².
Matrix3 inertiaOfPoint(double mass, const Vector3& arm);

/// A diagonal matrix.
Matrix3 diagonal3(double a, double b, double c);

}  // namespace delassus
