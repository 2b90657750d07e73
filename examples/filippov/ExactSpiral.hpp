// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "../support/PhaseCount.hpp"

/// The exact solution of Filippov's example
///
///     ẋ = g [ 1 −b ; b 1 ] λ,   λ = −sgn(x),   b > 1,
///
/// whose speed is constant in each quadrant. |x₁| + |x₂| falls at the rate 2g, so that the origin is reached at
/// T = (|x₁| + |x₂|)/(2g) after infinitely many turns, each quadrant smaller than the one before by (b − 1)/(b + 1).
class ExactSpiral {
 public:
  ExactSpiral(std::array<double, 2> start, double g, double b) : start_(start), g_(g), b_(b) {}

  double reachingTime() const { return (std::abs(start_[0]) + std::abs(start_[1])) / (2. * g_); }

  std::array<double, 2> at(double t) const {
    if (t >= reachingTime()) return {0., 0.};
    std::array<double, 2> x = start_;
    for (PhaseCount phases("exact spiral");; phases.next()) {
      // Clockwise: an axis belongs to the quadrant that begins there.
      const double s0 = x[0] > 0. || (x[0] == 0. && x[1] > 0.) ? 1. : -1.;
      const double s1 = x[1] > 0. || (x[1] == 0. && x[0] < 0.) ? 1. : -1.;
      const std::array<double, 2> v = {g_ * (b_ * s1 - s0), -g_ * (b_ * s0 + s1)};
      const std::size_t next = s0 * v[0] < 0. ? 0 : 1;  // the coordinate that falls to zero
      const double left = -x[next] / v[next];
      if (t <= left || left == 0.) return {x[0] + t * v[0], x[1] + t * v[1]};
      x[1 - next] += left * v[1 - next];
      x[next] = 0.;
      t -= left;
    }
  }

 private:
  std::array<double, 2> start_;
  double g_;
  double b_;
};
