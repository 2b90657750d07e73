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

/// The inertia of a mass in one point at `arm` from the origin: m (|a|² 1 − a aᵀ), kg m².
Matrix3 inertiaOfPoint(double mass, const Vector3& arm);

/// A diagonal matrix.
Matrix3 diagonal3(double a, double b, double c);

}  // namespace delassus
