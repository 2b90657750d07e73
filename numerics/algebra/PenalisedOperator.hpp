// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace delassus::numerics {

/// Solves systems with W + R, R > 0 diagonal, for a W that is given elsewhere.
class PenalisedOperator {
 public:
  virtual ~PenalisedOperator() = default;

  /// `penalties`: R_i by rows. False if W + R is not positive definite.
  virtual bool factor(const std::vector<double>& penalties) = 0;
  /// x := (W + R)⁻¹ x; as exactly as the method can, which may be an iteration. x is not a number where that fails.
  virtual void solve(double* x) = 0;
  /// Approximate cost of a solve and a product with W, in floating point operations.
  virtual double work() const = 0;
};

}  // namespace delassus::numerics
