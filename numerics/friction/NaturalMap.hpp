// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/friction/AlartCurnier.hpp>
#include <delassus/numerics/friction/FrictionCone.hpp>

namespace delassus::numerics {

/// The value alone of naturalMap().
template <std::size_t d>
std::array<double, d> naturalMapValue(double mu, double rho, const double* U, const double* P) {
  std::array<double, d> x{};
  x[0] = P[0] - rho * (U[0] + mu * tangentNorm(d, U));
  for (std::size_t i = 1; i < d; ++i) x[i] = P[i] - rho * U[i];
  projectOnCone(d, mu, x.data());
  for (std::size_t i = 0; i < d; ++i) x[i] = P[i] - x[i];
  return x;
}

/// The natural map of one contact with De Saxcé's correction, normal component first,
///
///     F(U, P) = P − P_K(P − ρ Û),    Û = (U_N + μ‖U_T‖, U_T),    K = { ‖P_T‖ ≤ μ P_N },
///
/// with an element of its generalised Jacobian, ∂_U F = ρ G ∂Û and ∂_P F = 1 − G with G in ∂P_K. Zero where Coulomb's
/// law with unilateral contact holds, whatever ρ > 0 (which maps velocities to reactions). On kinks: G of the inside of
/// K on its border; at U_T = 0 the derivative 0 of ‖U_T‖, which is the middle of its subdifferential.
/// (De Saxcé and Feng, 1998; Acary and Brogliato, 2008.)
template <std::size_t d>
ContactMap<d> naturalMap(double mu, double rho, const double* U, const double* P) {
  static_assert(d == 2 || d == 3);
  const double slip = tangentNorm(d, U);
  std::array<double, d> x{};
  x[0] = P[0] - rho * (U[0] + mu * slip);
  for (std::size_t i = 1; i < d; ++i) x[i] = P[i] - rho * U[i];
  const double length = tangentNorm(d, x.data());

  std::array<double, d> projected{};
  std::array<double, d * d> G{};
  if (x[0] >= 0. && length <= mu * x[0]) {
    projected = x;
    for (std::size_t i = 0; i < d; ++i) G[i * (d + 1)] = 1.;
  } else if (mu * length > -x[0]) {
    // On the ray (1, μ t), t the direction of x_T.
    const double share = 1. / (1. + mu * mu);
    const double normal = share * (x[0] + mu * length);
    std::array<double, d> ray{};
    ray[0] = 1.;
    for (std::size_t i = 1; i < d; ++i) ray[i] = mu * x[i] / length;
    for (std::size_t j = 0; j < d; ++j) {
      projected[j] = normal * ray[j];
      for (std::size_t i = 0; i < d; ++i) G[i + j * d] = share * ray[i] * ray[j];
    }
    // The part across the ray, which only dimension 3 has: μ n (1 − t tᵀ) / ‖x_T‖.
    if constexpr (d == 3) {
      const double across = mu * normal / length;
      const double t1 = x[1] / length, t2 = x[2] / length;
      G[4] += across * t2 * t2;
      G[5] -= across * t1 * t2;
      G[7] -= across * t1 * t2;
      G[8] += across * t1 * t1;
    }
  }

  ContactMap<d> map{};
  for (std::size_t i = 0; i < d; ++i) {
    map.value[i] = P[i] - projected[i];
    map.byU[i] = rho * G[i];
    for (std::size_t j = 0; j < d; ++j) {
      map.byP[i + j * d] = (i == j ? 1. : 0.) - G[i + j * d];
      if (j == 0) continue;
      const double correction = slip > 0. ? mu * U[j] / slip : 0.;
      map.byU[i + j * d] = rho * (G[i + j * d] + G[i] * correction);
    }
  }
  return map;
}

}  // namespace delassus::numerics
