// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace delassus::numerics {

/// Momentum of an iteration x ↦ S(x) whose changes fall slowly: it starts from y = x + β (x − x before), with
/// β = (t − 1) / t⁺ and t⁺ = (1 + √(1 + 4 t²)) / 2. Where a change exceeds the least so far by a fifth, the iteration
/// has gone beyond its aim, and t begins at 1 again. After 2000 iterations β is at most 0.8: what is not solved by then
/// wanders with a larger one and settles with this (measured on piles of spheres). (Nesterov, Soviet Math. Dokl. 27,
/// 1983; restart: O'Donoghue and Candès, Found. Comput. Math. 15, 2015.)
class Momentum {
 public:
  /// Begins anew, with another start.
  void restart() { *this = Momentum(); }

  /// β for the next iteration, after one that made this change.
  double next(double change) {
    constexpr double mostGrowth = 1.2;
    constexpr std::size_t boldIterations = 2000;
    constexpr double careful = 0.8;
    if (change > mostGrowth * least_) {
      t_ = 1.;
      least_ = change;
    }
    least_ = std::min(least_, change);
    const double later = 0.5 * (1. + std::sqrt(1. + 4. * t_ * t_));
    const double factor = (t_ - 1.) / later;
    t_ = later;
    return ++iterations_ > boldIterations ? std::min(factor, careful) : factor;
  }

 private:
  std::size_t iterations_ = 0;
  double t_ = 1.;
  double least_ = std::numeric_limits<double>::infinity();  // change since the last restart
};

}  // namespace delassus::numerics
