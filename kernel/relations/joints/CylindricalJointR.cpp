// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/CylindricalJointR.hpp>

namespace delassus {

CylindricalJointR CylindricalJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame};
}

CylindricalJointR CylindricalJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first,
                                        const Vector& second) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame.seenFrom(second)};
}

void CylindricalJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  joint.guidance(y);
  joint.alignment(y + 2);
}

void CylindricalJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  joint.guidance(rows);
  joint.alignment(rows + 2);
}

JointR::Misfit CylindricalJointR::misfit(double, const JointKinematics& joint) {
  return {joint.distanceFromAxis(), joint.tilt()};
}

}  // namespace delassus
