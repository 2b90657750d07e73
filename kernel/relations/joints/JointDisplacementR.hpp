// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointCoordinateR.hpp>

namespace delassus {

/// The displacement of the first body relative to the second (or the world) along the axis of the second frame, c = d₂
/// · (P₁ − P₂), m.
class JointDisplacementR final : public ChangeableCoordinate<JointDisplacementR> {
 public:
  /// Between frames in the first body, and in the second or the world.
  JointDisplacementR(const JointFrame& first, const JointFrame& second) : ChangeableCoordinate(first, second) {}
  std::string_view className() const override { return "JointDisplacementR"; }
  double coordinate(double, const JointKinematics& joint) override { return joint.displacement(); }

 private:
  JointRow coordinateRow(const JointKinematics& joint) const override { return joint.displacementRow(); }
};

}  // namespace delassus
