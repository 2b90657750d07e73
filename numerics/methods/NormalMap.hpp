// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/ProductOfSets.hpp>
#include <vector>

namespace delassus::numerics {

/// Robinson's normal map of a problem over sets. In one variable a, with penalties R = ρ D, D the metric of the sets,
///
///     y = P_C(a),    λ = R (y − a),    −λ in the normal cone of C at y,    F(a) = W y + q + s(λ) − λ:
///
/// y solves the problem, with w + s(w) = λ, if and only if F(a) = 0, s being De Saxcé's shift. Reaction and velocity
/// thus obey the law exactly at all a, and F is the only remaining residual. a is also the variable of the alternating
/// directions (ADMM) of penalty R. (Robinson, Math. Oper. Res. 17, 1992; Eckstein and Bertsekas, Math. Program. 55,
/// 1992.)
class NormalMap {
 public:
  /// Sets the problem (kept by address) and the penalty ρ.
  void begin(const ProblemOverSets& problem, double penaltyFactor);

  /// Another ρ for the same problem.
  void setPenaltyFactor(double factor);

  /// a of a reaction r: y and λ are r and the w + s(w) that follows from it where those obey the law.
  void pointOf(const Vector& r, Vector& a);
  /// a of a reaction and a λ that obey the law.
  void pointOf(const Vector& r, const Vector& lambda, Vector& a) const;

  /// Computes y, λ and F, and gives the norm of F in that of the certificate.
  double evaluate(const Vector& a);
  /// Computes y and λ alone, without a product with W.
  void project(const Vector& a);
  const Vector& reaction() const { return y_; }       ///< y, in C
  const Vector& velocity() const { return lambda_; }  ///< λ, which stands for w + s(w)
  const Vector& residual() const { return F_; }       ///< F

  /// R_i by rows.
  const std::vector<double>& penalties() const { return penalties_; }
  /// C and D.
  const ProductOfSets& sets() const { return sets_; }

  /// Element of the generalised Jacobian of P_C at a in one part that couples its rows, column-major, symmetric with
  /// respect to D. `first`: its first row.
  void projectionJacobian(std::size_t part, std::size_t first, const Vector& a, double* jacobian);

 private:
  const ProblemOverSets* problem_ = nullptr;
  ProductOfSets sets_;
  std::vector<double> penalties_;
  Vector y_, lambda_, F_;
  std::vector<double> zeros_, value_, byReaction_;  // of one part
};

}  // namespace delassus::numerics
