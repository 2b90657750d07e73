// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

/// Whether the error of a basis excludes that it would be a solution in exact arithmetic, M being n x n with entries up
/// to `largestEntry`: it is finite and above
///
///     max( 10⁻⁶, 100 n² ε max|M_ij| ‖z‖_∞ / ‖q‖₂ ).
///
/// All bases tried prove that there is no solution only if each is excluded.
inline bool excludesSolution(double error, double largestEntry, const Vector& q, const Vector& z) {
  const auto n = static_cast<double>(z.size());
  const double terms = 100. * n * n * std::numeric_limits<double>::epsilon() * largestEntry * normInf(z);
  const double normOfData = norm2(q);
  return std::isfinite(error) && error > 1e-6 && error > terms / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
