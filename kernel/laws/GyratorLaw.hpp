// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/SmoothLaw.hpp>

namespace delassus {

/// What turns electrical into mechanical power and back without loss, on a current ẏ₁ and a speed ẏ₂ (TransducerR),
///
///     λ₁ = −k ẏ₂,     λ₂ = k ẏ₁:
///
/// the voltage −k ω and the torque k i of a motor with permanent magnets, the force k i of a moving coil. λ₁ẏ₁ + λ₂ẏ₂ =
/// 0.
class GyratorLaw final : public SmoothLaw {
 public:
  /// k in N m/A = V s (N/A of a coil); either sign. Throws Error if it is not finite.
  explicit GyratorLaw(double constant);

  double constant() const { return constant_; }  ///< k

  std::string_view className() const override { return "GyratorLaw"; }
  Settings settings() const override;
  bool isLinear() const override { return true; }
  bool isSelfContained() const override { return true; }
  void computeForce(double t, const Vector& y, const Vector& yDot, Vector& lambda) const override;
  void computeJacobians(double t, const Vector& y, const Vector& yDot, Matrix& byY, Matrix& byRate) const override;

 private:
  double constant_;
};

}  // namespace delassus
