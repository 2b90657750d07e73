// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/methods/NormalMap.hpp>
#include <delassus/numerics/methods/PenalisedMass.hpp>
#include <memory>

namespace delassus::numerics {

/// The penalty of alternating directions, changed where primal and dual residual differ: a good one keeps them about
/// equal. Less and less often, since each change costs a factorisation and convergence is proven for a penalty that is
/// eventually constant.
class PenaltyBalance {
 public:
  /// The penalty is multiplied by (primal / dual)^power, at most tenfold, where that ratio is beyond `threshold`; it
  /// stays between 1/largest and largest.
  struct Rule {
    double threshold;  ///< above 1
    double power;      ///< of the ratio
    double largest;    ///< penalty
  };

  /// With this rule.
  explicit PenaltyBalance(const Rule& rule) : rule_(rule) {}

  /// Begins again.
  void restart() { interval_ = 0; }
  /// To be called after each step: `factor` or, first after `interval` steps (never for 0), another.
  double next(std::size_t interval, double factor, double primal, double dual) {
    if (interval == 0) return factor;
    if (interval_ == 0) left_ = interval_ = interval;
    if (--left_ > 0) return factor;
    interval_ += interval_ / 2;
    left_ = interval_;
    if (!(primal > 0.) || !(dual > 0.)) return factor;
    const double ratio = primal / dual;
    if (ratio < rule_.threshold && ratio > 1. / rule_.threshold) return factor;
    const double change = rule_.power == 1. ? ratio : std::pow(ratio, rule_.power);
    return std::clamp(factor * std::clamp(change, 0.1, 10.), 1. / rule_.largest, rule_.largest);
  }

 private:
  Rule rule_;
  std::size_t interval_ = 0;
  std::size_t left_ = 0;
};

/// The iteration of the alternating direction method of multipliers on r = y, r minimising ½ rᵀW r + (q + s)ᵀr, y in C,
/// with De Saxcé's shift s (where a set has one) updated in each iteration, in the variable a of the normal map F:
///
///     r := y − α (W + R)⁻¹ F(a),    a := r − λ/R.
///
/// α in (0, 2) is the relaxation, R the penalty factor times the metric of the sets. Written with F, the iteration has
/// the solution as its fixed point even if the inverse is not exact, or that of a W of which one triangle is used.
/// (Boyd et al., Found. Trends Mach. Learn. 3, 2011; Tasora et al., 2021; Carpentier et al., 2024.)
class AdmmIteration {
 public:
  /// Whether a problem has what it needs: a PenalisedOperator of its own, factors with a definite M, or W as a matrix,
  /// which is made where that is possible.
  bool takes(const ProblemOverSets& problem);

  /// Sets the problem, one of those that takes() is true of, and starts from r. False if W + R is not positive
  /// definite.
  bool begin(const ProblemOverSets& problem, double penaltyFactor, const Vector& r);

  /// One iteration.
  void step(double relaxation);
  /// The same without a product with W, and without residual(), which stays that of before. Where F is not known, the
  /// next step is r := (1 − α) y + α (W + R)⁻¹ (R y + λ − q − s), the same in exact arithmetic; only steps from a known
  /// F have a fixed point that errors of the inverse do not move. map().residual() is that of before, too.
  void stepUnmeasured(double relaxation);
  /// Whether a product with W costs about as much as a system, so that steps that are not measured pay.
  bool isProductDear() const { return hasMass(*problem_); }

  /// Moves to another point, or another penalty at the same reaction and velocity (false as for begin()).
  ///@{
  void moveTo(const Vector& a);
  bool setPenaltyFactor(double factor);
  ///@}
  /// To be called after each step: every `interval` iterations at first, then less and less often, changes the penalty
  /// by the ratio of primal and dual residual if they differ by more than a factor of 5. False as for begin().
  bool balancePenalty(std::size_t interval);

  /// a, where the iteration is.
  const Vector& point() const { return a_; }
  /// The normal map at the present point: its reaction() and velocity() are the present answer.
  NormalMap& map() { return map_; }
  const NormalMap& map() const { return map_; }  ///< likewise
  /// ‖F‖ relative to ‖q‖, in the norm of the certificate.
  double residual() const { return residual_; }
  /// The factor in R.
  double penaltyFactor() const { return factor_; }
  /// Approximate cost of one step in floating point operations.
  double stepWork();
  /// Primal ‖R (r − y)‖ (R at a penalty factor of 1) and dual ‖R (y − y_before)‖ of the last step, as velocities: a
  /// good penalty keeps them about equal.
  ///@{
  double primalResidual() const { return primal_; }
  double dualResidual() const { return dual_; }
  ///@}

 private:
  PenalisedOperator& penalised();
  void moveByResidual(double relaxation);
  void moveByData(double relaxation);
  void compare();
  static bool hasMass(const ProblemOverSets& problem);

  const ProblemOverSets* problem_ = nullptr;
  double factor_ = 1.;
  double residual_ = 0.;
  bool isMeasured_ = false;  // F is that of the present point
  double primal_ = 0.;
  double dual_ = 0.;
  PenaltyBalance balance_{{.threshold = 5., .power = 1., .largest = 1e6}};
  PenalisedMatrix ofMatrix_;
  PenalisedMass ofMass_;
  std::unique_ptr<PenalisedOperator> ofProduct_;  // where the problem has one
  NormalMap map_;
  Vector a_, change_, before_;
};

}  // namespace delassus::numerics
