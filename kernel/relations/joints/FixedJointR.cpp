// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/FixedJointR.hpp>

namespace delassus {

FixedJointR FixedJointR::at(const Vector3& anchor, const Vector& first) {
  const JointFrame frame = JointFrame(anchor);
  return {frame.seenFrom(first), frame};
}

FixedJointR FixedJointR::at(const Vector3& anchor, const Vector& first, const Vector& second) {
  const JointFrame frame = JointFrame(anchor);
  return {frame.seenFrom(first), frame.seenFrom(second)};
}

void FixedJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  joint.coincidence(y);
  joint.orientation(y + 3);
}

void FixedJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  joint.coincidence(rows);
  joint.orientation(rows + 3);
}

JointR::Misfit FixedJointR::misfit(double, const JointKinematics& joint) {
  return {norm(joint.offset()), joint.turn()};
}

}  // namespace delassus
