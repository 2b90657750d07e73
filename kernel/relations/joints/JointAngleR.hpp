// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointCoordinateR.hpp>
#include <optional>

namespace delassus {

/// The angle of the first body against the second (or the world) about the axis d₂ of the second frame: of e₁ from e₂,
/// rad, positive by the right hand.
///
/// It counts turns: of the angles that differ by 2π it gives the one nearest to the last angle at an earlier time,
/// which is that of the last accepted step, whatever Newton's iterations within this step have tried. So the bodies may
/// turn against each other by less than half a turn a step. The first angle is the one nearest to zero, or as
/// startNear says; startNear is also to be called where a user sets states back.
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
