// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/FixedSize.hpp>

namespace delassus::rotations {

/// The angular velocity Ω of a free rigid body a time h later, in its frame, from Euler's equation
///
///     I Ω̇ = −Ω × IΩ
///
/// by the midpoint rule, I (Ω⁺ − Ω) = −h Ω̄ × IΩ̄ with Ω̄ = ½ (Ω + Ω⁺), in steps in which it turns by at most half a
/// radian, and by at most a thousand of them. The energy ½ Ω·IΩ is kept to rounding, however fast it spins; order 2.
/// `inertia` is symmetric and positive definite.
Vector3 spinFreely(const Matrix3& inertia, const Vector3& Omega, double h);

}  // namespace delassus::rotations
