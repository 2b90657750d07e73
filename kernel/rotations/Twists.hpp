// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus::rotations {

/// The columns of `byQ` (7 for each body) converted to twists: byTwist := byQ · diag(T(q₁), T(q₂), …). `q` stacks the
/// configurations of bodies; byTwist has 6 columns for each.
void alongTwists(const Matrix& byQ, const Vector& q, Matrix& byTwist);

}  // namespace delassus::rotations
