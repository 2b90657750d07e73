// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/friction/GlobalContactScales.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/friction/PenalisedMass.hpp>
#include <delassus/numerics/methods/PenaltyBalance.hpp>
#include <vector>

namespace delassus::numerics {

/// The iteration of the alternating direction method of multipliers on the global form: v minimising ½ vᵀM v − fᵀv
/// under Hᵀv + b + s = z, z in K*, with De Saxcé's s = μ‖z_T‖ e_N updated in each iteration:
///
///     (M + H R Hᵀ) v = f + H (r + R (z − b − s)),     û = α (Hᵀ v + b + s) + (1 − α) z,
///     r := P_K(r − R û),     z := (r − (r_before − R û)) / R.
///
/// (r, z) meets the cone conditions K ∋ r ⟂ z ∈ K* at all times; what remains are z = û and the dynamics. R_c is the
/// penalty factor over the mean diagonal of the contact's block of Hᵀ diag(M)⁻¹ H.
/// (Boyd et al., Found. Trends Mach. Learn. 3, 2011; Tasora et al., 2021; Acary, Brémond and Huber, 2018.)
class GlobalAdmmIteration {
 public:
  /// Sets the problem (kept by address) and starts from x = (v, r). False if M + H R Hᵀ has no Cholesky factor.
  bool begin(const GlobalFrictionContactProblem& problem, double penaltyFactor, const Vector& x);

  /// One iteration.
  void step(double relaxation);
  /// Goes on from x = (v, r), whose r and û need not meet the cone conditions.
  void moveTo(const Vector& x);
  /// To be called after each step: every `interval` iterations at first, then less and less often (never for 0),
  /// changes the penalty by the root of the ratio of the two residuals if they differ by more than a factor of 3. False
  /// if there is no factor.
  bool balancePenalty(std::size_t interval);

  /// x = (v, r)
  const Vector& point() const { return x_; }
  /// An upper bound of the error measure up to the magnitudes in its denominators: the distance of z and û and the
  /// residual of the dynamics.
  double residual() const { return residual_; }

 private:
  bool setPenaltyFactor(double factor);
  void project(const Vector& target);
  void computeResidual();

  const GlobalFrictionContactProblem* problem_ = nullptr;
  double factor_ = 1.;
  double residual_ = 0.;
  double velocityResidual_ = 0.;
  double dynamicsResidual_ = 0.;
  PenaltyBalance balance_{{.threshold = 3., .power = 0.5, .largest = 1e8}};
  MadeFrom<std::uint64_t> scalesFrom_;
  std::vector<GlobalContactScale> scales_;
  std::vector<double> penalties_;
  PenalisedMass mass_;
  Vector x_, z_;
  Vector force_;     // r + R (z − b − s), then the difference to the new r
  Vector relative_;  // û
  Vector generalised_, forces_;
};

}  // namespace delassus::numerics
