// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <delassus/numerics/sets/Part.hpp>

namespace delassus::test {

/// Rows and coefficients of a contact part, told from the name of its set alone.
struct ContactRows {
  std::size_t tangents, rolls;
  double friction, rolling;

  explicit ContactRows(const numerics::Part& part)
      : tangents(part.set->name() == "rolling" ? (part.rows - 1) / 2 : part.rows - 1),
        rolls(part.rows - 1 - tangents),
        friction(part.set->coefficients()[0]),
        rolling(part.set->coefficients()[1]) {}
};

/// ‖ r − P_K(r − û) ‖₂² of a Coulomb contact by the certificate, reaction and velocity given in the same unit.
inline double contactMapSquared(std::size_t dimension, double mu, const double* r, const double* u) {
  constexpr std::array<double, 3> noData{};
  numerics::ResidualSums<double> sums;
  numerics::CoulombCone(mu).addResidual({dimension, r, u, noData.data(), nullptr, nullptr, nullptr}, sums);
  return sums.map;
}

}  // namespace delassus::test
