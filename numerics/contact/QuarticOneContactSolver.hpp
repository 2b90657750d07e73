// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/numerics/contact/OneContactSolver.hpp>

namespace delassus::numerics {

/// Solves one contact in closed form by its three cases: take-off (r = 0 where q_N ≥ 0), stick (r = −W⁻¹q where that is
/// in the cone) and slide, in dimension 3 by the roots of a quartic (SlidingEquation; [Siconos 2017], chapter 15), in
/// dimension 2 by two quotients. Every candidate is judged by its residual and the best one taken, after up to three
/// Newton steps if rounding in the quartic has cost digits. The start has no influence.
///
/// The roots are isolated between those of the derivatives, which finds all of them and never fails to converge. About
/// 2 µs if the contact slides, independent of the conditioning. (Bonnefon and Daviet, INRIA RT-0400, 2011; [Siconos
/// 2017], chapter 15, with the eccentricity restored.)
class QuarticOneContactSolver final : public OneContactSolver {
 public:
  /// Reactions that solve a contact: take-off, stick and up to eight slides; d components each.
  using Solutions = std::array<double, 30>;

  std::string_view name() const override { return "QuarticOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

  /// All solutions that differ by more than `distance` times their size; gives their number. For singular W there may
  /// be infinitely many, of which it returns some.
  std::size_t allSolutions(std::size_t dimension, const double* W, const double* q, double mu, double distance,
                           Solutions& reactions) const;
};

}  // namespace delassus::numerics
