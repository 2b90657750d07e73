// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

namespace delassus::numerics {

// Coulomb's cone K = { r : ‖r_T‖ ≤ μ r_N } of one contact, components normal first, in dimension 2 or 3.

/// ‖x_T‖ of components normal first.
inline double tangentNorm(std::size_t dimension, const double* x) {
  return dimension == 2 ? std::abs(x[1]) : std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

/// x := P_K(x), the nearest point of the cone.
inline void projectOnCone(std::size_t dimension, double mu, double* x) {
  const double tangent = tangentNorm(dimension, x);
  // x_N ≥ 0 by itself: for μ = 0 the other test holds on the whole axis.
  if (x[0] >= 0. && tangent <= mu * x[0]) return;
  if (mu * tangent <= -x[0]) {
    for (std::size_t i = 0; i < dimension; ++i) x[i] = 0.;
    return;
  }
  // On the boundary, where ‖r_T‖ = μ r_N; tangent > 0 here.
  const double normal = (x[0] + mu * tangent) / (1. + mu * mu);
  const double factor = mu * normal / tangent;
  x[0] = normal;
  for (std::size_t i = 1; i < dimension; ++i) x[i] *= factor;
}

}  // namespace delassus::numerics
