// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/SmoothLaw.hpp>

namespace delassus {

/// A linear spring and a damper beside it, on each output of a relation by itself,
///
///     λ = λ₀ − k y − c ẏ,     E = ½ k y² − λ₀ y.
///
/// Between a chassis and a wheel, with a rest length; and in a hinge:
///
///     model.link("strut", SpringDamperLaw(2e4, 1.2e3), DistanceJointR(onChassis, onWheel, rest).extension(), chassis,
///                wheel);
///     model.link("torsion", SpringDamperLaw(50., 0.1), pivot.angle(), shaftA, shaftB);
class SpringDamperLaw final : public SmoothLaw {
 public:
  /// k in N/m (N m of an angle), c in N s/m (N m s), λ₀ in N (N m), positive where the relation's multiplier is. Throws
  /// Error if k or c is negative, or a number not finite.
  explicit SpringDamperLaw(double stiffness, double damping = 0., double preload = 0.);

  double stiffness() const { return stiffness_; }  ///< k
  double damping() const { return damping_; }      ///< c
  double preload() const { return preload_; }      ///< λ₀

  std::string_view className() const override { return "SpringDamperLaw"; }
  Settings settings() const override;
  bool isLinear() const override { return true; }
  bool isSelfContained() const override { return true; }
  void computeForce(double t, const Vector& y, const Vector& yDot, Vector& lambda) const override;
  void computeJacobians(double t, const Vector& y, const Vector& yDot, Matrix& byY, Matrix& byRate) const override;
  double energy(const Vector& y) const override;

 private:
  double stiffness_;
  double damping_;
  double preload_;
};

}  // namespace delassus
