// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Robinson's normal map of a friction contact problem. In one variable a, with a penalty R_c > 0 for each contact,
///
///     y = P_K(a),    λ = R (y − a) in K*, λ ⟂ y,    F(a) = W y + q + μ‖λ_T‖ e_N − λ:
///
/// y solves the problem, with û = λ, if and only if F(a) = 0. Reaction and velocity thus meet the cone conditions
/// exactly at all a, and F is the only remaining residual. a is also the variable of the alternating directions (ADMM)
/// of penalty R. (Robinson, Math. Oper. Res. 17, 1992; Eckstein and Bertsekas, Math. Program. 55, 1992.)
class FrictionNormalMap {
 public:
  /// Sets the problem (kept by address) and the penalties.
  void begin(const FrictionContactProblem& problem, const std::vector<double>& penalties);

  /// Other penalties for the same problem.
  void setPenalties(const std::vector<double>& penalties) { penalties_ = penalties; }
  /// Holds the correction s_c = μ‖u_T‖ of each contact at given values: F is then the normal map of the convex program
  /// min ½ rᵀW r + (q + s)ᵀr on K. begin() releases it.
  void holdCorrection(const Vector& correction);

  /// a of a reaction r: y and λ are r and the û that follows from it where those meet the cone conditions.
  void pointOf(const Vector& r, Vector& a);
  /// a of a reaction and a λ that meet the cone conditions.
  void pointOf(const Vector& r, const Vector& lambda, Vector& a) const;

  /// Computes y, λ and F, and gives ‖F‖₂.
  double evaluate(const Vector& a);
  const Vector& reaction() const { return y_; }       ///< y, in K
  const Vector& velocity() const { return lambda_; }  ///< λ, which stands for û
  const Vector& residual() const { return F_; }       ///< F

  /// Element of the generalised Jacobian of P_K at a, d x d, column-major and symmetric: 1 inside the cone, 0 inside
  /// the polar one, and of rank d − 1 between. Valid after evaluate(a).
  void projectionJacobian(std::size_t contact, const Vector& a, double* D) const;
  /// Adds to E the part of ∂F/∂a that does not go through W: R (1 − D) − μ e_N (λ_T/‖λ_T‖)ᵀ R (1 − D).
  void addLocalJacobian(std::size_t contact, const double* D, double* E) const;

 private:
  const FrictionContactProblem* problem_ = nullptr;
  std::vector<double> penalties_;
  std::vector<double> held_;  // empty where the correction follows λ
  Vector y_, lambda_, F_;
};

}  // namespace delassus::numerics
