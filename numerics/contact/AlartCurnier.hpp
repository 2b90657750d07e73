// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace delassus::numerics {

/// A map of the velocity U and the reaction P of one contact of dimension d, and an element of its generalised
/// Jacobian; blocks are d x d, column-major.
template <std::size_t d>
struct ContactMap {
  std::array<double, d> value;    ///< Φ(U, P)
  std::array<double, d * d> byU;  ///< ∂Φ/∂U
  std::array<double, d * d> byP;  ///< ∂Φ/∂P
};

/// The value alone of alartCurnier().
template <std::size_t d>
std::array<double, d> alartCurnierValue(double mu, double rhoNormal, double rhoTangent, const double* U,
                                        const double* P) {
  static_assert(d == 2 || d == 3);
  const double normal = P[0] - rhoNormal * U[0];
  const double radius = normal > 0. ? mu * normal : 0.;
  std::array<double, d> x{};
  double squares = 0.;
  for (std::size_t i = 1; i < d; ++i) {
    x[i] = P[i] - rhoTangent * U[i];
    squares += x[i] * x[i];
  }
  const double length = std::sqrt(squares);
  const double factor = length <= radius ? 1. : radius / length;
  std::array<double, d> value{};
  value[0] = normal >= 0. ? rhoNormal * U[0] : P[0];
  for (std::size_t i = 1; i < d; ++i) value[i] = factor == 1. ? rhoTangent * U[i] : P[i] - factor * x[i];
  return value;
}

/// The functions Φ₂, Φ₃ of Alart and Curnier for one contact, normal component first,
///
///     Φ₂ = P_N − max(0, P_N − ρ_N U_N),
///     Φ₃ = P_T − proj_D(P_T − ρ_T U_T),    D the disk of radius μ max(0, P_N − ρ_N U_N),
///
/// with their generalised Jacobian ([Siconos 2017], chapter 16; restitution, if any, is inside U_N). Both are zero if
/// and only if (U, P) obeys Coulomb's law with unilateral contact, whatever ρ_N, ρ_T > 0. Units: ρ maps velocities to
/// reactions. At a kink one side is chosen: contact closed where P_N = ρ_N U_N, stick on the border of the disk. (Alart
/// and Curnier, Comput. Methods Appl. Mech. Engrg. 92, 1991.)
template <std::size_t d>
ContactMap<d> alartCurnier(double mu, double rhoNormal, double rhoTangent, const double* U, const double* P) {
  static_assert(d == 2 || d == 3);
  ContactMap<d> map{};
  const double normal = P[0] - rhoNormal * U[0];
  if (normal >= 0.) {
    map.value[0] = rhoNormal * U[0];
    map.byU[0] = rhoNormal;
  } else {
    map.value[0] = P[0];
    map.byP[0] = 1.;
  }
  std::array<double, d> direction{};
  double squares = 0.;
  for (std::size_t i = 1; i < d; ++i) {
    direction[i] = P[i] - rhoTangent * U[i];
    squares += direction[i] * direction[i];
  }
  const double length = std::sqrt(squares);
  const double radius = normal > 0. ? mu * normal : 0.;
  if (length <= radius) {
    for (std::size_t i = 1; i < d; ++i) {
      map.value[i] = rhoTangent * U[i];
      map.byU[i * (d + 1)] = rhoTangent;
    }
    return map;
  }
  if (!(normal > 0.)) {
    for (std::size_t i = 1; i < d; ++i) {
      map.value[i] = P[i];
      map.byP[i * (d + 1)] = 1.;
    }
    return map;
  }
  // Slide: radius · Γ = (radius / length) (I − d dᵀ), Γ the derivative of x / ‖x‖.
  const double curvature = radius / length;
  for (std::size_t i = 1; i < d; ++i) direction[i] /= length;
  for (std::size_t i = 1; i < d; ++i) {
    map.value[i] = P[i] - radius * direction[i];
    map.byU[i] = mu * rhoNormal * direction[i];
    map.byP[i] = -mu * direction[i];
    for (std::size_t j = 1; j < d; ++j) {
      const double same = i == j ? 1. : 0.;
      const double gamma = curvature * (same - direction[i] * direction[j]);
      map.byU[i + j * d] = rhoTangent * gamma;
      map.byP[i + j * d] = same - gamma;
    }
  }
  return map;
}

}  // namespace delassus::numerics
