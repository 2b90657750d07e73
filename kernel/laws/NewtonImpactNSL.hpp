// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// Unilateral contact with Newton's impact law,
///
///     if y ≤ 0:   0 ≤ ẏ⁺ + e ẏ⁻ ⟂ p ≥ 0,
///
/// e the coefficient of restitution: 0 plastic, 1 elastic. The law applies to each output separately; simultaneous
/// impacts are solved together.
class NewtonImpactNSL final : public NonSmoothLaw {
 public:
  /// Throws Error unless e is in [0, 1].
  explicit NewtonImpactNSL(double e);

  /// Coefficient of restitution.
  double e() const { return e_; }

  std::string_view className() const override { return "NewtonImpactNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return 1; }
  bool actsOnVelocities() const override { return true; }
  bool hasRestitution() const override { return e_ > 0.; }
  void addImpactTerm(const double* velocityBefore, double* freeOutput) const override;

 private:
  double e_;
};

}  // namespace delassus
