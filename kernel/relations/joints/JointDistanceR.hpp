// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointCoordinateR.hpp>

namespace delassus {

/// The distance of two anchors, c = ‖P₁ − P₂‖, m: with NewtonImpactNSL
///
///     distance.below(L)      a rope of length L, which is slack or pulls
///     distance.above(L)      a strut that keeps them at least L apart, and pushes
///
/// The multiplier is the force along the line of the anchors, N, positive where the rope pulls or the strut pushes.
/// Where the anchors meet, the line has no direction, and the row is zero.
class JointDistanceR final : public ChangeableCoordinate<JointDistanceR> {
 public:
  /// Between the anchors of frames in the first body, and in the second or the world.
  JointDistanceR(const JointFrame& first, const JointFrame& second) : ChangeableCoordinate(first, second) {}
  std::string_view className() const override { return "JointDistanceR"; }
  double coordinate(double, const JointKinematics& joint) override { return norm(joint.offset()); }

 private:
  JointRow coordinateRow(const JointKinematics& joint) const override {
    const Vector3 offset = joint.offset();
    const double distance = norm(offset);
    const Vector3 direction = (distance > 0. ? 1. / distance : 0.) * offset;
    return {direction, cross(joint.first.arm, direction), cross(joint.second.arm, direction)};
  }
};

}  // namespace delassus
