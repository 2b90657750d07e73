// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

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

}  // namespace delassus::numerics
