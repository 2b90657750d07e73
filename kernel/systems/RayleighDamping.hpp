// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {

/// Rayleigh's damping C = α M + β K, sparse where both are. A mode of the frequency ω has the damping ratio
/// ζ = (α/ω + β ω)/2. α in 1/s, β in s. Throws Error if sizes differ, or α or β is negative or not finite.
///
///     LagrangianLinearTIDS(q0, v0, {.M = M, .C = rayleigh(M, K, 0.1, 1e-4), .K = K})
SquareMatrix rayleigh(const SquareMatrix& M, const SquareMatrix& K, double alpha, double beta);

/// α and β for which modes of the frequencies ω₁ and ω₂, rad/s, have the damping ratios ζ₁ and ζ₂.
struct RayleighCoefficients {
  double alpha = 0.;  ///< 1/s
  double beta = 0.;   ///< s

  /// Throws Error unless 0 < ω₁ < ω₂, both ratios are positive and finite, and give no negative coefficient.
  static RayleighCoefficients of(double omega1, double zeta1, double omega2, double zeta2);
};

}  // namespace delassus
