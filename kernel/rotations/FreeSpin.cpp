// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/rotations/FreeSpin.hpp>

#include <algorithm>
#include <cmath>

namespace delassus::rotations {
namespace {

// By Cramer's rule.
Vector3 solve(const Matrix3& A, const Vector3& b) {
  const Vector3 first = column(A, 0), second = column(A, 1), third = column(A, 2);
  const Vector3 across = cross(second, third);
  const double determinant = dot(first, across);
  return 1. / determinant * Vector3{dot(b, across), dot(first, cross(b, third)), dot(first, cross(second, b))};
}

// Ω̄ with I Ω̄ + ½ h Ω̄ × IΩ̄ = IΩ, by Newton's method, whose matrix is near I in short steps.
Vector3 middleOf(const Matrix3& inertia, const Vector3& Omega, double h) {
  constexpr int most = 10;
  constexpr double close = 1e-8;  // of Ω̄: the change after that, its square, is rounding
  const Vector3 momentum = multiply(inertia, Omega);
  Vector3 middle = Omega;
  for (int k = 0; k < most; ++k) {
    const Vector3 there = multiply(inertia, middle);
    const Vector3 residual = there + 0.5 * h * cross(middle, there) - momentum;
    const Matrix3 turning = multiply(skew(middle), inertia), turned = skew(there);
    Matrix3 jacobian = inertia;
    for (std::size_t i = 0; i < 9; ++i) jacobian[i] += 0.5 * h * (turning[i] - turned[i]);
    const Vector3 change = solve(jacobian, residual);
    middle = middle - change;
    if (norm(change) <= close * norm(middle)) break;
  }
  return middle;
}

}  // namespace

Vector3 spinFreely(const Matrix3& inertia, const Vector3& Omega, double h) {
  constexpr double turn = 0.5;  // rad
  constexpr double most = 1000.;
  if (Omega == Vector3{}) return Omega;
  const double steps = std::clamp(std::ceil(norm(Omega) * h / turn), 1., most);
  Vector3 now = Omega;
  for (double k = 0.; k < steps; ++k) now = 2. * middleOf(inertia, now, h / steps) - now;
  // Where steps are too long for Newton's method, too.
  const double before = dot(Omega, multiply(inertia, Omega)), after = dot(now, multiply(inertia, now));
  return after > 0. ? std::sqrt(before / after) * now : Omega;
}

}  // namespace delassus::rotations
