// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/MassProperties.hpp>

namespace delassus {

Matrix3 diagonal3(double a, double b, double c) {
  return {a, 0., 0., 0., b, 0., 0., 0., c};
}

Matrix3 inertiaOfPoint(double mass, const Vector3& arm) {
  const double squared = dot(arm, arm);
  Matrix3 inertia = diagonal3(mass * squared, mass * squared, mass * squared);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) inertia[i + 3 * j] -= mass * arm[i] * arm[j];
  }
  return inertia;
}

MassProperties MassProperties::placed(const Placement& at) const {
  return {mass, at.place(centre), multiply(at.rotation, multiply(inertia, transposed(at.rotation)))};
}

// Steiner: each part about the common centre.
MassProperties MassProperties::operator+(const MassProperties& other) const {
  MassProperties both;
  both.mass = mass + other.mass;
  if (!(both.mass > 0.)) return both;
  both.centre = 1. / both.mass * (mass * centre + other.mass * other.centre);
  const Matrix3 first = inertiaOfPoint(mass, centre - both.centre);
  const Matrix3 second = inertiaOfPoint(other.mass, other.centre - both.centre);
  for (std::size_t k = 0; k < 9; ++k) both.inertia[k] = inertia[k] + other.inertia[k] + first[k] + second[k];
  return both;
}

}  // namespace delassus
