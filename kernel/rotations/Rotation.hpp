// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <string_view>

namespace delassus {

/// A quaternion p = (p₀, p⃗), scalar first. Unit quaternions stand for rotations, p and −p for the same one.
using Quaternion = std::array<double, 4>;

/// A 4 x 3 matrix by columns.
using Matrix43 = std::array<double, 12>;

/// Rotations in space. A rotation R takes vectors from the body's frame to the inertial one; Ω is the angular velocity
/// in the body's frame, Ṙ = R Ω̃, and ω = R Ω the one in the inertial frame. Functions with θ = ‖Ω‖ in a denominator
/// use series for small θ. ([Siconos 2017], chapter 11, and [Siconos, Newton–Euler], with corrections that the tests
/// verify by finite differences.)
namespace rotations {

/// p ∘ q = (p₀q₀ − p⃗·q⃗, p₀q⃗ + q₀p⃗ + p⃗ × q⃗). (11.10)
Quaternion product(const Quaternion& p, const Quaternion& q);

/// (p₀, −p⃗), the inverse of a unit quaternion.
inline Quaternion conjugate(const Quaternion& p) {
  return {p[0], -p[1], -p[2], -p[3]};
}

/// |p|, the square root of the sum of the four squares.
double norm(const Quaternion& p);

/// p / |p|. Throws Error naming `what` if p is zero or not finite.
Quaternion normalised(const Quaternion& p, std::string_view what = "quaternion");

/// R = Φ(p) of a unit quaternion. (11.19)
Matrix3 rotationMatrix(const Quaternion& p);

/// The unit quaternion with p₀ ≥ 0 of a rotation matrix. Throws Error naming `what` unless RᵀR = I and det R = 1 to
/// 1e-8.
Quaternion quaternion(const Matrix3& R, std::string_view what = "rotation matrix");

/// p ∘ (0, x) ∘ p̄ = R x. (11.18)
Vector3 rotate(const Quaternion& p, const Vector3& x);

/// Rᵀ x
Vector3 rotateBack(const Quaternion& p, const Vector3& x);

/// ½ Ψ(p), 4 x 3, with ṗ = ½ p ∘ (0, Ω) = ½ Ψ(p) Ω. ΨᵀΨ = I. (11.32)
Matrix43 rates(const Quaternion& p);

/// exp Ω as a unit quaternion: (cos θ/2, (sin θ/2 / θ) Ω), the rotation by θ about Ω.
Quaternion exponential(const Vector3& Omega);

/// exp Ω̃ = I + (sin θ/θ) Ω̃ + ((1 − cos θ)/θ²) Ω̃² as a matrix (Euler–Rodrigues).
Matrix3 exponentialMatrix(const Vector3& Omega);

/// The Ω with ‖Ω‖ ≤ π and exp Ω = ±p, of a unit quaternion.
Vector3 logarithm(const Quaternion& p);

/// d exp: T(Ω) = I + ((1 − cos θ)/θ²) Ω̃ + ((θ − sin θ)/θ³) Ω̃² with d/dt exp Ω̃ = (T(Ω) Ω̇)~ exp Ω̃. The angular
/// velocity in the body's frame is T(−Ω) Ω̇ = T(Ω)ᵀ Ω̇. (Iserles et al., Acta Numerica 9, 2000.)
Matrix3 exponentialDifferential(const Vector3& Omega);

/// T(Ω)⁻¹ = I − ½ Ω̃ + ((1 − (θ/2) cot(θ/2))/θ²) Ω̃², for θ < 2π.
Matrix3 exponentialDifferentialInverse(const Vector3& Omega);

}  // namespace rotations
}  // namespace delassus
