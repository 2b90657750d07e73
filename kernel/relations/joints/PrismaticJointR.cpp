// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>

namespace delassus {

PrismaticJointR PrismaticJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame};
}

PrismaticJointR PrismaticJointR::at(const Vector3& anchor, const Vector3& axis, const Vector& first,
                                    const Vector& second) {
  const JointFrame frame = JointFrame(anchor, axis);
  return {frame.seenFrom(first), frame.seenFrom(second)};
}

void PrismaticJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  joint.guidance(y);
  joint.orientation(y + 2);
}

void PrismaticJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  joint.guidance(rows);
  joint.orientation(rows + 2);
}

JointR::Misfit PrismaticJointR::misfit(double, const JointKinematics& joint) {
  return {joint.distanceFromAxis(), joint.turn()};
}

}  // namespace delassus
