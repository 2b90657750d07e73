// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointDisplacementR.hpp>
#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A slide: the anchor of the first body is on the axis of the second, and the bodies do not rotate relative to each
/// other,
///
///     y = (e₂ · (P₁ − P₂), n₂ · (P₁ − P₂), 2 e⃗) = 0,
///
/// e⃗ the vector part of the unit quaternion from the directions of the second frame to those of the first: all three
/// must agree. Five rows: two forces across the axis, at the anchor of the first body, and three moments. One
/// displacement remains free, displacement().
class PrismaticJointR final : public JointR {
 public:
  /// Between frames in the first body, and in the second or the world.
  PrismaticJointR(const JointFrame& first, const JointFrame& second) : JointR(5, first, second) {}
  /// From an anchor and an axis in the inertial frame, where the bodies are in these configurations
  /// (NewtonEulerDS::q()). Throws Error if a number is not finite or the axis is zero.
  ///@{
  static PrismaticJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first);
  static PrismaticJointR at(const Vector3& anchor, const Vector3& axis, const Vector& first, const Vector& second);
  ///@}

  /// The displacement of the first body relative to the second along the axis; zero in the configuration given to at().
  JointDisplacementR displacement() const { return JointDisplacementR(first(), second()); }

  std::string_view className() const override { return "PrismaticJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;
};

}  // namespace delassus
