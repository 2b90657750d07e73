// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A ball and socket: y = (d₂, e₂, n₂) · (P₁ − P₂) = 0, three rows in the directions of the second frame. The anchors
/// are one point, and the bodies turn freely about it.
class SphericalJointR final : public JointR {
 public:
  /// Between frames in the first body, and in the second or the world.
  SphericalJointR(const JointFrame& first, const JointFrame& second) : JointR(3, first, second) {}
  /// From an anchor in the inertial frame, where the bodies are in these configurations (NewtonEulerDS::q()). Throws
  /// Error if a number is not finite.
  ///@{
  static SphericalJointR at(const Vector3& anchor, const Vector& first);
  static SphericalJointR at(const Vector3& anchor, const Vector& first, const Vector& second);
  ///@}

  std::string_view className() const override { return "SphericalJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;
};

}  // namespace delassus
