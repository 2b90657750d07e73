// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {

DistanceJointR::DistanceJointR(const Vector3& first, const Vector3& second, double length)
    : JointR(1, JointFrame(first), JointFrame(second)), length_(length) {
  if (length > 0. && std::isfinite(length)) return;
  throw Error("DistanceJointR", "the distance of the anchors must be positive and finite, got " + toText(length) +
                                    "; a SphericalJointR keeps them together.");
}

DistanceJointR DistanceJointR::at(const Vector3& firstAnchor, const Vector3& secondAnchor, const Vector& first) {
  return {JointFrame(firstAnchor).seenFrom(first).anchor(), secondAnchor, norm(firstAnchor - secondAnchor)};
}

DistanceJointR DistanceJointR::at(const Vector3& firstAnchor, const Vector3& secondAnchor, const Vector& first,
                                  const Vector& second) {
  return {JointFrame(firstAnchor).seenFrom(first).anchor(), JointFrame(secondAnchor).seenFrom(second).anchor(),
          norm(firstAnchor - secondAnchor)};
}

void DistanceJointR::findOutputs(double, const JointKinematics& joint, double* y) {
  const Vector3 r = joint.offset();
  y[0] = (dot(r, r) - length_ * length_) / (2. * length_);
}

void DistanceJointR::findRows(const JointKinematics& joint, JointRow* rows) const {
  const Vector3 direction = 1. / length_ * joint.offset();
  rows[0] = {direction, cross(joint.first.arm, direction), cross(joint.second.arm, direction)};
}

JointR::Misfit DistanceJointR::misfit(double, const JointKinematics& joint) {
  return {std::abs(norm(joint.offset()) - length_), 0.,
          "Correct the length or the configurations, or make the joint with at(); a rope or a strut is "
          "DistanceJointR::below() or above(), with NewtonImpactNSL."};
}

Settings DistanceJointR::settings() const {
  Settings settings = JointR::settings();
  settings.add("length", length_);
  return settings;
}

}  // namespace delassus
