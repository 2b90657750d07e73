// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>

namespace delassus {

SphericalJointR SphericalJointR::at(const Vector3& anchor, const Vector& first) {
  const JointFrame frame = JointFrame(anchor);
  return {frame.seenFrom(first), frame};
}

SphericalJointR SphericalJointR::at(const Vector3& anchor, const Vector& first, const Vector& second) {
  const JointFrame frame = JointFrame(anchor);
  return {frame.seenFrom(first), frame.seenFrom(second)};
}

void SphericalJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  joint.coincidence(y);
}

void SphericalJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  joint.coincidence(rows);
}

JointR::Misfit SphericalJointR::misfit(double, const JointKinematics& joint) {
  return {norm(joint.offset()), 0.};
}

}  // namespace delassus
