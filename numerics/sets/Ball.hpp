// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ProjectedSet.hpp>

namespace delassus::numerics {

/// The ball { ‖λ‖ ≤ r } in any number of rows: w = 0 inside, and on its border w = −α λ with α ≥ 0. It is dry friction
/// in a plane under a known normal force, the limit of a magnetic damper's force, or von Mises' plasticity in the
/// deviatoric stresses.
class Ball final : public ProjectedSet {
 public:
  /// r ≥ 0 and finite (checked with the problem that has such a part).
  explicit Ball(double radius) : radius_(radius) {}

  std::string_view name() const override { return "ball"; }
  std::string description() const override { return "a ball"; }
  std::array<double, 2> coefficients() const override { return {radius_, 0.}; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;

 private:
  void excess(std::size_t rows, double d, const double* x, double* e, double* G) const override;
  void certifiedExcess(std::size_t rows, double d, const double* x, double* e) const override;
  void certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const override;

  double radius_;
};

}  // namespace delassus::numerics
