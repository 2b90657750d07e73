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

namespace {

void addOuter(Matrix3& sum, double factor, const Vector3& a) {
  for (std::size_t k = 0; k < 9; ++k) sum[k] += factor * a[k % 3] * a[k / 3];
}

}  // namespace

void EnclosedMass::add(const Vector3& first, const Vector3& second, const Vector3& third) {
  const Vector3 a = first - origin_, b = second - origin_, c = third - origin_, sum = a + b + c;
  const double six = dot(a, cross(b, c));
  volume_ += six / 6.;
  first_ += six / 24. * sum;
  addOuter(second_, six / 120., sum);
  for (const Vector3& corner : {a, b, c}) addOuter(second_, six / 120., corner);
}

MassProperties EnclosedMass::result() const {
  const Vector3 centre = 1. / volume_ * first_;
  Matrix3 about = second_;
  addOuter(about, -volume_, centre);
  const double trace = about[0] + about[4] + about[8];
  MassProperties all{volume_, origin_ + centre, diagonal3(trace, trace, trace)};
  for (std::size_t k = 0; k < 9; ++k) all.inertia[k] -= about[k];
  return all;
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
