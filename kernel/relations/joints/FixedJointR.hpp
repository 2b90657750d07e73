// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A weld: anchors and directions of the frames are the same,
///
///     y = ((d₂, e₂, n₂) · (P₁ − P₂), 2 e⃗) = 0,
///
/// e⃗ the vector part of the unit quaternion from the second frame to the first. Six rows: the force and the moment
/// that the weld carries, in the directions of the second frame, in which a bearing has its stiffness (BushingLaw).
class FixedJointR final : public JointR {
 public:
  /// Between frames in the first body, and in the second or the world.
  FixedJointR(const JointFrame& first, const JointFrame& second) : JointR(6, first, second) {}
  /// From an anchor in the inertial frame, where the bodies are in these configurations (NewtonEulerDS::q()). Throws
  /// Error if a number is not finite.
  ///@{
  static FixedJointR at(const Vector3& anchor, const Vector& first);
  static FixedJointR at(const Vector3& anchor, const Vector& first, const Vector& second);
  ///@}

  std::string_view className() const override { return "FixedJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;
};

}  // namespace delassus
