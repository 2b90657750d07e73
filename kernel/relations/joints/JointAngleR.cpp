// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/JointAngleR.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <numbers>

namespace delassus {

void JointAngleR::startNear(double angle) {
  if (!std::isfinite(angle)) {
    throw Error("JointAngleR", "the angle to start near must be finite, got " + toText(angle) + ".");
  }
  reference_ = last_ = angle;
  lastTime_.reset();
  parametersChanged();
}

// The last evaluation before time advances is that of the accepted state.
double JointAngleR::coordinate(double t, const JointKinematics& joint) {
  constexpr double fullTurn = 2. * std::numbers::pi;
  if (lastTime_ != t) reference_ = last_;
  lastTime_ = t;
  const double angle = joint.angle();
  last_ = angle + fullTurn * std::round((reference_ - angle) / fullTurn);
  return last_;
}

void JointAngleR::serializeState(StateArchive& archive) {
  JointCoordinateR::serializeState(archive);
  bool hasTime = lastTime_.has_value();
  double time = lastTime_.value_or(0.);
  archive.value("reference", reference_);
  archive.value("last", last_);
  archive.value("hasTime", hasTime);
  archive.value("time", time);
  lastTime_ = hasTime ? std::optional(time) : std::nullopt;
}

}  // namespace delassus
