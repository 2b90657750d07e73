// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointAngleR.hpp>
#include <delassus/kernel/relations/joints/JointDisplacementR.hpp>
#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A pin in a long bore: the axes are one line, along which the bodies slide and about which they turn,
///
///     y = (e₂ · (P₁ − P₂), n₂ · (P₁ − P₂), e₁ · d₂, n₁ · d₂) = 0.
///
/// Four rows: two forces across the axis of the second body, at the anchor of the first, and two moments.
class CylindricalJointR final : public JointR {
 public:
  /// Between frames in the first body, and in the second or the world.
  CylindricalJointR(const JointFrame& first, const JointFrame& second) : JointR(4, first, second) {}
  /// From an anchor and an axis in the inertial frame, where the bodies are in these configurations
  /// (NewtonEulerDS::q()). Throws Error if a number is not finite or the axis is zero.
  ///@{
  static CylindricalJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first);
  static CylindricalJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first, const Vector& second);
  ///@}

  /// The angle and the displacement of the first body relative to the second, about and along the axis; zero in the
  /// configuration given to at().
  ///@{
  JointAngleR angle() const { return JointAngleR(first(), second()); }
  JointDisplacementR displacement() const { return JointDisplacementR(first(), second()); }
  ///@}

  std::string_view className() const override { return "CylindricalJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;
};

}  // namespace delassus
