// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/JointCoordinateR.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {

void JointCoordinateR::scale(double factor) {
  if (!std::isfinite(factor) || factor == 0.) {
    throw Error(std::string(className()), "the factor must be finite and not zero, got " + toText(factor) + ".");
  }
  factor_ *= factor;
  shift_ *= factor;
  motionFactor_ *= factor;
}

void JointCoordinateR::shift(double by) {
  if (!std::isfinite(by)) {
    throw Error(std::string(className()), "a limit or shift must be finite, got " + toText(by) + ".");
  }
  shift_ += by;
}

void JointCoordinateR::follow(const Motion& motion) {
  if (motion_) throw Error(std::string(className()), "it follows a motion already.");
  motion_ = motion;
  motionFactor_ = 1.;
}

void JointCoordinateR::findOutputs(double t, const JointKinematics& joint, double* y) {
  y[0] = factor_ * coordinate(t, joint) + shift_;
  if (motion_) y[0] -= motionFactor_ * motion_->at(t);
}

void JointCoordinateR::findRows(const JointKinematics& joint, JointRow* rows) const {
  const JointRow row = coordinateRow(joint);
  rows[0] = {factor_ * row.force, factor_ * row.firstMoment, factor_ * row.secondMoment};
}

void JointCoordinateR::computeDrift(double t, const Vector&, Vector& drift) {
  if (motion_) drift(0) = -motionFactor_ * motion_->rate(t);
}

// A drive must start at its prescribed place.
JointR::Misfit JointCoordinateR::misfit(double t, const JointKinematics& joint) {
  if (!motion_) return {};
  double y = 0.;
  findOutputs(t, joint, &y);
  return {std::abs(y), 0.};
}

Settings JointCoordinateR::settings() const {
  Settings settings = JointR::settings();
  settings.add("factor", factor_);
  settings.add("shift", shift_);
  if (motion_) settings.add("motionFactor", motionFactor_);
  return settings;
}

}  // namespace delassus
