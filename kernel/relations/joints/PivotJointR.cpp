// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/PivotJointR.hpp>

namespace delassus {

PivotJointR PivotJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame};
}

PivotJointR PivotJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first, const Vector& second) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame.seenFrom(second)};
}

void PivotJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  joint.coincidence(y);
  joint.alignment(y + 3);
}

void PivotJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  joint.coincidence(rows);
  joint.alignment(rows + 3);
}

JointR::Misfit PivotJointR::misfit(double, const JointKinematics& joint) {
  return {norm(joint.offset()), joint.tilt()};
}

}  // namespace delassus
