// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointAngleR.hpp>
#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A hinge (revolute joint, knee): the anchors are one point and the axes parallel,
///
///     y = ((d₂, e₂, n₂) · (P₁ − P₂), e₁ · d₂, n₁ · d₂) = 0.
///
/// Five rows: the force on the first body along the axis and across it, in the directions of the second frame, and two
/// moments. One angle remains free, angle().
class PivotJointR final : public JointR {
 public:
  /// Between frames in the first body, and in the second or the world.
  PivotJointR(const JointFrame& first, const JointFrame& second) : JointR(5, first, second) {}
  /// From an anchor and an axis in the inertial frame, where the bodies are in these configurations
  /// (NewtonEulerDS::q()). Throws Error if a number is not finite or the axis is zero.
  ///@{
  static PivotJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first);
  static PivotJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first, const Vector& second);
  ///@}

  /// The angle of the first body relative to the second about the axis; zero in the configuration given to at().
  JointAngleR angle() const { return JointAngleR(first(), second()); }

  std::string_view className() const override { return "PivotJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;
};

}  // namespace delassus
