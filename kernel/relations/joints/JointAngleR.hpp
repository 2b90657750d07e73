// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointCoordinateR.hpp>
#include <optional>

namespace delassus {

/// The angle of the first body relative to the second (or the world) about the axis d₂ of the second frame, from e₂ to
/// e₁, rad, positive by the right hand.
///
/// It counts turns: of the angles that differ by 2π it gives the one nearest to the angle of the last accepted step,
/// whatever Newton's iterations within this step have tried. So the relative rotation must stay below half a turn a
/// step. The first angle is the one nearest to zero, or to the argument of startNear; call startNear again after
/// resetting states.
///
/// The turns are kept in the object: each interaction has its own copy (as Interaction(law, relation) makes it), and a
/// link of a second interaction with the same object is refused.
class JointAngleR final : public ChangeableCoordinate<JointAngleR> {
 public:
  /// Between frames in the first body, and in the second or the world; the axes should be parallel, as a joint keeps
  /// them.
  JointAngleR(const JointFrame& first, const JointFrame& second) : ChangeableCoordinate(first, second) {}
  std::string_view className() const override { return "JointAngleR"; }

  /// The next angle will be the one nearest to this. Throws Error if it is not finite.
  void startNear(double angle);

  double coordinate(double t, const JointKinematics& joint) override;
  bool hasMemory() const override { return true; }
  void serializeState(StateArchive& archive) override;

 private:
  JointRow coordinateRow(const JointKinematics& joint) const override { return joint.angleRow(); }

  double reference_ = 0.;  // the last angle at an earlier time
  double last_ = 0.;
  std::optional<double> lastTime_;
};

}  // namespace delassus
